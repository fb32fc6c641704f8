"""Reads tar archives as streams: one member after another, with nothing written to disk and bounded memory.

Python's tarfile is not used because it keeps the header of every member, and reads an extended header of any length
into memory, even of a gigabyte. In Python 3.11, a negative length makes it loop forever (CVE-2025-8194).
"""

import bz2
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeAlias

Stream: TypeAlias = "io.BufferedReader[Any]"

BLOCK = 512
NAME_BYTES = 2**16
"""How many bytes are read of a member's extended header, which holds a long name. File systems allow paths of 4 KiB."""

DAMAGE = (OSError, EOFError, zlib.error)
"""The errors that the readers of compressed files, and `members`, raise for damaged or truncated files."""

FILES = b"0\x007"
OTHERS = {b"1": "a hard link", b"2": "a symbolic link", b"3": "a device", b"4": "a device", b"6": "a pipe"}


def unpacked(stream: Stream) -> Stream:
    """The decompressed content of a file. Its first bytes show whether it is compressed by gzip or bzip2."""
    start = stream.peek(4)
    if start.startswith(b"\x1f\x8b"):
        return io.BufferedReader(gzip.GzipFile(fileobj=stream))
    if start.startswith(b"BZh"):
        return io.BufferedReader(bz2.BZ2File(stream))
    return stream


def is_tar(start: bytes) -> bool:
    """Whether the first block of a file is the header of a tar member, with a correct checksum."""
    if len(start) < BLOCK or not start[0]:
        return False
    try:
        return _number(start[148:156]) == sum(start[:148]) + 8 * 32 + sum(start[156:BLOCK])
    except OSError:
        return False


class Member(io.RawIOBase):
    """The bytes of one member. Read them before you ask for the next member."""

    def __init__(self, stream: BinaryIO, name: str, size: int, problem: str) -> None:
        super().__init__()
        self.name, self.problem = name, problem
        self._stream, self._left, self._padding = stream, size, -size % BLOCK

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        data = self._stream.read(min(len(buffer), self._left))
        if not data and self._left and len(buffer):
            raise EOFError("the archive is cut short")
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)

    def skip(self) -> None:
        """Skips the bytes that have not been read."""
        self._left += self._padding
        self._padding = 0
        while self._left:
            self.readinto(bytearray(min(self._left, NAME_BYTES)))


def members(stream: BinaryIO) -> Iterator[Member]:
    """The files in an archive. A link or a device is returned as an empty file with a problem; folders are skipped."""
    name, size = "", -1
    while block := stream.read(BLOCK):
        if not any(block):
            return
        if not is_tar(block):
            raise OSError("the archive is damaged: a header has a wrong checksum, or is cut short")
        kind = block[156:157]
        length = _number(block[124:136])
        if kind in (b"L", b"x"):
            member = Member(stream, "", length, "")
            data = member.read(NAME_BYTES) or b""
            member.skip()
            if kind == b"L":
                name = _text(data)
            else:
                name, size = _extended(data, name, size)
            continue
        if kind in (b"g", b"K"):
            Member(stream, "", length, "").skip()
            continue
        name = name or _path(block)
        length = length if size < 0 else size
        if kind in FILES and not name.endswith("/"):
            member = Member(stream, name, length, "")
            yield member
            member.skip()
        else:
            if kind != b"5" and kind not in FILES:
                what = OTHERS.get(kind, f"of kind {kind!r}")
                yield Member(stream, name, 0, f"{what} in an archive is not followed")
            # Links and devices have no bytes, whatever they claim.
            if kind not in b"123456":
                Member(stream, "", length, "").skip()
        name, size = "", -1


def _path(block: bytes) -> str:
    name, prefix = _text(block[:100]), _text(block[345:500])
    return f"{prefix}/{name}" if prefix and block[257:263] == b"ustar\x00" else name


def _text(data: bytes) -> str:
    return data.partition(b"\x00")[0].decode("utf-8", "replace")


def _number(field: bytes) -> int:
    """A number in octal, or in base 256 if its first byte is 0x80."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    try:
        number = int(field.strip(b"\x00 ") or b"0", 8)
    except ValueError:
        number = -1
    if number < 0:
        raise OSError(f"the archive is damaged: a header has {field!r} for a number")
    return number


def _extended(data: bytes, name: str, size: int) -> tuple[str, int]:
    """The name and size in an extended header: lines of "length key=value"."""
    at = 0
    while at < len(data):
        length, _, _ = data[at : at + 20].partition(b" ")
        if not length.isdigit() or not int(length):
            break
        key, _, value = data[at + len(length) + 1 : at + int(length) - 1].partition(b"=")
        if key == b"path":
            name = _text(value)
        elif key == b"size" and value.isdigit() and len(value) < 20:
            size = int(value)
        at += int(length)
    return name, size
