"""Mail as batches of rows: one for each message, its folder or mailbox being its class."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from likely.cli.sources import BATCH, TARGET
from likely.data.dataset import Batch, as_it_is
from likely.data.stream import columns
from likely.mail import Item, messages, parse, table

MESSAGES = 1000


class Mail:
    kind = "mail"

    def __init__(self, paths: Sequence[Path]) -> None:
        self.places = {label: place for path in paths for label, place in _places(path).items()}
        self.read: list[str] = []

    def __iter__(self) -> Iterator[Batch]:
        self.read = []
        waiting: list[tuple[str, Item]] = []
        size = 0
        for label, item in _in_turn(self.places):
            waiting.append((label, item))
            size += len(item.raw)
            if size > BATCH or len(waiting) == MESSAGES:
                yield self._batch(waiting)
                waiting, size = [], 0
        if waiting:
            yield self._batch(waiting)
        if not self.read:
            raise ValueError(f"{', '.join(map(str, self.places.values()))}: there is no message in it")

    def _batch(self, waiting: list[tuple[str, Item]]) -> Batch:
        first = len(self.read)
        found = [parse(item.raw) for _, item in waiting]
        self.read += [item.key for _, item in waiting]
        labels = [label if item.folder in ("", "INBOX", label) else f"{label}/{item.folder}" for label, item in waiting]
        made = table(found)
        columns_ = {name: made[name] for name in made.column_names}
        about = {"message": columns.texts(self.read[first:]), "subject": columns.texts(m.subject for m in found)}
        rows = pa.table({**about, **columns_, TARGET: columns.texts(labels)})
        return Batch(rows, "", first, partial(as_it_is, rows))

    def place(self, file: str, first: int, row: int = 0) -> str:
        return f"message {self.read[first + row]}"


def _places(path: Path) -> dict[str, Path]:
    """Each mailbox with its class: the folders and files of a folder, or itself."""
    if path.is_file() or (path / "cur").is_dir():
        return {path.name.removesuffix(path.suffix) if path.is_file() else path.name: path}
    inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
    if any(entry.suffix == ".eml" for entry in inside):
        return {path.name: path}
    return {entry.name.removesuffix(entry.suffix) if entry.is_file() else entry.name: entry for entry in inside}


def _in_turn(places: dict[str, Path]) -> Iterator[tuple[str, Item]]:
    """A message of each place, then another of each: so that the first are of all classes."""
    waiting = {label: messages(place) for label, place in places.items()}
    while waiting:
        for label in list(waiting):
            item = next(waiting[label], None)
            if item is None:
                del waiting[label]
            elif not item.problem or item.raw:
                yield label, item
