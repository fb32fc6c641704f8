"""The header of a message or part: its fields, and what they tell as marked tokens."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from likely.mail.decode import base64, codec, decode
from likely.mail.problems import Problems

FIELD_CHARS = 2**12
"""Characters read of one field. The longest that say something are lists of a few hundred recipients."""

KNOWN_CHARS = 250
"""Characters of a value that is kept with its tokens, in case it comes again; `KNOWN` of them take at most 4 MB."""

KNOWN = 1024
"""Of the fields read in SpamAssassin's corpus, Message-ID aside, 72 % are among the last 1,024 different ones."""

FIELD_TOKENS = 50
"""Tokens made of one field, so that one mail to 1,000 people does not drown in their names."""

TOKEN_CHARS = 100
"""Characters of a token; what is longer was made by a machine, and will not come twice."""

LEAKS = re.compile(
    r"(?:x-(?:[\w-]*(?:spam|virus|bogosity|junk|scl)[\w-]*|crm114[\w-]*|pyzor|razor[\w-]*|mailscanner[\w-]*)"
    r"|x-(?:folder|original-?folder|filename|origin|keywords|label|gmail-labels|mozilla-[\w-]+|evolution[\w-]*)"
    r"|(?:x-)?(?:status|uid|uidl|imap|imapbase)|keywords|envelope-[\w-]+|x-envelope-[\w-]+|delivery-date"
    r"|(?:authentication-results|received-spf|x-forefront[\w-]*|x-ms-exchange-organization[\w-]*))",
    re.IGNORECASE,
)
"""Fields that tell where a message has been filed, or what another filter has said of it.

They are written after delivery, by the program that holds the label: to learn from them is to learn the answer. In
SpamAssassin's corpus `X-Keywords` is in 31 % of spam and 0.6 % of ham, and no sender put it there. No token is made of
them, and where a broken header runs over into the text, their lines are taken out of it.
"""

FOLD = re.compile(r"\n[ \t]+")
BETWEEN_FIELDS = re.compile(r"\n(?![ \t]++[^\s])", re.ASCII)
NAME = re.compile(r"[!-9;-~]++[ \t]*+")
WORD = re.compile(r"\w\w+")
NAME_WORD = re.compile(r"[^\W\d]\w+")
HOST = re.compile(r"[\w-]++(?:\.[\w-]++)+")
BETWEEN_ADDRESSES = re.compile(r"[\s<>,;:\"'()\[\]]+")
ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
BETWEEN_ENCODED = re.compile(r"\?=\s++(?==\?)")
DATE_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATE = re.compile(
    rf"(\d{{1,2}})[\s-]+({DATE_MONTHS})[a-z]*[\s-]+(\d{{2,4}})\s+(\d\d?):(\d\d)(?::(\d\d))?"
    r"\s*+([+-]\d{4}|GMT|UTC?)?",
    re.IGNORECASE,
)
USUAL_DATE = re.compile(
    rf"(?:[A-Z][a-z]{{2}}, )?(\d\d?) ({DATE_MONTHS}) (\d{{4}}) (\d\d):(\d\d):(\d\d) ([+-]\d{{4}})", re.ASCII
)
MONTHS = dict(zip(DATE_MONTHS.lower().split("|"), range(1, 13), strict=True))
YEARS = range(1970, 2100)

Fields = list[tuple[str, str]]


def fields(head: bytes) -> Fields:
    """Names in lower case and values in one line, one character for each byte, of lines that are fields."""
    # Half the time of a pattern that finds names and values: 14 against 28 us for a message of SpamAssassin's.
    pieces = [line.partition(":") for line in FOLD.sub(" ", head.decode("latin-1")).split("\n")]
    return [(name.rstrip().lower(), value.strip()) for name, colon, value in pieces if colon]


def wanted_fields(head: str) -> Fields | None:
    """The fields of a header that are read at all, as they are folded, if every line is a field; None if not.

    Most of a header was written by servers and is only passed over.
    """
    found: Fields = []
    for field in BETWEEN_FIELDS.split(head):
        name, colon, value = field.partition(":")
        read_as = NAMES[name]
        if read_as is None or not colon:
            return None
        if read_as:
            found.append((read_as, value.strip()))
    return found


