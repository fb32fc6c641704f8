"""What the cells and words of many rows add to the scores of the classes, one entry for each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array
from likely.families.observations import Reason


@dataclass(frozen=True, eq=False)
class Effects:
    """An entry has a row, a title (a column or a word), what it adds to each class, and a value, which is computed only
    when it is shown."""

    rows: NDArray[np.intp]
    titles: list[Any]
    title: NDArray[np.intp]
    """The position of each entry's title in `titles`."""
    adds: Array
    """Entries x classes."""
    value: Callable[[int], Any]
    """The value of an entry, by its position."""

    @classmethod
    def of_cells(cls, parts: Array, titles: Sequence[Any], value: Callable[[int, int], Any]) -> Self:
        """One entry for each cell: parts are rows x classes x columns, values by row and column."""
        rows, classes, columns = parts.shape
        adds = np.ascontiguousarray(np.swapaxes(parts, 1, 2)).reshape(rows * columns, classes)
        row, title = np.divmod(np.arange(rows * columns), max(columns, 1))
        return cls(row, list(titles), title, adds, lambda at: value(int(row[at]), int(title[at])))

    def some(self, entries: NDArray[np.intp]) -> Self:
        """These entries only."""
        value = self.value
        return type(self)(
            self.rows[entries],
            self.titles,
            self.title[entries],
            self.adds[entries],
            lambda at: value(int(entries[at])),
        )

    def reasons(self) -> Iterator[Reason]:
        """One reason for each entry."""
        for at, title in enumerate(self.title.tolist()):
            yield Reason(self.titles[title], self.value(at), self.adds[at])

    def sums(self, rows: int) -> Array:
        """The sum of the entries of each row: rows x classes."""
        sums = np.zeros((rows, self.adds.shape[1]))
        np.add.at(sums, self.rows, self.adds)
        return sums


def joined(parts: Sequence[Effects], titles: Sequence[Any] | None = None) -> Effects:
    """The entries of all parts, sorted by row and then by title. Entries with the same row and title are added, and
    have the value of the first."""
    titles = list(dict.fromkeys(title for part in parts for title in part.titles)) if titles is None else list(titles)
    place = {title: at for at, title in enumerate(titles)}
    title = np.concatenate([np.array([place[t] for t in part.titles], np.intp)[part.title] for part in parts])
    key = np.concatenate([part.rows for part in parts]) * max(len(titles), 1) + title
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    adds = np.concatenate([part.adds for part in parts])[order]
    if len(first):
        adds = np.add.reduceat(adds, first, axis=0)
    ends, own = np.cumsum([len(part.rows) for part in parts]), order[first]

    def value(at: int) -> Any:
        entry = int(own[at])
        of = int(np.searchsorted(ends, entry, side="right"))
        return parts[of].value(entry - int(ends[of]) + len(parts[of].rows))

    return Effects(key[own] // max(len(titles), 1), titles, title[own], adds, value)


def first_seen(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The different numbers in the order of their first occurrence, and the position of each number among them."""
    different, first, at = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return different[order], place[at]
