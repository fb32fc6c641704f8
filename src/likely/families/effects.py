"""What the cells and words of many rows add to the scores of the classes, an entry each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array
from likely.families.observations import Reason


@dataclass(frozen=True, eq=False)
class Effects:
    """An entry has a row, a title (a column, a word), what it adds to each class, and a value, asked for when shown."""

    rows: NDArray[np.intp]
    titles: list[Any]
    title: NDArray[np.intp]
    """Of each entry, a position among the titles."""
    adds: Array
    """Entries x classes."""
    value: Callable[[int], Any]
    """Of an entry, by its position."""

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
        """Entry by entry."""
        for at, title in enumerate(self.title.tolist()):
            yield Reason(self.titles[title], self.value(at), self.adds[at])

    def sums(self, rows: int) -> Array:
        """What all entries of each row add: rows x classes."""
        found = np.zeros((rows, self.adds.shape[1]))
        np.add.at(found, self.rows, self.adds)
        return found


def joined(parts: Sequence[Effects], titles: Sequence[Any] | None = None) -> Effects:
    """Row by row, in the order of the titles. Entries of one row and title are one, with the value of the first."""
    titles = list(dict.fromkeys(title for one in parts for title in one.titles)) if titles is None else list(titles)
    place = {title: at for at, title in enumerate(titles)}
    title = np.concatenate([np.array([place[t] for t in one.titles], np.intp)[one.title] for one in parts])
    key = np.concatenate([one.rows for one in parts]) * max(len(titles), 1) + title
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    adds = np.concatenate([one.adds for one in parts])[order]
    if len(first):
        adds = np.add.reduceat(adds, first, axis=0)
    ends, own = np.cumsum([len(one.rows) for one in parts]), order[first]

    def value(at: int) -> Any:
        entry = int(own[at])
        of = int(np.searchsorted(ends, entry, side="right"))
        return parts[of].value(entry - int(ends[of]) + len(parts[of].rows))

    return Effects(key[own] // max(len(titles), 1), titles, title[own], adds, value)


def first_seen(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Different numbers by their first occurrence, and the place of each number among them."""
    found, first, at = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return found[order], place[at]