class _Names(dict[str, str | None]):
    """Names as they are written, to lower case; to "" if that field is not read, to None if it cannot be a name."""

    def __missing__(self, written: str) -> str | None:
        name = written.rstrip().lower() if NAME.fullmatch(written) else None
        if name is not None and name not in READ and name not in OTHERS_READ:
            name = ""
        if len(self) < 1000 and len(written) < 80:
            self[written] = name
        return name


NAMES = _Names()


def one_line(value: str) -> str:
    return FOLD.sub(" ", value) if "\n" in value else value


def unfolded(value: str, problems: Problems) -> str:
    """A field's value with its encoded words and bytes beyond ASCII decoded, and single spaces."""
    value = one_line(value)[:FIELD_CHARS]
    if not value.isascii():
        value = decode(value.encode("latin-1"), "", problems)
    if "=?" in value:
        value = _decoded_words(value, problems)
    return " ".join(value.split())


def _decoded_words(value: str, problems: Problems) -> str:
    pieces: list[str] = []
    held, held_charset, at = b"", "", 0
    value = BETWEEN_ENCODED.sub("?=", value)
    for found in ENCODED.finditer(value):
        charset = found[1].partition("*")[0].lower()
        data = found[3].encode("utf-8", "replace")
        if found[2] in "bB":
            data = base64(data, problems)
        else:
            data = unquote_to_bytes(data.replace(b"%", b"%25").replace(b"=", b"%").replace(b"_", b" "))
        # Words that follow each other are one text: senders cut within a character.
        if found.start() != at or charset != held_charset:
            pieces += (decode(held, held_charset, problems), value[at : found.start()])
            held = b""
        held, held_charset, at = held + data, charset, found.end()
    return "".join((*pieces, decode(held, held_charset, problems), value[at:]))


def parameter(name: str) -> Callable[[str], str]:
    """A reader of one parameter of a field, as `boundary` in `multipart/mixed; boundary=x`; "" where it is missing.

    Values in several pieces and with a charset (RFC 2231) are put together.
    """
    pattern = re.compile(rf";\s*+{name}(\*\d{{0,3}}\*?)?\s*+=\s*+(?:\"((?:[^\"\\]|\\.)*)|([^;\s]*))", re.IGNORECASE)

    def read(value: str) -> str:
        pieces = []
        for mark, quoted, plain in pattern.findall(value):
            piece = re.sub(r"\\(.)", r"\1", quoted) if quoted else plain
            if mark.endswith("*"):
                charset, _, rest = piece.partition("'")
                if "'" in rest:
                    piece = rest.partition("'")[2]
                data = unquote_to_bytes(piece.encode("utf-8", "replace"))
                piece = data.decode(codec(charset.lower()) or "utf-8", "replace")
            pieces.append(piece)
            if not mark:
                break
        return "".join(pieces).strip()

    return read


def date(value: str) -> datetime | None:
    """The moment that a Date field names. A zone that is not given or not known is UTC."""
    value = one_line(value)[:200]
    found = USUAL_DATE.match(value) or DATE.search(value)
    try:
        if found is not None:
            day, month, years, hour, minute, second, zone = found.groups()
            at = (int(years), MONTHS[month.lower()], int(day), int(hour), int(minute), min(int(second or 0), 59))
            where = _zone(zone) if zone else timezone(timedelta(seconds=_offset(value)))
        else:
            parsed = parsedate_tz(value)
            if parsed is None:
                return None
            at, where = (*parsed[:5], min(parsed[5], 59)), timezone(timedelta(seconds=parsed[9] or 0))
        # RFC 5322, 4.3. Programs that count years from 1900 have written 0102 for 2002.
        year = at[0] + (2000 if at[0] < 50 else 1900 if at[0] < 1000 else 0)
        return datetime(year, *at[1:], tzinfo=where) if year in YEARS else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


@lru_cache(64)
def _zone(name: str) -> timezone:
    """A zone by its distance, as +0130, or UTC by its names."""
    if name[0] not in "+-":
        return UTC
    minutes = int(name[1:3]) * 60 + int(name[3:])
    return timezone(timedelta(minutes=-minutes if name[0] == "-" else minutes))


def _offset(value: str) -> int:
    """Seconds east of UTC by the name of a zone, as EST; 0 where there is none."""
    parsed = parsedate_tz(value)
    return (parsed[9] or 0) if parsed is not None else 0


