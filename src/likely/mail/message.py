"""A raw message (RFC 5322 and MIME) as text, marked tokens and a date.

The parser is our own, because it must read on where a message is broken, and within bounds. fast-mail-parser 0.10 gives
up a whole message for one wrong base64 character (11 of SpamAssassin's 6,046) or for too many nested parts, and ends
the process, by an abort that no `except` catches, when 100 MB of header fields outgrow 4 GB of memory. Its loops over
bytes are in native/mail, and `python -m bench speed --only mail_learned` measures it with what learns; here are its
bounds.
"""

from dataclasses import dataclass
from datetime import datetime

from likely import _native
from likely.mail import header
from likely.mail.dates import date
from likely.mail.decode import decode

RAW_BYTES = 2**25
"""Bytes looked at, 32 MiB: the large providers take in mail of 25 MB, and the text of a larger one comes first."""

HEADER_BYTES = 2**16
"""Bytes read of one header. The longest of SpamAssassin's 6,046 has 9 KB; servers refuse more than 64 KiB or so."""

DEPTH = 32
"""Parts within parts. Mail that was forwarded with all before it, ten times, has 20 levels."""

PARTS = 1000
"""Parts read. A digest of a busy list has 100."""

PART_BYTES = 2**20
"""Bytes read of one part of text, once decoded: a page of HTML of this length is mostly not text."""

TEXT_CHARS = 2**18
"""Characters of text kept: 40,000 words, a third of a novel, after which a class is no longer in doubt."""

MEMORY = 2**24
"""16 MiB: what `parse` takes at most besides the raw bytes, whatever they are. `tests/mail/test_hostile.py` holds
it."""

LINKS = 200
"""Hosts of links kept."""

TOKENS = 5000
"""Marked tokens kept: a message to 1,000 people has 2,000."""

BOUNDARIES = 100_000
"""Lines looked at for being a boundary, over all levels: a message can hold millions that are nearly one."""

PROBLEMS = 20
"""Problems reported of one message. Damage repeats itself: of 100,000 bad parts the first few say it all."""

LIMITS = (
    *(RAW_BYTES, HEADER_BYTES, DEPTH, PARTS, PART_BYTES, TEXT_CHARS, LINKS, TOKENS, BOUNDARIES),
    *(header.FIELD_BYTES, header.FIELD_TOKENS, header.TOKEN_CHARS, PROBLEMS),
)
READER = _native.MailReader(LIMITS, list(header.READ.items()), decode, header.without_leaks)


@dataclass(frozen=True, slots=True)
class Message:
    """What a message says, as far as it could be read.

    See Also
    --------
    parse : makes it.
    """

    text: str
    """The text of its body, HTML as what a reader sees; at most `TEXT_CHARS`. Of alternatives only one is in it."""

    tokens: tuple[str, ...]
    """Words that are marked with where they stand: "from:ann@example.org", "from:example.org", "subject:lunch",
    "list-id:dev.example.org", "content-type:text/html", "charset:utf-8", "attachment:pdf", "filename:invoice",
    "link:example.org", "thread:..." (one id for all messages of a conversation), and those of the other fields in
    `header.READ`. Lower case, no white space, none that would give the label away (`header.LEAKS`)."""

    subject: str
    date: datetime | None
    """From Date, else from the last server that received it, else None; always with a zone."""

    message_id: str
    problems: tuple[str, ...]
    """What could not be read, in sentences."""


def parse(raw: bytes) -> Message:
    """Reads any bytes as a message, as far as they are one, and reports what could not be read. It never raises.

    It looks at `RAW_BYTES` of the raw message and takes at most `MEMORY` besides it. Time is linear in the length.

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
    """One of the messages that were read."""
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
