"""A fast parser for answers to FETCH. IMAPClient examines each byte in Python, which takes most of the time when a
large account is read.

It reads only the items that Likely fetches for every message. An answer with anything else goes to IMAPClient.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from functools import lru_cache
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
SECTION = re.compile(rb"[ ]*(BODY\[[^\]]*\](?:<\d+>)?)", re.IGNORECASE)

SHORTCUTS = (b")", b" BODY[")
"""No item begins with these: a cheap test before the regular expression."""

TOKEN = re.compile(rb'[ ]*(?:([()])|"([^"\\]*)"|(\d+)(?=[ )])|(NIL)(?=[ )]))', re.IGNORECASE)
"""A token of a BODYSTRUCTURE without literals and escapes."""

DATE = re.compile(rb"([ \d]\d-\w{3}-\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-]\d{4})")
LATEST = 2**33
"""Seconds since 1970, in the year 2242: a later date is wrong."""
MONTHS = {name: at for at, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}

REPORT = re.compile(rb"\* \d+ FETCH ", re.IGNORECASE)
REST = re.compile(rb"\{(\d+)\}$")
"""The end of a line that is followed by a literal of this many bytes."""

LINE = 7900
"""The longest command, in characters: some servers accept no lines of more than 8,000 bytes (RFC 2683)."""

PIECE = 250
"""How many messages one command asks for. With 25, both Dovecot and Likely take longer for 10,000 messages: there are
more commands, and answers are read while the server works in any case."""

QUICK = ("BODY.PEEK[", "BODYSTRUCTURE", "RFC822.SIZE", "INTERNALDATE", "EMAILID", "X-GM-MSGID")


def fetch(client: IMAPClient, uids: list[int], what: tuple[str, ...]) -> Fetched:
    """Fetches items of messages in the open folder, by UID. Each command is sent before the answers to the previous one
    are read, so that the server works on it meanwhile."""
    if not all(item.startswith(QUICK) for item in what):
        answer: Fetched = client.fetch(uids, what)
        return answer
    items = f"({' '.join(what)})"
    commands = (client._imap._command("UID", "FETCH", which, items) for which in _sets(uids, LINE - len(items)))
    found: Fetched = {}
    tag = next(commands)
    while tag is not None:
        following = next(commands, None)
        reports = _reports(client, tag)
        try:
            for report in reports:
                for uid, message in _message(report):
                    found.setdefault(uid, {}).update(message)
        except (IMAPClientAbortError, OSError):
            raise
        except Exception:  # read the remaining answers, so that they are not taken as answers to a later command
            for rest in (reports, _reports(client, following) if following is not None else ()):
                with suppress(IMAPClientError):
                    deque(rest, maxlen=0)
            raise
        tag = following
    return found


def _message(report: list[Any]) -> Iterable[tuple[int, dict[bytes, Any]]]:
    """The message of a report, by its UID. Nothing if it has no UID: then it was not asked for."""
    read = fetched(report)
    if read is not None:
        return read.items()
    others = parse_fetch_response(report, uid_is_key=False).values()
    return [(other[b"UID"], other) for other in others if b"UID" in other]


def _sets(uids: list[int], length: int) -> Iterator[str]:
    """Sets of at most `PIECE` UIDs, and at most `length` characters, unless a single UID is longer."""
    which = uid_set(uids)
    if len(uids) > 1 and (len(uids) > PIECE or len(which) > length):
        middle = len(uids) // 2
        yield from _sets(uids[:middle], length)
        yield from _sets(uids[middle:], length)
    else:
        yield which


def uid_set(uids: Iterable[int]) -> str:
    """UIDs as an IMAP set: "1:3,7"."""
    groups = groupby(enumerate(uids), lambda numbered: numbered[1] - numbered[0])
    runs = ([uid for _, uid in group] for _, group in groups)
    return ",".join(f"{run[0]}:{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _reports(client: IMAPClient, tag: bytes) -> Iterator[list[Any]]:
    """The reports on messages until the server has finished a command, in imaplib's form. This is faster than imaplib,
    which tries each line as each kind of answer. Other reports, such as new messages, are ignored: they are seen when
    the folder is listed."""
    imap = client._imap
    end = tag + b" "
    while not (line := _line(imap)).startswith(end):
        if line.startswith(b"* BYE"):
            raise IMAPClientAbortError(line[2:].decode("utf-8", "replace"))
        report = REPORT.match(line)
        of_message, data = report is not None, []
        line = b"%b%b" % (line[2 : report.end() - 6], line[report.end() :]) if report is not None else line
        while (rest := REST.search(line)) is not None:
            literal = imap.read(int(rest[1]))
            if len(literal) < int(rest[1]):
                raise IMAPClientAbortError("the server has hung up")
            if of_message:
                data.append((line, literal))
            line = _line(imap)
        if of_message:
            yield [*data, line]
    del imap.tagged_commands[tag]
    kind, _, text = line[len(end) :].partition(b" ")
    client._checkok("fetch", kind.decode("ascii", "replace").upper(), [text])


def _line(imap: Any) -> bytes:
    line: bytes = imap.readline()
    if not line.endswith(b"\r\n"):
        raise IMAPClientAbortError("the server has hung up")
    return line[:-2]


def fetched(data: list[Any]) -> Fetched | None:
    """The items of messages by UID, from imaplib's form: lines, and pairs of a line and the literal that follows it.
    None if the answer has anything that this parser does not read."""
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
        while not line.startswith(SHORTCUTS, at) and (item := ITEM.match(line, at)) is not None:
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
            section = _section(line[at : line.rindex(b" {")])
            if section is None:
                return None
            message[section] = literal
        elif line[at:].strip() != b")" or b"UID" not in message:
            return None
        else:
            found.setdefault(message.pop(b"UID"), {}).update(message)
            message = {}
    return found


@lru_cache(100)
def _section(name: bytes) -> bytes | None:
    found = SECTION.fullmatch(name)
    return found[1].upper() if found is not None else None


def _nested(line: bytes, at: int) -> tuple[tuple[Any, ...] | None, int]:
    """The content of a pair of parentheses as nested tuples, and the position after it. None if it has anything that
    this parser does not read."""
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
    """The same time that IMAPClient reads; None if it is invalid: the message is still read then."""
    try:
        found = DATE.fullmatch(text)
        if found is None:
            other: datetime = parse_to_datetime(text)
            return other if 0 <= other.timestamp() < LATEST else None
        day, hour, minute, second, zone = found.groups()
        return _midnight(day, zone) + timedelta(0, int(hour) * 3600 + int(minute) * 60 + int(second))
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(1000)
def _midnight(day: bytes, zone: bytes) -> datetime:
    """The midnight at which a day begins. It is cached, because many messages have the same day: to parse the whole
    time for each message takes three times as long."""
    date, month, year = day.split(b"-")
    distance = timedelta(hours=int(zone[:3]), minutes=int(zone[:1] + zone[3:]))
    midnight = datetime(int(year), MONTHS.get(month.title(), 0), int(date), tzinfo=timezone(distance))
    if not 0 <= midnight.timestamp() < LATEST:
        raise ValueError(f"no message came on {day!r}")
    return midnight
