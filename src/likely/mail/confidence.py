"""The confidence in a guess, by how often guesses like it were right.

`likely.validation` calibrates by leave-one-out; here only what came before may speak, and what is known of the folder
speaks too: how much of it was seen, how guesses of it turned out lately, and whether it is still in use.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.models.log_odds import probability
from likely.optimize.softmax.evidence import evidence_pass, least
from likely.optimize.softmax.problem import Array

WINDOW = 1000
"""Guesses that are looked back at: people change how they file. Of 300, 500, 1,000 and all, this kept the realised
precision nearest to the promised one on four of the users of `python -m bench filing`."""

FIRST = 100
"""Messages before the scales of texts are chosen by replay for the first time. Guesses of them do not count once there
are twice as many others: their log odds are on other scales. With them, 5 % less mail is filed at 97 % precision, on
average of the seven users of `python -m bench filing --only promise`."""

STEP = 25
"""Guesses between two looks back."""

LEAST = 0.5
"""What is more likely wrong than right is not filed, however right all others are."""

MOST = 30.0
"""Log odds beyond which no guess is clearer, as where there is but one folder."""

BEFORE = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
"""Before any guess is known to be right or wrong, log odds are used as they are."""

PULL = np.array([0.1, 1.0, 1.0, 1.0, 1.0, 1.0])
"""How strongly: as a ridge."""


@dataclass(frozen=True)
class Guesses:
    """What was guessed, each before it was learned, in the order of time."""

    odds: Array
    """The log odds that the model gave the folder that it named, against all others."""
    seen: Array
    """How many messages of that folder it had learned by then."""
    record: Array
    """The log odds that guesses of that folder were right lately."""
    idle: Array
    """How many messages came since that folder last got one."""
    right: NDArray[np.bool]

    def __len__(self) -> int:
        return len(self.odds)

    def __add__(self, other: "Guesses") -> "Guesses":
        return Guesses(*(np.concatenate(both) for both in zip(self.arrays, other.arrays, strict=True)))

    def __getitem__(self, rows: slice) -> "Guesses":
        return Guesses(*(array[rows] for array in self.arrays))

    @classmethod
    def none(cls) -> "Guesses":
        return cls(np.empty(0), np.empty(0), np.empty(0), np.empty(0), np.empty(0, np.bool))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.odds, self.seen, self.record, self.idle, self.right

    def features(self) -> Array:
        """What confidence goes by. The second and the third are the log odds, straight and bent: with many folders
        guesses that claim 99 % and more level off below that, which no straight line in the log odds can."""
        odds = np.clip(self.odds, -MOST / 3, MOST)
        bent = np.sign(odds) * np.log1p(np.abs(odds))
        return np.column_stack([np.ones(len(odds)), odds, bent, np.log1p(self.seen), self.record, np.log1p(self.idle)])


@dataclass(frozen=True)
class Confidence:
    """The chance that a guess is right: logistic in the features of guesses."""

    weights: Array

    @classmethod
    def of(cls, guesses: Guesses) -> "Confidence":
        """Fitted to the last `WINDOW` of them, where there are enough without the `FIRST`."""
        first = FIRST if len(guesses) >= 3 * FIRST else 0
        recent = guesses[max(first, len(guesses) - WINDOW) :]
        return cls(_fitted(recent.features(), recent.right))

    def sure(self, guesses: Guesses) -> Array:
        """Of a folder that is not even likelier than all others together, no confidence above its probability, however
        right guesses like it were: there may have been none, as where a message has no word that is known."""
        sure, alone = probability(guesses.features() @ self.weights), probability(guesses.odds)
        return np.where(alone < LEAST, np.minimum(sure, alone), sure)


def foretold(guesses: Guesses, last: int | None = None) -> Array:
    """The confidence in each guess, or at least in the last `last`, judged by those before it alone."""
    first = 0 if last is None else max(0, len(guesses) - last) // STEP * STEP
    sure = np.zeros(len(guesses) - first)
    for start in range(first, len(guesses), STEP):
        confidence = Confidence.of(guesses[:start])
        sure[start - first : start - first + STEP] = confidence.sure(guesses[start : start + STEP])
    return sure


def _fitted(x: Array, right: NDArray[np.bool]) -> Array:
    """Logistic regression of few columns. As in Platt's scaling, of n guesses one of n + 2 is taken to be otherwise:
    some that are all right prove little.
    """
    evidence = np.stack([np.zeros_like(x), x], axis=1)
    return least(evidence_pass(evidence, right.astype(np.int32), smooth=True), np.diag(PULL), BEFORE)[0]
