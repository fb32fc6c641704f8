"""Answers to FETCH, read fast: IMAPClient looks at each byte of them in Python, which takes most of the time of reading
a large account.

Only the items that are fetched of every message are read here; an answer with anything else in it is left to
IMAPClient.
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
"""Where no item of these can begin, as a quick look shows."""

TOKEN = re.compile(rb'[ ]*(?:([()])|"([^"\\]*)"|(\d+)(?=[ )])|(NIL)(?=[ )]))', re.IGNORECASE)
"""Of a BODYSTRUCTURE without literals and escapes."""

DATE = re.compile(rb"([ \d]\d-\w{3}-\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-]\d{4})")
LATEST = 2**33
"""Seconds since 1970, the year 2242: no message came later, whatever a server says."""
MONTHS = {name: at for at, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}

REPORT = re.compile(rb"\* \d+ FETCH ", re.IGNORECASE)
REST = re.compile(rb"\{(\d+)\}$")
"""Bytes of the literal that follows a line."""

LINE = 7900
"""Characters of a command: some servers take no lines of more than 8,000 bytes (RFC 2683)."""

PIECE = 250
"""Messages that one command asks for. With 25, Dovecot and Likely both take longer for 10,000 messages: there are
more commands to read, and the answers were read while it worked anyway."""

QUICK = ("BODY.PEEK[", "BODYSTRUCTURE", "RFC822.SIZE", "INTERNALDATE", "EMAILID", "X-GM-MSGID")


def fetch(client: IMAPClient, uids: list[int], what: tuple[str, ...]) -> Fetched:
    """Items of messages in the folder that is open. Each command is sent before the answers to the one before it are
    read, and each answer is read while the server works on the next."""
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
        except Exception:  # what follows is still answered, and is not the answer to another command
            for rest in (reports, _reports(client, following) if following is not None else ()):
                with suppress(IMAPClientError):
                    deque(rest, maxlen=0)
            raise
        tag = following
    return found


def _message(report: list[Any]) -> Iterable[tuple[int, dict[bytes, Any]]]:
    """The message that a report is of, by its UID; nothing of one without, which nobody has asked for."""
    read = fetched(report)
    if read is not None:
        return read.items()
    others = parse_fetch_response(report, uid_is_key=False).values()
    return [(other[b"UID"], other) for other in others if b"UID" in other]


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


def _reports(client: IMAPClient, tag: bytes) -> Iterator[list[Any]]:
    """What a server reports of each message until it has done a command, as imaplib gives it, which tries each line as
    each kind of answer. What it reports besides, such as new messages, is seen when the folder is listed."""
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
    """At which a day begins: messages come by the day, and taking all of a moment apart takes three times as long."""
    date, month, year = day.split(b"-")
    distance = timedelta(hours=int(zone[:3]), minutes=int(zone[:1] + zone[3:]))
    midnight = datetime(int(year), MONTHS.get(month.title(), 0), int(date), tzinfo=timezone(distance))
    if not 0 <= midnight.timestamp() < LATEST:
        raise ValueError(f"no message came on {day!r}")
    return midnight
