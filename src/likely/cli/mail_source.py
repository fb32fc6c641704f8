"""Reads mail as batches of rows: one row for each message, with its folder or mailbox as the class."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from likely.cli.labelled_places import LabelledPlaces
from likely.cli.sources import BATCH, TARGET
from likely.data.dataset import Batch, as_it_is
from likely.data.stream import columns
from likely.mail import Item, messages, parse, table

MESSAGES = 1000


class Mail(LabelledPlaces):
    kind = "mail"

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__([(_label(place), place) for path in paths for place in _places(path)])
        self.read: list[str] = []

    def __iter__(self) -> Iterator[Batch]:
        self.read = []
        waiting: list[tuple[str, Item]] = []
        size = 0
        for label, item in self._in_turn():
            waiting.append((label, item))
            size += len(item.raw)
            if size > BATCH or len(waiting) == MESSAGES:
                yield self._batch(waiting)
                waiting, size = [], 0
        if waiting:
            yield self._batch(waiting)
        if not self.read:
            raise ValueError(f"{', '.join(str(place) for _, place in self.places)}: there are no messages in it")

    def _batch(self, waiting: list[tuple[str, Item]]) -> Batch:
        first = len(self.read)
        found = [parse(item.raw) for _, item in waiting]
        self.read += [item.key for _, item in waiting]
        labels = [
            label if item.folder in ("", "INBOX", label.rpartition("/")[2]) else f"{label}/{item.folder}"
            for label, item in waiting
        ]
        made = table(found)
        columns_ = {name: made[name] for name in made.column_names}
        about = {"message": columns.texts(self.read[first:]), "subject": columns.texts(m.subject for m in found)}
        rows = pa.table({**about, **columns_, TARGET: columns.texts(labels)})
        return Batch(rows, "", first, partial(as_it_is, rows))

    def _in_turn(self) -> Iterator[tuple[str, Item]]:
        """One message from each place in turn, so that the first rows have all classes."""
        waiting = [(label, place, messages(place)) for label, place in self.places]
        while waiting:
            for source in list(waiting):
                label, place, items = source
                item = next(items, None)
                if item is None:
                    waiting.remove(source)
                elif item.raw:
                    yield label, item
                else:
                    self.unused[str((place if place.is_dir() else place.parent) / item.key)] = item.problem

    def place(self, file: str, first: int, row: int = 0) -> str:
        return f"message {self.read[first + row]}"


def _places(path: Path) -> list[Path]:
    """The mailboxes in a folder; or the path itself, if it is a mailbox."""
    if path.is_file() or (path / "cur").is_dir():
        return [path]
    inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    return [path] if any(entry.suffix == ".eml" for entry in inside) else inside


def _label(place: Path) -> str:
    """The name of a mailbox without a known file extension; `lists.python` and `lists.rust` stay as they are."""
    name = place.absolute().name
    if place.is_file():
        for ending in (".gz", ".bz2", ".zst", ".mbox", ".mbx", ".eml", ".tar"):
            name = name.removesuffix(ending) or name
    return name
