"""For each folder: how often recent guesses of it were right, and how long ago it last got a message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FADING = 0.9
"""The counts of a folder are multiplied by this at each new guess of it: people start folders, use them, and abandon
them. `python -m bench filing --only confidence` compares it with a record that never fades, and with none."""


class Standing(NamedTuple):
    """The records of the guessed folders, each as it was before the guess."""

    record: Array
    """The log-odds that recent guesses of the folder were right, with a pseudo-count of 1: log((right + 1) / (wrong +
    1))."""
    idle: Array
    """How many messages came since the folder last got one."""


class FolderRecord(NamedTuple):
    right: float = 0.0
    wrong: float = 0.0
    last: float = -1.0
    """The number of the last message that you put there; -1 for none."""


@dataclass(frozen=True)
class FolderRecords:
    """Immutable: `following` returns a new one. Folders are names or codes."""

    messages: int = 0
    each: Mapping[Any, FolderRecord] = field(default_factory=dict)

    def of(self, folders: Sequence[Any]) -> Standing:
        """The current standing of these folders."""
        records = [self.each.get(folder, FolderRecord()) for folder in folders]
        return _standing(self.messages, np.array(records, float).reshape(-1, 3))

    def following(self, named: Sequence[Any], put: Sequence[Any], right: NDArray[np.bool]) -> tuple[Standing, Self]:
        """The standing before each of the next messages, and the records after all of them. `named` is the guessed
        folder of each message, `put` the folder you put it into, and `right` whether the guess was right."""
        each, before = dict(self.each), np.empty((len(named), 3))
        for at, (guess, true, good) in enumerate(zip(named, put, right.tolist(), strict=True)):
            before[at] = was = each.get(guess, FolderRecord())
            each[guess] = FolderRecord(FADING * was.right + good, FADING * was.wrong + (not good), was.last)
            each[true] = each.get(true, FolderRecord())._replace(last=self.messages + at)
        numbers = np.arange(self.messages, self.messages + len(before))
        return _standing(numbers, before), type(self)(self.messages + len(before), each)

    def renamed(self, names: Sequence[str]) -> Self:
        """The records with `names[code]` in place of each code. The record of code -1, no guess, is dropped."""
        return type(self)(self.messages, {names[code]: record for code, record in self.each.items() if code >= 0})


def _standing(messages: Any, records: Array) -> Standing:
    """The standing of records, one per row: right, wrong, last."""
    right, wrong, last = records.T
    return Standing(np.log((right + 1) / (wrong + 1)), messages - 1 - last)
