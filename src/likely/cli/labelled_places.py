"""Folders and mailboxes whose names are classes."""

from collections.abc import Collection, Sequence
from os.path import commonpath
from pathlib import Path

SHOWN = 5


class LabelledPlaces:
    """Places whose names are classes. Places with the same name are one class. If all have the same name, such as
    `ann/inbox.mbox` and `bob/inbox.mbox`, their paths are the classes."""

    def __init__(self, places: Sequence[tuple[str, Path]]) -> None:
        self._named = list(places)
        self.places = _by_path(places) if len({name for name, _ in places}) == 1 else self._named
        self.unused: dict[str, str] = {}
        """Files that were not read as rows, each with the reason."""

    def match(self, classes: Collection[object]) -> None:
        """Uses the classes of an existing model: the names of the places, unless the model knows their paths."""
        if not any(label in classes for label, _ in self.places):
            self.places = self._named

    def notes(self) -> list[str]:
        return not_used(self.unused)


def _by_path(places: Sequence[tuple[str, Path]]) -> list[tuple[str, Path]]:
    folders = [place.absolute().parent for _, place in places]
    shared = commonpath(folders)
    return [
        ((folder.relative_to(shared) / name).as_posix(), place)
        for folder, (name, place) in zip(folders, places, strict=True)
    ]


def not_used(files: dict[str, str]) -> list[str]:
    """A sentence that names the first of these files, each with the reason; empty if there are none."""
    if not files:
        return []
    named = [f"{file} ({why})" for file, why in list(files.items())[:SHOWN]]
    more = f" and {len(files) - SHOWN:,} more" if len(files) > SHOWN else ""
    return [f"Not used: {', '.join(named)}{more}."]
