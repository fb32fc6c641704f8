"""The confidence in a guess, by how often guesses like it were right; and the confidence needed for a promised
precision.

`likely.validation` calibrates by leave-one-out and finds thresholds for what has been; here only what came before may
speak, and how much a folder was seen speaks too.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.optimize.softmax.evidence import evidence_pass, least
from likely.optimize.softmax.problem import Array

WINDOW = 1000
"""Guesses that are looked back at: people change how they file. Of 300, 500, 1,000 and all, this kept the realised
precision nearest to the promised one on the four users of `python -m bench filing`."""

STEP = 25
"""Guesses between two looks back."""

WARM = 100
"""Guesses before the first message is filed: of fewer, too few are wrong to show what a wrong one looks like."""

LEAST = 0.5
"""What is more likely wrong than right is not filed, however right all others are."""

NEVER = 2.0
"""The threshold where no confidence is enough."""

MIDDLE = np.log1p(20)
"""Where the odds of a folder of few messages part from those of one of many."""

BEFORE = np.array([0.0, 1.0, 0.0, 0.0])
"""Before any guess is known to be right or wrong, a probability is used as it is."""

PULL = np.array([0.1, 1.0, 1.0, 100.0])
"""How strongly: as a ridge. The last by the log loss of the first halves of the mail of those four and of four sets of
spam: 0.180, without its column 0.183. Of the second halves it is 0.132 and 0.131, but in
hindsight 1 % more can be filed at 97 % precision, and 9 % at 99 %: `python -m bench filing --only product`."""


@dataclass(frozen=True)
class Guesses:
    """What was guessed, each before it was learned, in the order of time."""

    chance: Array
    """What the model gave the folder that it named."""
    seen: Array
    """How many messages of that folder it had learned by then."""
    right: NDArray[np.bool]

    def __len__(self) -> int:
        return len(self.chance)

    def __add__(self, other: "Guesses") -> "Guesses":
        return Guesses(
            np.concatenate([self.chance, other.chance]),
            np.concatenate([self.seen, other.seen]),
            np.concatenate([self.right, other.right]),
        )

    def __getitem__(self, rows: slice) -> "Guesses":
        return Guesses(self.chance[rows], self.seen[rows], self.right[rows])

    @classmethod
    def none(cls) -> "Guesses":
        return cls(np.empty(0), np.empty(0), np.empty(0, np.bool))


@dataclass(frozen=True)
class Confidence:
    """The chance that a guess is right: logistic in the log odds that the model gave it, in the log of how many
    messages of the folder it had seen, and in their product. A model that has seen little is over-confident, and its
    odds are less informative."""

    weights: Array

    @classmethod
    def of(cls, guesses: Guesses) -> "Confidence":
        """Fitted to the last `WINDOW` of them."""
        recent = guesses[max(0, len(guesses) - WINDOW) :]
        return cls(_fitted(_features(recent.chance, recent.seen), recent.right))

    def sure(self, chance: Array, seen: Array) -> Array:
        """Of a folder that is not even likelier than all others together, no confidence above its probability, however
        right guesses like it were: there may have been none, as where a message has no word that is known."""
        sure = 1 / (1 + np.exp(-_features(chance, seen) @ self.weights))
        return np.where(chance < LEAST, np.minimum(sure, chance), sure)


def foretold(guesses: Guesses, last: int | None = None) -> Array:
    """The confidence in each guess, or at least in the last `last`, judged by those before it alone."""
    first = 0 if last is None else max(0, len(guesses) - last) // STEP * STEP
    sure = np.zeros(len(guesses) - first)
    for start in range(first, len(guesses), STEP):
        rows = slice(start, start + STEP)
        confidence = Confidence.of(guesses[:start])
        sure[start - first : start - first + STEP] = confidence.sure(guesses.chance[rows], guesses.seen[rows])
    return sure


def threshold(sure: Array, precision: float) -> float:
    """The confidence that a guess must have so that of all with as much, `precision` are right, by the last
    `WINDOW`."""
    if len(sure) < WARM:
        return NEVER
    best = -np.sort(-sure[-WINDOW:])
    enough = np.flatnonzero(np.cumsum(best) >= precision * np.arange(1, len(best) + 1))
    return max(LEAST, float(best[enough[-1]])) if enough.size else NEVER


def filed(sure: Array, precision: float) -> NDArray[np.bool]:
    """Which of the guesses would have been filed, the threshold of each taken from those before it alone."""
    out = np.zeros(len(sure), np.bool)
    for start in range(0, len(sure), STEP):
        rows = slice(start, start + STEP)
        out[rows] = sure[rows] >= threshold(sure[:start], precision)
    return out


def _features(chance: Array, seen: Array) -> Array:
    with np.errstate(divide="ignore"):
        odds = np.log(chance) - np.log1p(-chance)
    odds, known = np.clip(odds, -10.0, 10.0), np.log1p(seen)
    return np.column_stack([np.ones(len(chance)), odds, known, odds * (known - MIDDLE)])


def _fitted(x: Array, right: NDArray[np.bool]) -> Array:
    """Logistic regression of few columns. As in Platt's scaling, of n guesses one of n + 2 is taken to be otherwise:
    some that are all right prove little.
    """
    evidence = np.stack([np.zeros_like(x), x], axis=1)
    return least(evidence_pass(evidence, right.astype(np.int32), smooth=True), np.diag(PULL), BEFORE)[0]
