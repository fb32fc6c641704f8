"""Pipes written to disk, for what must be read twice."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

_MAGIC = {
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\xff\xff\xff\xff": ".arrow",
    b"{": ".jsonl",
    b"[{": ".json",
    b"[\n": ".json",
}


def ending_of(begins: bytes) -> str:
    """The ending of the name of a file that begins with these bytes; empty where they do not show it, as in CSV."""
    return next((ending for magic, ending in _MAGIC.items() if begins.startswith(magic)), "")


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


@contextmanager
def spooled(pipe: _Readable, name: str) -> Iterator[Path]:
    """A file with all bytes of a pipe. Its name has the ending of its format, by which formats are recognised."""
    with tempfile.TemporaryDirectory(prefix="likely-") as place:
        path = Path(place, name)
        with path.open("wb") as file:
            shutil.copyfileobj(pipe, file)
        with path.open("rb") as file:
            begins = file.read(8)
        ending = ending_of(begins)
        yield path.rename(path.with_name(path.name + ending)) if ending else path