def _words(mark: str, value: str) -> list[str]:
    return [mark + word for word in WORD.findall(value)]


def _name_words(mark: str, value: str) -> list[str]:
    """Words without numbers: of a program's name, not of its version."""
    return [mark + word for word in NAME_WORD.findall(value)[:8]]


def _first(mark: str, value: str) -> list[str]:
    return [mark + word.strip(";,") for word in value.split(None, 1)[:1]]


def _addresses(mark: str, value: str) -> list[str]:
    """Each address, and its host."""
    found: list[str] = []
    for piece in BETWEEN_ADDRESSES.split(value):
        local, _, host = piece.rpartition("@")
        if local and host:
            found += (mark + piece, mark + host)
    return found


def _people(mark: str, value: str) -> list[str]:
    """Addresses, hosts, and the words of the names beside them."""
    found: list[str] = []
    words: list[str] = []
    for piece in BETWEEN_ADDRESSES.split(value):
        if "@" not in piece:
            words += WORD.findall(piece)
        else:
            local, _, host = piece.rpartition("@")
            if local and host:
                found += (mark + piece, mark + host)
    return found + [mark + word for word in words]


def _host(mark: str, value: str) -> list[str]:
    """The host of each address or link."""
    pieces = value.replace("//", "@").split(",", 4)[:4] if "," in value or "//" in value else (value,)
    hosts = [HOST.match(piece, piece.rfind("@") + 1) for piece in pieces]
    return [mark + host[0] for host in hosts if host is not None]


def _list_id(mark: str, value: str) -> list[str]:
    _, opening, inside = value.rpartition("<")
    return [mark + "_".join((inside.partition(">")[0] if opening else value).split())]


def _groups(mark: str, value: str) -> list[str]:
    return [mark + group for group in value.replace(",", " ").split()]


READ: dict[str, Callable[[str, str], list[str]]] = {
    "subject": _words,
    "from": _people,
    "to": _addresses,
    "cc": _addresses,
    "reply-to": _addresses,
    "sender": _addresses,
    "list-id": _list_id,
    "list-post": _host,
    "list-unsubscribe": _host,
    "x-beenthere": _addresses,
    "x-mailing-list": _addresses,
    "mailing-list": _addresses,
    "newsgroups": _groups,
    "organization": _words,
    "x-mailer": _name_words,
    "user-agent": _name_words,
    "message-id": _host,
    "precedence": _first,
    "auto-submitted": _first,
    "importance": _first,
    "x-priority": _first,
    "content-language": _first,
}
"""Fields that a sender writes and that help to tell folders apart, and how each is read.

Fields not named here make no token. Not even their presence does: it tells which server kept the mail, and when (see
`LEAKS`). The same holds for Received, Return-Path and Delivered-To.
"""

OTHERS_READ = frozenset(
    (
        "date",
        "received",
        "references",
        "in-reply-to",
        "content-type",
        "content-transfer-encoding",
        "content-disposition",
    )
)
"""Fields that make no tokens in this way, and are read for something else."""


def read(name: str, value: str, problems: Problems) -> tuple[str, list[str]]:
    """A field's value in one line, and the tokens made of it, which are not to be changed."""
    if len(value) <= KNOWN_CHARS and value.isascii() and "=?" not in value and name != "message-id":
        return _known(name, value)
    value = unfolded(value, problems)
    return value, tokens(name, value)


@lru_cache(KNOWN)
def _known(name: str, value: str) -> tuple[str, list[str]]:
    value = " ".join(value.split())
    return value, tokens(name, value)


def tokens(name: str, value: str) -> list[str]:
    """Marked tokens of a field, as "from:example.org", without white space; at most `FIELD_TOKENS` of them."""
    found = READ[name](f"{name}:", value.lower())[:FIELD_TOKENS]
    return found if len(value) < 60 else [token[:TOKEN_CHARS] for token in found]


def thread(references: str, reply: str, message_id: str) -> list[str]:
    """One token for all messages of a conversation: the id of its first, as far as this message knows it."""
    for value in (references, reply, message_id):
        for piece in value[:FIELD_CHARS].split():
            if "@" in piece and piece.isascii():
                return [f"thread:{piece.strip('<>').lower()}"[:TOKEN_CHARS]]
    return []
