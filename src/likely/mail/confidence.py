"""The confidence in a guess: the probability that the guessed folder is right, calibrated on earlier guesses.

`likely.validation` calibrates by leave-one-out. Here only earlier guesses may be used, and the features include facts
about the folder: how many of its messages were learned, how often recent guesses of it were right, and how long ago it
last got a message.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.models.log_odds import probability
from likely.optimize.softmax.evidence import evidence_pass, least
from likely.optimize.softmax.problem import Array

WINDOW = 1000
"""How many of the last guesses to calibrate on: people change how they file. Of 300, 500, 1,000 and all, this kept the
realised precision nearest to the promised one on four of the users of `python -m bench filing`."""

FIRST = 100
"""Messages before the scales of texts are chosen by replay for the first time. Guesses of them do not count once there
are twice as many others: their log odds are on other scales. With them, 5 % less mail is filed at 97 % precision, on
average of the seven users of `python -m bench filing --only promise`."""

STEP = 25
"""How many guesses are made before the confidence is fitted again."""

LEAST = 0.5
"""A guess that is more probably wrong than right is never filed, however right the other guesses are."""

MOST = 30.0
"""Log-odds are clipped here: with only one folder they are infinite."""

BEFORE = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
"""The weights are shrunk towards these, with which the confidence is the model's own probability."""

RIDGE = np.array([0.1, 1.0, 1.0, 1.0, 1.0, 1.0])
"""The ridge penalty of each weight: how strongly it is shrunk."""


@dataclass(frozen=True)
class Guesses:
    """One guess per message, made before the message was learned, in order of time."""

    odds: Array
    """The log-odds of the guessed folder against all others."""
    seen: Array
    """How many messages of that folder the model had learned by then."""
    record: Array
    """The log-odds that recent guesses of that folder were right."""
    idle: Array
    """How many messages came since that folder last got one."""
    right: NDArray[np.bool]
    """Whether the guess was right."""

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
        """The features of the logistic regression, one row per guess: 1, the log-odds z, sign(z) log(1 + |z|), log(1 +
        seen), record and log(1 + idle).

        The third is there because with many folders, guesses with a probability of 99 % and more are right less often
        than that: a line in z alone can't level off.
        """
        odds = np.clip(self.odds, -MOST / 3, MOST)
        damped = np.sign(odds) * np.log1p(np.abs(odds))
        return np.column_stack(
            [np.ones(len(odds)), odds, damped, np.log1p(self.seen), self.record, np.log1p(self.idle)]
        )


@dataclass(frozen=True)
class Confidence:
    """The probability that a guess is right: logistic regression on the features of guesses."""

    weights: Array

    @classmethod
    def of(cls, guesses: Guesses) -> "Confidence":
        """Fitted to the last `WINDOW` guesses, without the `FIRST` if there are enough others."""
        first = FIRST if len(guesses) >= 3 * FIRST else 0
        recent = guesses[max(first, len(guesses) - WINDOW) :]
        return cls(_fitted(recent.features(), recent.right))

    def sure(self, guesses: Guesses) -> Array:
        """The confidence in each guess. Where the model gives the folder a probability below 0.5, the confidence is at
        most that: there may be no earlier guess like it, for example if no word of the message is known."""
        sure, uncalibrated = probability(guesses.features() @ self.weights), probability(guesses.odds)
        return np.where(uncalibrated < LEAST, np.minimum(sure, uncalibrated), sure)


def foretold(guesses: Guesses, last: int | None = None) -> Array:
    """The confidence in each guess, fitted to the guesses before it only; with `last`, for at least the last `last`."""
    first = 0 if last is None else max(0, len(guesses) - last) // STEP * STEP
    sure = np.zeros(len(guesses) - first)
    for start in range(first, len(guesses), STEP):
        confidence = Confidence.of(guesses[:start])
        sure[start - first : start - first + STEP] = confidence.sure(guesses[start : start + STEP])
    return sure


def _fitted(x: Array, right: NDArray[np.bool]) -> Array:
    """The weights of a logistic regression. Its targets are smoothed as in Platt scaling: of n right guesses, a share
    of 1 in n + 2 counts as wrong, because a few guesses that are all right prove little.
    """
    evidence = np.stack([np.zeros_like(x), x], axis=1)
    return least(evidence_pass(evidence, right.astype(np.int32), smooth=True), np.diag(RIDGE), BEFORE)[0]
