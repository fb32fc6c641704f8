"""Answers to FETCH, read fast: IMAPClient looks at each byte of them in Python, which takes most of the time of reading
a large account.

Only the items that are fetched of every message are read here; an answer with anything else in it is left to
IMAPClient.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import groupby
from typing import Any, TypeAlias

from imapclient import IMAPClient
from imapclient.datetime_util import parse_to_datetime
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from imapclient.response_parser import parse_fetch_response
from imapclient.response_types import BodyData

Fetched: TypeAlias = dict[int, dict[bytes, Any]]

START = re.compile(rb"\d+ \(")
ITEM = re.compile(
    rb"[ ]*(?:(UID|RFC822\.SIZE|X-GM-MSGID) (\d+)|(INTERNALDATE) \"([^\"]*)\"|(EMAILID) (\([^()\"]*\))"
    rb"|(BODYSTRUCTURE) (?=\()|FLAGS \([^()\"]*\)|MODSEQ \(\d+\))",
    re.IGNORECASE,
)
LITERAL = re.compile(rb"[ ]*(BODY\[[^\]]*\](?:<\d+>)?) \{\d+\}", re.IGNORECASE)

TOKEN = re.compile(rb'[ ]*(?:([()])|"([^"\\]*)"|(\d+)(?=[ )])|(NIL)(?=[ )]))', re.IGNORECASE)
"""Of a BODYSTRUCTURE without literals and escapes."""

DATE = re.compile(rb"([ \d]\d)-(\w{3})-(\d{4}) (\d\d):(\d\d):(\d\d) ([+-]\d\d)(\d\d)")
LATEST = 2**33
"""Seconds since 1970, the year 2242: no message came later, whatever a server says."""
MONTHS = {name: at for at, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}

REPORT = re.compile(rb"\* \d+ FETCH ", re.IGNORECASE)
REST = re.compile(rb"\{(\d+)\}$")
"""Bytes of the literal that follows a line."""

LINE = 7900
"""Characters of a command: some servers take no lines of more than 8,000 bytes (RFC 2683)."""

PIECE = 250
"""Messages that one command asks for."""

QUICK = ("BODY.PEEK[", "BODYSTRUCTURE", "RFC822.SIZE", "INTERNALDATE", "EMAILID", "X-GM-MSGID")


def fetch(client: IMAPClient, uids: list[int], what: tuple[str, ...]) -> Fetched:
    """Items of messages in the folder that is open. Each command is sent before the answers to the one before it are
    read: the server works on it meanwhile."""
    if not all(item.startswith(QUICK) for item in what):
        answer: Fetched = client.fetch(uids, what)
        return answer
    items = f"({' '.join(what)})"
    commands = (client._imap._command("UID", "FETCH", which, items) for which in _sets(uids, LINE - len(items)))
    found: Fetched = {}
    tag = next(commands)
    while tag is not None:
        following = next(commands, None)
        try:
            data = _reports(client, tag)
            read = fetched(data)
            found |= read if read is not None else dict(parse_fetch_response(data))
        except (IMAPClientAbortError, OSError):
            raise
        except Exception:  # what follows is still answered, and is not the answer to another command
            if following is not None:
                with suppress(IMAPClientError):
                    _reports(client, following)
            raise
        tag = following
    return found


def _sets(uids: list[int], length: int) -> Iterator[str]:
    """Sets of at most `PIECE` UIDs, and of at most `length` characters unless it is of one."""
    which = uid_set(uids)
    if len(uids) > 1 and (len(uids) > PIECE or len(which) > length):
        middle = len(uids) // 2
        yield from _sets(uids[:middle], length)
        yield from _sets(uids[middle:], length)
    else:
        yield which


def uid_set(uids: Iterable[int]) -> str:
    """As IMAP writes it: "1:3,7"."""
    runs = groupby(enumerate(uids), lambda numbered: numbered[1] - numbered[0])
    some = ([uid for _, uid in run] for _, run in runs)
    return ",".join(f"{run[0]}:{run[-1]}" if len(run) > 1 else str(run[0]) for run in some)


def _reports(client: IMAPClient, tag: bytes) -> list[Any]:
    """What a server reports of messages until it has done a command, as imaplib gives it, which tries each line as each
    kind of answer. What it reports besides, such as new messages, is seen when the folder is listed."""
    imap = client._imap
    data: list[Any] = []
    end = tag + b" "
    while not (line := _line(imap)).startswith(end):
        if line.startswith(b"* BYE"):
            raise IMAPClientAbortError(line[2:].decode("utf-8", "replace"))
        report = REPORT.match(line)
        of_message = report is not None
        line = b"%b%b" % (line[2 : report.end() - 6], line[report.end() :]) if report is not None else line
        while (rest := REST.search(line)) is not None:
            literal = imap.read(int(rest[1]))
            if len(literal) < int(rest[1]):
                raise IMAPClientAbortError("the server has hung up")
            if of_message:
                data.append((line, literal))
            line = _line(imap)
        if of_message:
            data.append(line)
    del imap.tagged_commands[tag]
    kind, _, text = line[len(end) :].partition(b" ")
    client._checkok("fetch", kind.decode("ascii", "replace").upper(), [text])
    return data


def _line(imap: Any) -> bytes:
    line: bytes = imap.readline()
    if not line.endswith(b"\r\n"):
        raise IMAPClientAbortError("the server has hung up")
    return line[:-2]


def fetched(data: list[Any]) -> Fetched | None:
    """By UID, of what imaplib gives: lines, and pairs of a line and the literal that follows it. None where something
    else is in it."""
    found: Fetched = {}
    message: dict[bytes, Any] = {}
    for part in data:
        line, literal = part if isinstance(part, tuple) else (part, None)
        if line is None:
            continue
        start = START.match(line)
        at = 0
        if start is not None:
            message, at = {}, start.end()
        while (item := ITEM.match(line, at)) is not None:
            at = item.end()
            number, digits, date, moment, identity, name, structure = item.groups()
            if number is not None:
                message[number.upper()] = int(digits)
            elif date is not None:
                message[date.upper()] = _moment(moment)
            elif identity is not None:
                message[identity.upper()] = (name[1:-1],)
            elif structure is not None:
                parts, at = _nested(line, at)
                if parts is None:
                    return None
                message[b"BODYSTRUCTURE"] = BodyData.create(parts)
        if literal is not None:
            body = LITERAL.fullmatch(line, at)
            if body is None:
                return None
            message[body[1].upper()] = literal
        elif line[at:].strip() != b")" or b"UID" not in message:
            return None
        else:
            found.setdefault(message.pop(b"UID"), {}).update(message)
            message = {}
    return found


def _nested(line: bytes, at: int) -> tuple[tuple[Any, ...] | None, int]:
    """What stands between a parenthesis and the one that closes it, as tuples within tuples, and where it ends; None
    where something else is in it."""
    above: list[list[Any]] = []
    here: list[Any] = []
    while (token := TOKEN.match(line, at)) is not None:
        at = token.end()
        sign, text, digits, _ = token.groups()
        if sign == b"(":
            above.append(here)
            here = []
        elif sign == b")":
            inner, here = tuple(here), above.pop()
            if not above:
                return inner, at
            here.append(inner)
        else:
            here.append(text if text is not None else int(digits) if digits is not None else None)
    return None, at


def _moment(text: bytes) -> datetime | None:
    """The moment that IMAPClient reads; None where it is none, which is no reason to read no message."""
    try:
        moment = _read(text)
        return moment if 0 <= moment.timestamp() < LATEST else None
    except (ValueError, OverflowError, OSError):
        return None


def _read(text: bytes) -> datetime:
    found = DATE.fullmatch(text)
    month = MONTHS.get(found[2]) if found is not None else None
    if found is None or month is None:
        other: datetime = parse_to_datetime(text)
        return other
    day, year, hour, minute, second = (int(found[at]) for at in (1, 3, 4, 5, 6))
    return datetime(year, month, day, hour, minute, second, tzinfo=_zone(found[7], found[8]))


@cache
def _zone(hours: bytes, minutes: bytes) -> timezone:
    return timezone(timedelta(hours=int(hours), minutes=int(hours[:1] + minutes)))
