"""The bytes of a file as UTF-8, a block at a time, whatever its compression and encoding."""

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pyarrow as pa

from likely.data.stream import places

BLOCK = 2 << 20
"""Bytes read at a time. With 8 MB `likely fit` of a CSV of 170 MB takes as long, and 416 MB, not 272."""

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bz2", b"\x04\x22\x4d\x18": "lz4"}


class ByteStream(Protocol):
    def read(self, size: int) -> bytes: ...

    def close(self) -> None: ...


def compression(path: str) -> str | None:
    """By how the file begins, whatever its name."""
    with places.opened(path) as file:
        return compression_of(file.read(4))


def compression_of(begins: bytes) -> str | None:
    return next((name for magic, name in _COMPRESSED.items() if begins.startswith(magic)), None)


def opened(path: str) -> ByteStream:
    """The bytes of a file, decompressed."""
    how = compression(path)
    file = places.opened(path)
    return _Reporting(pa.CompressedInputStream(file, how) if how else file, path)


class _Reporting:
    """A stream whose errors name the file."""

    def __init__(self, stream: Any, path: str) -> None:
        self.stream, self.path, self.close = stream, path, stream.close

    def read(self, size: int) -> bytes:
        try:
            return bytes(self.stream.read(size))
        except OSError as error:
            raise ValueError(f"{self.path} is damaged or cut short: {error}") from None


class Pipe:
    """Standard input or a pipe. It returns what has arrived, and does not wait for more."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.head = os.read(descriptor, BLOCK)
        """What arrived first, which `read` returns too."""

    def read(self, size: int = BLOCK) -> bytes:
        head, self.head = self.head[:size], self.head[size:]
        return head or os.read(self.descriptor, size)

    def close(self) -> None:
        """It is not ours."""


def live(stream: Any) -> Pipe | None:
    """The pipe through which rows arrive; None for a file, which has them all."""
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError):
        return None
    return None if stat.S_ISREG(os.fstat(descriptor).st_mode) else Pipe(descriptor)


def encoding_of(head: bytes) -> str:
    """The encoding of a file that begins with these bytes: UTF-8 or UTF-16, or cp1252 if it is neither."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return encoding
    for start, encoding in ((0, "utf-16-be"), (1, "utf-16-le")):
        if len(head) > 1 and not any(head[start:200:2]):
            return encoding
    return "utf-8" if _is_utf8(head) else "cp1252"


def _is_utf8(head: bytes) -> bool:
    """Whether it is UTF-8. Its last character may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Reads bytes that are not of the encoding as those of Windows, where almost all of them come from."""
    assert isinstance(error, UnicodeDecodeError)
    bad = error.object[error.start : error.end]
    return "".join(_cp1252(byte) for byte in bad), error.end


def _cp1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


codecs.register_error("likely-cp1252", _as_cp1252)


def decoder(encoding: str) -> Callable[[bytes, bool], str]:
    """An incremental decoder. It is strict, except that in cp1252 every byte is a character."""
    try:
        how = codecs.lookup(encoding).incrementaldecoder
        if how is None:
            raise LookupError
    except (LookupError, ValueError):
        raise ValueError(f"there is no encoding {encoding!r}") from None
    return how("likely-cp1252" if codecs.lookup(encoding).name == "cp1252" else "strict").decode


def repaired(data: bytes) -> bytes:
    """UTF-8, with each byte that is not of it read as cp1252."""
    return data.decode("utf-8", "likely-cp1252").encode()


class Utf8:
    """A stream as UTF-8, whatever its encoding; without a byte order mark."""

    def __init__(self, stream: ByteStream, path: str, encoding: str) -> None:
        self.stream, self.path, self.encoding, self.close = stream, path, encoding, stream.close
        self.decode = None if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig") else decoder(encoding)
        self.begun, self.ended, self.first = False, False, b""

    def read(self, size: int) -> bytes:
        """Empty only at the end."""
        while not self.ended:
            data = self.stream.read(size)
            self.ended = not data
            if self.decode is not None:
                try:
                    data = self.decode(data, self.ended).encode("utf-8", "replace")
                except UnicodeDecodeError as error:
                    byte = error.object[error.start]
                    raise ValueError(
                        f"{self.path} is not in {self.encoding}: byte {byte:#04x} stands for nothing; name its encoding"
                    ) from None
            if not self.begun:
                data = self.first + data
                if codecs.BOM_UTF8.startswith(data) and not self.ended:  # a pipe may hand it over byte by byte
                    self.first = data
                    continue
                self.begun = True
                data = data.removeprefix(codecs.BOM_UTF8)
            if data:
                return data
        return b""


def row_end(data: bytes, delimiter: bytes, newline: bytes) -> int:
    """Where the last whole row of CSV ends, 0 if none does. A quote opens a cell only at its start."""
    if b'"' not in data:
        return data.rfind(newline) + 1
    import numpy as np

    cells = np.frombuffer(data, np.uint8)
    quotes, ends = np.flatnonzero(cells == ord('"')), np.flatnonzero(cells == newline[0])
    opening = quotes[::2]
    before = cells[np.maximum(opening - 1, 0)]
    regular = (opening == 0) | np.isin(before, np.frombuffer(delimiter + b'\r\n"', np.uint8))
    if regular.all():
        outside = ends[np.searchsorted(quotes, ends) % 2 == 0]
    else:
        spans = list(_spans(data, delimiter))
        starts, stops = (np.array(side, np.int64) for side in zip(*spans, strict=True)) if spans else (ends[:0],) * 2
        at = np.searchsorted(starts, ends) - 1
        outside = ends[(at < 0) | (ends >= stops[np.maximum(at, 0)])] if len(starts) else ends
    return int(outside[-1]) + 1 if len(outside) else 0


def _spans(data: bytes, delimiter: bytes) -> Iterator[tuple[int, int]]:
    """Quoted cells, one after another."""
    before = b"[" + re.escape(delimiter) + rb"\r\n]"
    return (found.span() for found in re.finditer(rb"(?:(?<=" + before + rb')|\A)"(?:[^"]|"")*(?:"|\Z)', data))


def may_have_leading_zero(data: bytes) -> bool:
    """Whether a number may be written with a zero before it, as 007 and -01. A regular expression takes four times
    as long."""
    import numpy as np

    cells = np.frombuffer(b",," + data, np.uint8)
    zeros = np.flatnonzero((cells[2:-1] == ord("0")) & (cells[3:] - ord("0") < 10)) + 2
    inner = np.zeros(256, bool)
    inner[np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.:/-", np.uint8)] = True
    before, signed = cells[zeros - 1], cells[zeros - 1] == ord("-")
    return bool((~inner[np.where(signed, cells[zeros - 2], before)]).any())
