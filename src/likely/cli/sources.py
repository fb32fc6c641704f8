"""Opens DATA: tables in files, folders of texts, or mail. They are read a batch at a time."""

import glob
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path, PurePath
from typing import Protocol

from likely.cli import output
from likely.cli.labelled_places import not_used
from likely.cli.options import Reading
from likely.data.dataset import Batch, Dataset
from likely.data.schema import Schema
from likely.data.stream import raw
from likely.data.stream.csv import CsvFile
from likely.data.stream.places import is_folder, is_table, is_url, splits, tables_in
from likely.data.stream.raw import compression_of, live
from likely.data.stream.spool import ending_of, spooled
from likely.errors import TableError

STDIN = "standard input"
TARGET = "class"
"""The column with the classes, if folders name them."""
BATCH = 8 << 20


class Source(Protocol):
    """Batches of rows; each iteration starts again from the first."""

    kind: str

    def __iter__(self) -> Iterator[Batch]: ...

    def place(self, file: str, first: int, row: int = 0) -> str: ...

    def notes(self) -> list[str]:
        """Sentences on data that were not used; complete after all batches are read."""


@contextmanager
def opened(
    data: Sequence[str],
    reading: Reading | None = None,
    kept: Sequence[str] = (),
    schema: Schema | None = None,
    once: bool = False,
) -> Iterator[Source]:
    """The source of these files and folders, for a new model, or for a model with this schema.

    Standard input, `-`, and pipes are first written to disk, because they may be read twice. If they are read only
    `once`, rows of CSV are read as they arrive.
    """
    reading, notes = reading or Reading(), list[str]()
    pipe = live(sys.stdin) if once and schema is not None and list(data) == ["-"] else None
    with ExitStack() as stack:
        if pipe is None or schema is None:
            names = [found for name in data for found in _names(name, stack, notes)]
            source = _mail(names) or _folders(names) or _dataset(names, reading, kept, schema)
        elif ending_of(pipe.head) or compression_of(pipe.head):
            source = _dataset([str(stack.enter_context(spooled(pipe, STDIN)))], reading, kept, schema)
        else:
            encoding, delimiter = reading.encoding or schema.encoding, reading.delimiter or schema.delimiter
            file = CsvFile(STDIN, encoding, delimiter, schema.header, schema.missing, pipe)
            source = Dataset(file, schema=schema, strict=True)
        yield source
        for note in (*notes, *source.notes()):
            output.note(note)


def _mail(names: Sequence[str]) -> Source | None:
    found = [name for name in names if is_mail(Path(name))]
    if not found:
        return None
    from likely.cli.mail_source import Mail

    _all_of_one_kind(names, found, "mail")
    return Mail([Path(name) for name in found])


def _folders(names: Sequence[str]) -> Source | None:
    found = [name for name in names if Path(name).is_dir()]
    if not found:
        return None
    from likely.cli.text_source import Folders

    _all_of_one_kind(names, found, "a folder of texts")
    return Folders([Path(name) for name in found])


def _all_of_one_kind(names: Sequence[str], found: Sequence[str], what: str) -> None:
    other = next((name for name in names if name not in found), None)
    if other is not None:
        raise ValueError(f"{found[0]} is {what}, and {other} is not; use one kind of data at a time")


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


def _names(name: str, stack: ExitStack, notes: list[str]) -> list[str]:
    """The files, folders and URLs that an argument names; for a folder of tables, its tables."""
    path = Path(name)
    if is_url(name):
        return _tables(name, notes) or [name] if is_folder(name) else [name]
    if name == "-" or path.is_fifo():
        pipe = sys.stdin.buffer if name == "-" else stack.enter_context(path.open("rb"))
        return [str(stack.enter_context(spooled(pipe, STDIN if name == "-" else path.name)))]
    if path.is_dir():
        return _tables(name, notes) or [name]
    if path.exists() or ("::" in name and Path(name.partition("::")[0]).is_file()):  # a table of a database
        return [name]
    found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - of any root
    if not found:
        raise FileNotFoundError(2, "there is no such file", name)
    return found


def _tables(folder: str, notes: list[str]) -> list[str]:
    """The tables in a folder. Files that are not used are added to `notes`. Empty if the folder itself has no table and
    its subfolders have no Parquet or Arrow files: then it may be a folder of texts."""
    tables, others = tables_in(folder)
    if not any(
        PurePath(table).parent == PurePath(folder) or table.endswith((".parquet", ".arrow")) for table in tables
    ):
        return []
    notes += not_used(dict.fromkeys(others, "no table"))
    parts = splits(tables)
    if len(parts) > 1:
        notes.append(f"{folder} has files named {', '.join(parts)}: all are read. Name files to read some of them.")
    return tables


def is_mail(path: Path) -> bool:
    """Whether a path is an mbox (maybe compressed), a Maildir, or a folder of these."""
    if path.is_file():
        if path.suffix in (".eml", ".mbox", ".mbx"):
            return True
        return not is_table(path.name) and _begins(path) == b"From "
    if not path.is_dir():
        return False
    inside = list(path.iterdir())
    if any(entry.name == "cur" and entry.is_dir() for entry in inside):
        return True
    return any(is_mail(entry) if entry.is_file() else (entry / "cur").is_dir() for entry in inside)


def _begins(path: Path) -> bytes:
    with closing(raw.opened(str(path))) as stream:
        return stream.read(5)


@contextmanager
def naming(source: Source, batch: Batch) -> Iterator[None]:
    """Adds the place in the file to an error about a row of the batch, and the name of the file to other errors."""
    try:
        with placing(lambda row: source.place(batch.file, batch.first, batch.after_first(row)), batch.file):
            yield
    except TableError:
        raise
    except ValueError as error:
        raise ValueError(f"{batch.file}: {error}" if batch.file else str(error)) from None


@contextmanager
def placing(place: Callable[[int], str], file: str = "") -> Iterator[None]:
    """Adds the place of its row to an error, or the file if the error has no row."""
    try:
        yield
    except TableError as error:
        error.place = error.place or (file if error.row is None else place(error.row))
        raise
