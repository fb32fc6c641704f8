"""How guesses of each folder turned out lately, and how long ago it last got a message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FADING = 0.9
"""What is left of a folder's record after each further guess of it: people start folders, use them, and abandon them.
`python -m bench filing --only confidence` compares it with a record that never fades, and with none."""


class Standing(NamedTuple):
    """Of the folders of some guesses, before each was made."""

    record: Array
    """The log odds that guesses of the folder were right lately, with one right and one wrong more."""
    idle: Array
    """How many messages came since the folder last got one."""


class FolderRecord(NamedTuple):
    right: float = 0.0
    wrong: float = 0.0
    last: float = -1.0
    """The number of the last message that you put there; -1 for none."""


@dataclass(frozen=True)
class FolderRecords:
    """A value: what follows gives another. Folders are names or codes."""

    messages: int = 0
    each: Mapping[Any, FolderRecord] = field(default_factory=dict)

    def of(self, folders: Sequence[Any]) -> Standing:
        """As they stand now."""
        found = [self.each.get(folder, FolderRecord()) for folder in folders]
        return _standing(self.messages, np.array(found, float).reshape(-1, 3))

    def following(self, named: Sequence[Any], put: Sequence[Any], right: NDArray[np.bool]) -> tuple[Standing, Self]:
        """Of messages in turn the folder that was guessed, the one you put it into, and whether the guess was right;
        and the records after them."""
        each, found = dict(self.each), np.empty((len(named), 3))
        for at, (guess, own, good) in enumerate(zip(named, put, right.tolist(), strict=True)):
            found[at] = was = each.get(guess, FolderRecord())
            each[guess] = FolderRecord(FADING * was.right + good, FADING * was.wrong + (not good), was.last)
            each[own] = each.get(own, FolderRecord())._replace(last=self.messages + at)
        numbers = np.arange(self.messages, self.messages + len(found))
        return _standing(numbers, found), type(self)(self.messages + len(found), each)

    def renamed(self, names: Sequence[str]) -> Self:
        """With names for codes; what was guessed of no folder is gone."""
        return type(self)(self.messages, {names[code]: record for code, record in self.each.items() if code >= 0})


def _standing(messages: Any, records: Array) -> Standing:
    """By a row of each record."""
    right, wrong, last = records.T
    return Standing(np.log((right + 1) / (wrong + 1)), messages - 1 - last)
