"""What DATA names: tables in files, folders of texts, or mail; read a batch at a time."""

import glob
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from likely.data.stream import Batch, Stream, columns
from likely.errors import TableError

TARGET = "class"
"""The column of classes where folders name them."""
BATCH = 8 << 20
TABLES = (".csv", ".tsv", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".jsonl", ".ndjson")


class Source(Protocol):
    """Batches of rows, from the beginning whenever it is asked for them."""

    kind: str

    def __iter__(self) -> Iterator[Batch]: ...

    def place(self, file: str, row: int) -> str: ...


class Tables(Stream):
    kind = "table"


@contextmanager
def opened(
    data: Sequence[str], missing: str | None = None, encoding: str | None = None, as_text: bool = False
) -> Iterator[Source]:
    """The source of these files and folders. Standard input, `-`, and pipes are first written to disk: they may be
    needed twice.
    """
    with tempfile.TemporaryDirectory(prefix="likely-") as place:
        paths = [path for name in data for path in _paths(name, Path(place))]
        folders = [path for path in paths if path.is_dir()]
        if any(is_mail(path) for path in paths):
            from likely.cli.mail_source import Mail

            yield Mail(paths)
        elif folders:
            yield Folders(folders)
        else:
            yield Tables([str(path) for path in paths], [] if missing is None else [missing], encoding, as_text)


def _paths(name: str, place: Path) -> list[Path]:
    path = Path(name)
    if name == "-" or path.is_fifo():
        spooled = place / ("standard input" if name == "-" else path.name)
        with spooled.open("wb") as file, sys.stdin.buffer if name == "-" else path.open("rb") as pipe:
            shutil.copyfileobj(pipe, file)
        return [_named(spooled)]
    if path.exists():
        tables = sorted(file for file in path.iterdir() if _is_table(file)) if path.is_dir() else []
        return tables or [path]
    found = sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207 - of any root
    if not found:
        raise FileNotFoundError(2, "there is no such file", name)
    return found


def _is_table(file: Path) -> bool:
    return file.is_file() and any(suffix in TABLES for suffix in file.suffixes)


_MAGIC = {
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\xff\xff\xff\xff": ".arrow",
    b"{": ".jsonl",
    b"\x1f\x8b": ".csv.gz",
    b"\x28\xb5\x2f\xfd": ".csv.zst",
}


def _named(spooled: Path) -> Path:
    """With the ending of its format, by which formats are recognised."""
    with spooled.open("rb") as file:
        begins = file.read(8)
    ending = next((ending for magic, ending in _MAGIC.items() if begins.startswith(magic)), "")
    return spooled.rename(spooled.with_name(spooled.name + ending)) if ending else spooled


def is_mail(path: Path) -> bool:
    """An mbox, a Maildir, or a folder of these."""
    if path.is_file():
        if path.suffix in (".eml", ".mbox", ".mbx"):
            return True
        with path.open("rb") as file:
            return not _is_table(path) and file.read(5) == b"From "
    inside = list(path.iterdir())
    if any(entry.name == "cur" and entry.is_dir() for entry in inside):
        return True
    return any(is_mail(entry) if entry.is_file() else (entry / "cur").is_dir() for entry in inside)


class Folders:
    """Texts in files: a folder for each class, or one folder of texts without any."""

    kind = "texts"

    def __init__(self, folders: Sequence[Path]) -> None:
        self.files = spread({name: files for folder in folders for name, files in _by_class(folder).items()})
        if not self.files:
            raise ValueError(f"{', '.join(map(str, folders))}: there is no text in it")

    def __iter__(self) -> Iterator[Batch]:
        rows: list[tuple[str, str, str]] = []
        size = 0
        for at, (label, file) in enumerate(self.files):
            text = _decoded(file.read_bytes())
            rows.append((str(file), text, label))
            size += len(text)
            if size > BATCH or at + 1 == len(self.files):
                yield Batch(_table(("file", "text", TARGET), rows), "", at + 1 - len(rows))
                rows, size = [], 0

    def place(self, file: str, row: int) -> str:
        return str(self.files[row][1])


def _by_class(folder: Path) -> dict[str, list[Path]]:
    inside = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    found = {entry.name: _files(entry) for entry in inside if entry.is_dir()}
    return found or {folder.name: [entry for entry in inside if entry.is_file()]}


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("[!.]*") if file.is_file())


def spread(by_class: dict[str, list[Any]]) -> list[tuple[str, Any]]:
    """Each with its class, so that any stretch has about the share of each class that all have."""
    placed = [
        ((at + 0.5) / len(things), label, thing)
        for label, things in by_class.items()
        for at, thing in enumerate(things)
    ]
    return [(label, thing) for _, label, thing in sorted(placed, key=lambda place: place[:2])]


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> pa.Table:
    return pa.table({name: columns.texts(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)})


@contextmanager
def naming(source: Source, batch: Batch) -> Iterator[None]:
    """Fills in where in the file an error at a row of the batch is; other errors name the file."""
    try:
        with placing(lambda row: source.place(batch.file, batch.first + row), batch.file):
            yield
    except TableError:
        raise
    except ValueError as error:
        raise ValueError(f"{batch.file}: {error}" if batch.file else str(error)) from None


@contextmanager
def placing(place: Callable[[int], str], file: str = "") -> Iterator[None]:
    """Fills in the place of an error's row; without a row, the file."""
    try:
        yield
    except TableError as error:
        error.place = error.place or (file if error.row is None else place(error.row))
        raise
