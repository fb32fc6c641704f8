"""What DATA names: tables in files, folders of texts, or mail; read a batch at a time."""

import glob
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from likely.cli.options import Reading
from likely.data.dataset import Batch, Dataset, as_it_is
from likely.data.schema import Schema
from likely.data.stream import columns
from likely.data.stream.csv import CsvFile
from likely.data.stream.raw import compression_of, live
from likely.data.stream.spool import ending_of, spooled
from likely.errors import TableError

STDIN = "standard input"
TARGET = "class"
"""The column of classes where folders name them."""
BATCH = 8 << 20
TABLES = (".csv", ".tsv", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".jsonl", ".ndjson", ".xlsx", ".ods")


class Source(Protocol):
    """Batches of rows, from the beginning whenever it is asked for them."""

    kind: str

    def __iter__(self) -> Iterator[Batch]: ...

    def place(self, file: str, first: int, row: int = 0) -> str: ...


@contextmanager
def opened(
    data: Sequence[str],
    reading: Reading | None = None,
    kept: Sequence[str] = (),
    schema: Schema | None = None,
    once: bool = False,
) -> Iterator[Source]:
    """The source of these files and folders: for a new model, or for one with this schema. Standard input, `-`, and
    pipes are first written to disk where they may be needed twice; if they are needed `once`, rows of CSV are read as
    they arrive.
    """
    reading = reading or Reading()
    with ExitStack() as stack:
        if once and schema is not None and list(data) == ["-"] and (pipe := live(sys.stdin)) is not None:
            if ending_of(pipe.head) or compression_of(pipe.head):
                path = stack.enter_context(spooled(pipe, STDIN))
                yield _dataset([str(path)], reading, kept, schema)
                return
            encoding, delimiter = reading.encoding or schema.encoding, reading.delimiter or schema.delimiter
            yield Dataset(
                CsvFile(STDIN, encoding, delimiter, schema.header, schema.missing, pipe), schema=schema, strict=True
            )
            return
        paths = [path for name in data for path in _paths(name, stack)]
        folders = [path for path in paths if path.is_dir()]
        mail = [path for path in paths if is_mail(path)]
        if mail or folders:
            other = next((path for path in paths if path not in (mail or folders)), None)
            if other is not None:
                what = "mail" if mail else "folders of texts"
                raise ValueError(
                    f"{other} is not {what}, as {(mail or folders)[0]} is; give one kind of data at a time"
                )
        if mail:
            from likely.cli.mail_source import Mail

            yield Mail(mail)
        elif folders:
            yield Folders(folders)
        else:
            yield _dataset([str(path) for path in paths], reading, kept, schema)


def _dataset(paths: Sequence[str], reading: Reading, kept: Sequence[str], schema: Schema | None) -> Dataset:
    given = schema if reading.schema is None else Schema.load(reading.schema)
    return Dataset(
        *paths,
        schema=given,
        types=reading.column_types(),
        missing=reading.missing,
        not_missing=reading.not_missing,
        decimal=reading.decimal,
        thousands=reading.thousands,
        header=not reading.no_header,
        delimiter=reading.delimiter,
        encoding=reading.encoding,
        sheet=reading.sheet,
        query=reading.query,
        kept=kept,
        strict=schema is not None,
    )


def _paths(name: str, stack: ExitStack) -> list[Path]:
    path = Path(name)
    if name == "-" or path.is_fifo():
        pipe = sys.stdin.buffer if name == "-" else stack.enter_context(path.open("rb"))
        return [stack.enter_context(spooled(pipe, STDIN if name == "-" else path.name))]
    if path.exists():
        tables = sorted(file for file in path.iterdir() if _is_table(file)) if path.is_dir() else []
        return tables or [path]
    if "::" in name and Path(name.partition("::")[0]).is_file():  # a table of a database
        return [path]
    found = sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207 - of any root
    if not found:
        raise FileNotFoundError(2, "there is no such file", name)
    return found


def _is_table(file: Path) -> bool:
    return file.is_file() and any(suffix in TABLES for suffix in file.suffixes)


def is_mail(path: Path) -> bool:
    """An mbox, a Maildir, or a folder of these."""
    if not path.exists():  # a table of a database
        return False
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
        by_class: dict[str, list[Path]] = {}
        for folder in folders:
            for name, files in _by_class(folder).items():
                by_class.setdefault(name, []).extend(files)
        self.files = spread(by_class)
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
                table = _table(("file", "text", TARGET), rows)
                yield Batch(table, "", at + 1 - len(rows), partial(as_it_is, table))
                rows, size = [], 0

    def place(self, file: str, first: int, row: int = 0) -> str:
        return str(self.files[first + row][1])


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
        with placing(lambda row: source.place(batch.file, batch.first, row), batch.file):
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
