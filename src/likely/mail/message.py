"""A raw message (RFC 5322 and MIME) as text, marked tokens and a date.

The parser is our own, because it must read on where a message is broken, and within bounds. fast-mail-parser 0.10 gives
up a whole message for one wrong base64 character (11 of SpamAssassin's 6,046) or for too many nested parts, and ends
the process, by an abort that no `except` catches, when 100 MB of header fields outgrow 4 GB of memory. Measured side by
side on that corpus, on one core, messages a second: fast-mail-parser 42,000 and Python's own parser 6,100 for the
structure alone, this one 8,000 with all text and tokens, which take most of its time.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from likely.mail import header, markup
from likely.mail.decode import decode, transfer_decoded
from likely.mail.problems import Problems

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
"""16 MiB: what `parse` takes at most beside the raw bytes, whatever they are. `tests/mail/test_hostile.py` holds it."""

LINKS = 200
"""Hosts of links kept."""

TOKENS = 5000
"""Marked tokens kept: a message to 1,000 people has 2,000."""

BOUNDARIES = 100_000
"""Lines looked at for being a boundary, over all levels: a message can hold millions that are nearly one."""

BEFORE = re.compile(rb"(?:\r?\n|>?From [^\n]*+\n)*+")  # blank lines, and the line that an mbox puts before a message
BLANK_LINE = re.compile(rb"\n\r?\n")
HEAD = re.compile(rb"(?:[!-9;-~]++[ \t]*+:[^\n]*+(?:\n|\Z)|[ \t]++[^\s][^\n]*+(?:\n|\Z))*+")
HEAD_GOES_ON = re.compile(
    rb"(?:[^\n]*\n){1,3}?(?:received|from|to|cc|subject|date|message-id|mime-version|content-[\w-]+|x-[\w-]+)[ \t]*:",
    re.I,
)
LINK = re.compile(r"://([\w.-]{1,253})")
CHARSET = re.compile(r"[\w.:+-]{1,40}", re.ASCII)
TYPE = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}", re.ASCII)
EXTENSION = re.compile(r"[\w-]{1,10}")
UUENCODED = re.compile(r"^begin [0-7]{3,4} ([^\n]{1,200})\n(?:[\x20-\x60]{1,62}\r?\n)++(?:end\b)?", re.MULTILINE)
LEAKING_LINE = re.compile(rf"\n(?:{header.LEAKS.pattern})[ \t]*:.*+(?:\n[ \t].*+)*+", re.IGNORECASE)

HEADERS_IN_TEXT = ("rfc822-headers", "delivery-status")

boundary, charset_of, filename, name_of = map(header.parameter, ("boundary", "charset", "filename", "name"))


@dataclass(frozen=True, slots=True)
class Message:
    """What a message says, as far as it could be read."""

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
    """Reads any bytes as a message, as far as they are one, and tells what could not be read. It never raises.

    It looks at `RAW_BYTES` of the raw message and takes at most `MEMORY` beside it. Time is linear in the length.
    """
    reader = _Reader()
    try:
        reader.read(raw)
    except Exception as error:  # a mistake in here shall cost the rest of one message, not the run
        reader.problems.add(f"reading stopped at a mistake in Likely: {type(error).__name__}: {error}")
    return reader.message()


class _Part(NamedTuple):
    """A stretch of bytes that is a header and a body, and where it stands among the parts."""

    source: bytes
    start: int
    end: int
    depth: int
    default: str
    """Its type if it names none."""
    group: int
    """The number of the alternatives that it is one of; 0 for none."""


class _Reader:
    """One message being read."""

    def __init__(self) -> None:
        self.problems = Problems()
        self.tokens: list[str] = []
        self.links: dict[str, None] = {}
        self.texts: list[tuple[int, bool, str]] = []
        """Group of alternatives, whether it was HTML, and text."""
        self.left = TEXT_CHARS
        self.parts = self.boundaries = 0
        self.groups = 0
        self.subject = self.message_id = ""
        self.date: datetime | None = None

    def message(self) -> Message:
        # Of alternatives the plain one, unless the HTML says twice as much: "your reader cannot show this message".
        plain: dict[int, int] = {}
        for group, is_html, text in self.texts:
            if group and not is_html:
                plain[group] = plain.get(group, 0) + len(text)
        texts = [text for group, is_html, text in self.texts if not is_html or 2 * plain.get(group, 0) < len(text)]
        self.tokens += (f"link:{host}" for host in self.links)
        return Message(
            "\n".join(texts)[:TEXT_CHARS],
            tuple(self.tokens[:TOKENS]),
            self.subject,
            self.date,
            self.message_id,
            tuple(self.problems.told),
        )

    def read(self, raw: bytes) -> None:
        end = len(raw)
        if end > RAW_BYTES:
            self.problems.add(f"the message has {end:,} bytes: read are the first {RAW_BYTES:,}")
            end = RAW_BYTES
        if not end:
            self.problems.add("the message is empty")
            return
        if raw.find(b"\n", 0, HEADER_BYTES) < 0 and raw.find(b"\r", 0, HEADER_BYTES) >= 0:
            if end > PART_BYTES:
                self.problems.add(f"lines end in CR alone: read are the first {PART_BYTES:,} bytes")
            raw = raw[:PART_BYTES].replace(b"\r", b"\n")
            end = len(raw)
        before = BEFORE.match(raw, 0, min(end, HEADER_BYTES))
        stack = [_Part(raw, before.end() if before is not None else 0, end, 0, "text/plain", 0)]
        while stack:
            part = stack.pop()
            if self.parts == PARTS:
                self.problems.add(f"the message has more than {PARTS:,} parts: the others are not read")
                break
            self.parts += 1
            stack += reversed(self.part(part))

    def part(self, part: _Part) -> list[_Part]:
        """Reads a part, and gives the parts in it."""
        fields, body, whole = self.head(part)
        kind = part.default
        encoding = disposition = content_type = name = ""
        for field, value in fields:
            if field == "content-type":
                if found := TYPE.match(value):
                    content_type, kind = header.unfolded(value, self.problems), found[0].lower()
            elif field == "content-transfer-encoding":
                encoding = header.one_line(value).lower()[:40]
            elif field == "content-disposition":
                disposition = header.unfolded(value, self.problems)
        if part.depth == 0:
            self.top(fields)
        self.tokens.append(f"content-type:{kind}")
        main, _, sub = kind.partition("/")

        if main == "multipart":
            return self.multipart(part, body, boundary(content_type), sub)
        if disposition or "name" in content_type:
            name = filename(disposition) or name_of(content_type)
        attached = disposition[:10].lower() == "attachment"
        if kind in ("message/rfc822", "message/global", "message/news"):
            return self.embedded(part, body, encoding)
        if main not in ("text", "message") or attached or (name and sub not in ("plain", "html")):
            self.attachment(name, sub)
        elif self.left:
            self.text(part, body, encoding, content_type, "rfc822-headers" if not whole and sub == "plain" else sub)
        else:
            self.problems.add(f"the text has more than {TEXT_CHARS:,} characters: the rest is not read")
        return []

    def head(self, part: _Part) -> tuple[header.Fields, int, bool]:
        """The fields of a part's header, where its body starts, and whether a blank line or the end says so."""
        source, start, end = part.source, part.start, part.end
        limit = min(end, start + HEADER_BYTES)
        last = source.find(b"\n\n", start, limit)
        if last >= 0 and source.find(b"\r", start, last) < 0:
            wanted = header.wanted_fields(source[start:last].decode("latin-1"))
            if wanted is not None:
                return wanted, last + 2, True
        found: header.Fields = []
        at, whole = start, True
        while True:
            head = HEAD.match(source, at, limit)
            assert head is not None  # it matches nothing, too
            found += header.fields(head[0])
            at = head.end()
            if at >= end or source.startswith((b"\n", b"\r\n"), at, end):
                body = _after_line(source, at, end)
                break
            line = source.find(b"\n", at, limit)
            if line < 0 and limit < end:
                self.problems.add(f"a header has more than {HEADER_BYTES:,} bytes: the rest of it is not read")
                blank = BLANK_LINE.search(source, max(at - 1, start), end)
                body = blank.end() if blank is not None else end
                break
            if line < 0 or not HEAD_GOES_ON.match(source, at, limit):
                body, whole = at, False
                break
            self.problems.add("a header has a line that is not a field: it is passed over")
            at = line + 1
        if part.depth == 0 and not found:
            self.problems.add("the message has no header")
        return found, body, whole

    def top(self, fields: header.Fields) -> None:
        """Reads the message's own header."""
        read, dates, received = header.READ, "", ""
        thread = reply = ""
        for name, value in fields:
            if name in read:
                value, tokens = header.read(name, value, self.problems)
                self.tokens += tokens
                if name == "subject":
                    self.subject = self.subject or value
                elif name == "message-id":
                    self.message_id = self.message_id or value.strip("<> ")
            elif name == "date":
                dates = dates or value
            elif name == "received":
                received = received or value
            elif name == "references":
                thread = value
            elif name == "in-reply-to":
                reply = value
        self.tokens += header.thread(thread, reply, self.message_id)
        self.date = header.date(dates)
        if self.date is None:
            if dates:
                self.problems.add(f"the date {' '.join(header.one_line(dates)[:60].split())!r} cannot be read")
            self.date = header.date(header.one_line(received)[:2000].rpartition(";")[2])

    def multipart(self, part: _Part, body: int, mark: str, sub: str) -> list[_Part]:
        """The parts between a multipart's boundaries."""
        if part.depth == DEPTH:
            self.problems.add(f"parts are nested more than {DEPTH} deep: what is further in is not read")
            return []
        source, end = part.source, part.end
        group = part.group
        if sub == "alternative":
            self.groups += 1
            group = self.groups
        default = "message/rfc822" if sub == "digest" else "text/plain"
        parts: list[_Part] = []
        line = b"--" + mark.encode("utf-8", "replace")
        at = body if source.startswith(line, body, end) else source.find(b"\n" + line, body, end) + 1
        start, closed = -1, False
        while mark and at >= body and not closed and len(parts) <= PARTS - self.parts:
            self.boundaries += 1
            if self.boundaries > BOUNDARIES:
                self.problems.add(
                    f"the message has more than {BOUNDARIES:,} lines like boundaries: the rest is not read"
                )
                break
            after = at + len(line)
            closed = source.startswith(b"--", after, end)
            # A boundary that is the start of another one ends here.
            if closed or source[after : after + 1] in (b"", b"\r", b"\n", b" ", b"\t"):
                if start >= 0:
                    parts.append(_Part(source, start, max(start, at - 1), part.depth + 1, default, group))
                start = _after_line(source, after, end)
            at = source.find(b"\n" + line, after, end) + 1
            if at == 0:
                break
        if start < 0:
            self.problems.add("a multipart has no boundary: it is read as one text")
            self.text(part, body, "", "", "plain")
        elif not closed and at == 0:
            self.problems.add("the last part is not closed: the message may have been cut short")
            parts.append(_Part(source, start, end, part.depth + 1, default, group))
        return parts

    def embedded(self, part: _Part, body: int, encoding: str) -> list[_Part]:
        """A message within the message."""
        if part.depth == DEPTH:
            self.problems.add(f"parts are nested more than {DEPTH} deep: what is further in is not read")
            return []
        source, start, end = part.source, body, part.end
        if encoding in ("base64", "quoted-printable"):
            source = self.decoded(part, body, encoding)
            start, end = 0, len(source)
        return [_Part(source, start, end, part.depth + 1, "text/plain", 0)]

    def decoded(self, part: _Part, body: int, encoding: str) -> bytes:
        # Base64 is a third longer than what it stands for, quoted-printable at most three times as long.
        data = part.source[body : min(part.end, body + 2 * PART_BYTES)]
        data = transfer_decoded(data, encoding, self.problems)
        if part.end - body > 2 * PART_BYTES or len(data) > PART_BYTES:
            self.problems.add(f"a part has more than {PART_BYTES:,} bytes: the rest of it is not read")
            data = data[:PART_BYTES]
        return data

    def text(self, part: _Part, body: int, encoding: str, content_type: str, sub: str) -> None:
        charset = _charset(content_type) if "=" in content_type else ""
        if charset:
            self.tokens.append(f"charset:{charset}")
        data = self.decoded(part, body, encoding)
        text = decode(data, charset, self.problems)
        for host in dict.fromkeys(LINK.split(text, LINKS)[1::2]):
            if len(self.links) < LINKS:
                self.links[host.lower().strip(".")[: header.TOKEN_CHARS]] = None
        is_html = sub in ("html", "xhtml", "enriched", "richtext") or markup.is_html(text)
        if is_html:
            text = markup.to_text(text)
        if "begin " in text:
            text = UUENCODED.sub(self._uuencoded, text)
        if sub in HEADERS_IN_TEXT:
            text = LEAKING_LINE.sub("\n", "\n" + text)[1:]  # a pattern that starts with "^" takes twice as long
        if len(text) > self.left:
            self.problems.add(f"the text has more than {TEXT_CHARS:,} characters: the rest is not read")
            text = text[: self.left]
        self.left -= len(text)
        self.texts.append((part.group, is_html, text))

    def _uuencoded(self, found: "re.Match[str]") -> str:
        """A file in the middle of a text, as it was sent before there was MIME."""
        self.attachment(found[1], "")
        return ""

    def attachment(self, name: str, sub: str) -> None:
        """What kind of file is attached, and the words of its name. The file itself is not looked into."""
        name = name[:200].lower()
        stem, dot, extension = name.rpartition(".")
        if not dot or not EXTENSION.fullmatch(extension):
            stem, extension = name, sub
        if extension:
            self.tokens.append(f"attachment:{extension[: header.TOKEN_CHARS]}")
        self.tokens += [f"filename:{word}" for word in header.WORD.findall(stem)[:10]]


@lru_cache(256)
def _charset(content_type: str) -> str:
    found = CHARSET.match(charset_of(content_type))
    return found[0].lower() if found is not None else ""


def _after_line(source: bytes, at: int, end: int) -> int:
    """Where the line after this one starts."""
    line = source.find(b"\n", at, end)
    return line + 1 if line >= 0 else end
