"""Parses a raw message (RFC 5322 and MIME) into text, marked tokens and a date.

We have our own parser, because it must read broken messages too, in bounded memory. fast-mail-parser 0.10 gives up a
whole message for one wrong base64 character (11 of SpamAssassin's 6,046) or for too many nested parts. It also ends the
process, by an abort that no `except` catches, when 100 MB of header fields need more than 4 GB of memory. The loops of
our parser are in native/mail, its bounds are here, and `python -m bench speed --only mail_learned` measures its speed.
"""

from dataclasses import dataclass
from datetime import datetime

from likely import _native
from likely.mail import header
from likely.mail.dates import date
from likely.mail.decode import decode

RAW_BYTES = 2**25
"""How many bytes of a message are read: 32 MiB. The large providers accept mail of 25 MB, and the text comes first."""

HEADER_BYTES = 2**16
"""How many bytes of one header are read. The longest of SpamAssassin's 6,046 has 9 KB; servers refuse about 64 KiB."""

DEPTH = 32
"""The deepest nesting of parts. Mail that was forwarded ten times as an attachment has 20 levels."""

PARTS = 1000
"""How many parts are read. A digest of a busy list has 100."""

PART_BYTES = 2**20
"""How many decoded bytes of one text part are read: an HTML page of this length is mostly not text."""

TEXT_CHARS = 2**18
"""How many characters of text are kept: 40,000 words, a third of a novel. By then the class is no longer in doubt."""

MEMORY = 2**24
"""16 MiB: the most memory that `parse` takes besides the raw bytes. `tests/mail/test_hostile.py` checks it."""

LINKS = 200
"""How many hosts of links are kept."""

TOKENS = 5000
"""How many marked tokens are kept: a message to 1,000 people has 2,000."""

BOUNDARIES = 100_000
"""How many lines are compared with boundaries, over all levels: a message can have millions that are nearly one."""

PROBLEMS = 20
"""How many problems of one message are reported. Damage repeats: of 100,000 bad parts, the first few show all."""

LIMITS = (
    *(RAW_BYTES, HEADER_BYTES, DEPTH, PARTS, PART_BYTES, TEXT_CHARS, LINKS, TOKENS, BOUNDARIES),
    *(header.FIELD_BYTES, header.FIELD_TOKENS, header.TOKEN_CHARS, PROBLEMS),
)
READER = _native.MailReader(LIMITS, list(header.READ.items()), decode, header.without_leaks)


@dataclass(frozen=True, slots=True)
class Message:
    """A parsed message: as much of it as could be read.

    See Also
    --------
    parse : makes it.
    """

    text: str
    """The text of its body, at most `TEXT_CHARS`. HTML is reduced to its visible text. Of alternative parts, only one
    is used."""

    tokens: tuple[str, ...]
    """Words marked with their place: "from:ann@example.org", "from:example.org", "subject:lunch",
    "list-id:dev.example.org", "content-type:text/html", "charset:utf-8", "attachment:pdf", "filename:invoice",
    "link:example.org", "thread:..." (one id for all messages of a conversation), and those of the other fields in
    `header.READ`. They are in lower case, without white space, and none reveals the label (`header.LEAKS`)."""

    subject: str
    date: datetime | None
    """From the field Date, else from the last server that received it, else None. Always with a time zone."""

    message_id: str
    problems: tuple[str, ...]
    """What could not be read: a sentence for each problem."""


def parse(raw: bytes) -> Message:
    """Reads any bytes as a message, and reports what could not be read. It never raises.

    It reads the first `RAW_BYTES` bytes, and takes at most `MEMORY` bytes besides them. Time is linear in the length.

    Parameters
    ----------
    raw : bytes
        The message, as it was sent.

    Returns
    -------
    Message
        Its text, its marked tokens, subject, date and Message-ID, and what could not be read.

    See Also
    --------
    messages : the messages of a mailbox.
    parse_all : many messages, on all cores.

    Examples
    --------
    >>> from likely.mail import parse
    >>> message = parse(b"From: lena@friends.example\\nSubject: Party\\n\\nAt the lake, on Saturday.")
    >>> message.subject, "from:lena@friends.example" in message.tokens
    ('Party', True)
    """
    return message(READER.read([raw]), 0)


def message(mail: _native.Mail, row: int) -> Message:
    """One message of a batch that the native reader has parsed."""
    text, marks, subject, message_id, sent, received, found = mail.row(row)
    moment = date(sent)
    problems = tuple(found.split("\n")) if found else ()
    if moment is None and sent:
        problems = (f"the date {' '.join(sent[:60].split())!r} cannot be read", *problems)[:PROBLEMS]
    return Message(
        text[len(subject) + 1 :],
        tuple(marks.split(" ")) if marks else (),
        subject,
        moment or date(received),
        message_id,
        problems,
    )
