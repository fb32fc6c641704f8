"""Reads the messages of an mbox."""

import re
from collections.abc import Iterator

from likely import _native
from likely.mail.archive import Stream
from likely.mail.item import Item, cut_short, path_of
from likely.mail.message import RAW_BYTES

CHUNK_BYTES = 2**18
"""How many bytes of an mbox are read at once. Line by line, a message of Enron took 37 us; in chunks it takes 20."""

SEPARATOR_BYTES = 1000
"""The longest line between two messages, in bytes: an address, of at most 254, and a time."""

SEPARATOR = re.compile(rb"\d\d?:\d\d.{0,30}\b(?:19|20)\d\d\b")
"""The line before a message ends with a time and a year; a sentence that starts with "From" does not."""

HEADER_LINE_BYTES = 100
HEADER_LINE = re.compile(rb"[!-9;-~]{1,80}[ \t]{0,10}:|>From ")
QUOTE = ord(">")
QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def mbox_messages(stream: Stream, folder: str, names: tuple[str, ...]) -> Iterator[Item]:
    """The messages of an mbox.

    A message starts after a blank line, at a line like `From ann@example.org Mon Jan  1 10:00:00 2024` that is followed
    by a header field. All other lines that start with "From " are text. One ">" is removed from lines such as ">From ",
    as mboxrd requires. In an mboxo, a line that had this ">" from the start loses it, which changes no word.
    """
    box = _Box(folder, names)
    window, at, ended = b"\n\n\n", 3, False
    while not ended:
        chunk = stream.read(CHUNK_BYTES)
        ended = len(chunk) < CHUNK_BYTES
        window += chunk
        limit = len(window) if ended else len(window) - SEPARATOR_BYTES - HEADER_LINE_BYTES
        for word in _native.from_lines(window, at, limit):
            if word < at:
                continue
            if window[word - 1] == QUOTE:
                box.quoted = True
            elif after := separator(window, word - 1):
                if (item := box.taken(window[at:word])) is not None:
                    yield item
                    del item
                box.started = True
                at = after
        end = max(at, limit - len(b"From")) if not ended else limit
        box.add(window[at:end])
        window, at = window[end - 3 :], 3
    if (item := box.taken(b"")) is not None:
        yield item


def separator(window: bytes, line: int) -> int:
    """Where a message starts, if the line break at `line` comes before its separator line; 0 if it does not."""
    if not window.startswith(b"\n", line - 1) and not window.startswith(b"\n\r", line - 2):
        return 0
    end = window.find(b"\n", line + 1, line + SEPARATOR_BYTES)
    after = len(window) if end < 0 else end + 1
    if after - line > SEPARATOR_BYTES or not SEPARATOR.search(window, max(line, after - 80), after):
        return 0
    return after if after == len(window) or HEADER_LINE.match(window, after) else 0


class _Box:
    """Collects the bytes of the current message of an mbox."""

    def __init__(self, folder: str, names: tuple[str, ...]) -> None:
        self.folder, self.path = folder, path_of(names)
        self.index, self.size = 0, 0
        self.pieces: list[bytes] = []
        self.started = self.cut = self.quoted = False

    def add(self, data: bytes) -> None:
        room = RAW_BYTES - self.size
        if len(data) > room:
            self.cut, data = True, data[:room]
        if data:
            self.pieces.append(data)
            self.size += len(data)

    def taken(self, last: bytes) -> Item | None:
        """The message that ends with these bytes; None if there is nothing before the first message."""
        self.add(last)
        raw = b"".join(self.pieces)
        self.pieces, self.size = [], 0
        if not self.started and not raw.strip():
            return None
        problem = cut_short(self.cut)
        if not self.started:
            problem, raw = "the mbox does not start with a line 'From ...'", raw.lstrip()
        raw = unboxed(raw, self.quoted)
        item = Item(self.folder, f"{self.path}#{self.index}", raw, problem or ("" if raw else "the message is empty"))
        self.index, self.cut, self.quoted = self.index + 1, False, False
        return item


def unboxed(raw: bytes, quoted: bool) -> bytes:
    """A message of an mbox, without the blank line after it and without quoting."""
    if raw.endswith((b"\n\n", b"\r\n\r\n")):
        raw = raw[: -2 if raw.endswith(b"\r\n") else -1]
    return QUOTED.sub(rb"\1", raw) if quoted else raw
