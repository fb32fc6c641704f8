"""Tables whose cells are separated by any number of blanks, as statistics programs print them."""

import re
from collections.abc import Iterable

from likely.data.stream.raw import ByteStream

_CELL = re.compile(r'"[^"]*"|\S+')
_BETWEEN = re.compile(rb'("[^"\n]*")|[ \t]+')


def split_at_blanks(lines: Iterable[str]) -> list[list[str]]:
    return [_CELL.findall(line) for line in lines]


class TabSeparated:
    """The same bytes with one tab between cells, and no blanks at the ends of lines."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream, self.close, self.rest = stream, stream.close, b""

    def read(self, size: int) -> bytes:
        """Whole lines; empty only at the end."""
        while True:
            more = self.stream.read(size)
            data = self.rest + more
            end = data.rfind(b"\n") + 1 if more else len(data)
            self.rest = data[end:]
            if end or not more:
                return b"".join(_tabbed(line) for line in data[:end].splitlines(keepends=True))


def _tabbed(line: bytes) -> bytes:
    cells = line.strip()
    return _BETWEEN.sub(lambda found: found[1] or b"\t", cells) + (b"\n" if line.endswith(b"\n") else b"")
