"""Reads folders of texts as batches of rows: one row for each file, with its folder as the class."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from likely.cli.labelled_places import LabelledPlaces
from likely.cli.sources import BATCH, TARGET
from likely.data.dataset import Batch, as_it_is
from likely.data.stream import columns, raw


class Folders(LabelledPlaces):
    """Texts in files: a folder for each class, or one folder of texts without classes."""

    kind = "texts"

    def __init__(self, folders: Sequence[Path]) -> None:
        places, loose = [], list[Path]()
        for folder in folders:
            inside = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".")]
            classes = [entry for entry in inside if entry.is_dir()]
            places += [(entry.absolute().name, entry) for entry in classes or [folder]]
            loose += [entry for entry in inside if classes and not entry.is_dir()]
        super().__init__(places)
        self.unused = dict.fromkeys(map(str, loose), "not in a folder of texts")
        self.files = {place: _files(place) for _, place in places}
        self.read: list[Path] = []
        if not any(self.files.values()):
            raise ValueError(f"{', '.join(map(str, folders))}: there are no texts in it")

    def __iter__(self) -> Iterator[Batch]:
        self.read = []
        rows: list[tuple[str, str, str]] = []
        size = 0
        for label, file in self._in_turn():
            text = _decoded(file.read_bytes())
            if text is None:
                self.unused[str(file)] = "no text"
                continue
            rows.append((str(file), text, label))
            size += len(text)
            if size > BATCH:
                yield self._batch(rows)
                rows, size = [], 0
        if rows:
            yield self._batch(rows)
        if not self.read:
            raise ValueError(f"{', '.join(self.unused)}: there are no texts in it")

    def _in_turn(self) -> list[tuple[str, Path]]:
        by_class: dict[str, list[Path]] = {}
        for label, place in self.places:
            by_class.setdefault(label, []).extend(self.files[place])
        return spread(by_class)

    def _batch(self, rows: list[tuple[str, str, str]]) -> Batch:
        first = len(self.read)
        self.read += [Path(file) for file, _, _ in rows]
        cells = dict(zip(("file", "text", TARGET), map(columns.texts, zip(*rows, strict=True)), strict=True))
        table = pa.table(cells)
        return Batch(table, "", first, partial(as_it_is, table))

    def place(self, file: str, first: int, row: int = 0) -> str:
        return str(self.read[first + row])


def _files(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )


def spread(by_class: dict[str, list[Any]]) -> list[tuple[str, Any]]:
    """All items, each with its class, in an order in which every stretch has about the same shares of the classes."""
    placed = [
        ((at + 0.5) / len(things), label, thing)
        for label, things in by_class.items()
        for at, thing in enumerate(things)
    ]
    return [(label, thing) for _, label, thing in sorted(placed, key=lambda place: place[:2])]


def _decoded(data: bytes) -> str | None:
    """The text of a file; None if it is no text, but for example an image."""
    try:
        text = raw.decoder(raw.encoding_of(data))(data, True)
    except UnicodeDecodeError:
        text = raw.decoder("cp1252")(data, True)
    return None if "\0" in text else text.removeprefix("\ufeff")
