"""What filing would have done with mail that you have already filed."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likely.data import encode_target
from likely.mail.confidence import filed, foretold, threshold
from likely.mail.history import History
from likely.mail.replay import faded, worth_pairs
from likely.validation.risk import Point, risk

PRECISIONS = (0.80, 0.85, 0.90, 0.95, 0.97, 0.98, 0.99, 0.995)
MISTAKES = 20
DRAWN = 100
"""Points of the curve."""
FEW = 20
"""Guesses into a folder, or messages in it, below which nothing is said of whether it can be learned."""


@dataclass(frozen=True)
class Mistake:
    folder: str
    guessed: str
    confidence: float
    subject: str
    sender: str
    message_id: str


@dataclass(frozen=True)
class Trade:
    """For a precision wanted: what share would have been filed, and how much of it rightly."""

    wanted: float
    coverage: float
    precision: float | None
    threshold: float


@dataclass(frozen=True)
class FolderProof:
    folder: str
    messages: int
    accuracy: float
    filed: int
    filed_right: int


@dataclass(frozen=True)
class Proof:
    """All of it foretold: each message by those before it, and each threshold by guesses before it."""

    messages: int
    folders: int
    accuracy: float
    wanted: float
    coverage: float
    precision: float | None
    threshold: float
    half_life: float | None
    trades: list[Trade]
    mistakes: list[Mistake]
    """Those of highest confidence that would have been filed."""
    each: list[FolderProof]
    curve: list[Point]
    """What filing by confidence, highest first, would have come to, from the first hundredth of the messages to all."""
    unlearned: list[str]
    """Folders where less than half of the messages were guessed, or with too few messages."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"curve": [point._asdict() for point in self.curve]}


def prove(history: History, precision: float = 0.97, half_life: float | str | None = None) -> Proof:
    """Replays a history in the order of its dates: every message is guessed, and then learned."""
    if not len(history):
        raise ValueError("there is no filed mail to prove anything by: no folder that is learned from holds a message")
    folders, y = encode_target(history.folders)
    pairs = worth_pairs(history.mail, y, len(folders))
    chosen, life = faded(history.mail, y, len(folders), history.dates, half_life, pairs)
    right = chosen.guesses.right
    sure = foretold(chosen.guesses)
    moved = filed(sure, precision)
    wrong = [row for row in np.argsort(-sure, kind="stable") if moved[row] and not right[row]]
    mistakes = [
        Mistake(
            entry.folder,
            str(folders[chosen.best[row]]),
            float(sure[row]),
            entry.subject,
            entry.sender,
            entry.message_id,
        )
        for row in wrong[:MISTAKES]
        for entry in (history.entries[row],)
    ]
    each = [
        FolderProof(
            str(name), int(own.sum()), float(right[own].mean()), int(moved[own].sum()), int((moved & right)[own].sum())
        )
        for code, name in enumerate(folders)
        for own in (y == code,)
    ]
    return Proof(
        messages=len(history),
        folders=len(folders),
        accuracy=float(right.mean()),
        wanted=precision,
        coverage=float(moved.mean()),
        precision=float(right[moved].mean()) if moved.any() else None,
        threshold=threshold(sure, precision),
        half_life=life,
        trades=[_trade(sure, right, wanted) for wanted in sorted({*PRECISIONS, precision})],
        mistakes=mistakes,
        each=each,
        curve=_curve(sure, right),
        unlearned=[folder.folder for folder in each if folder.messages < FEW or folder.accuracy < 0.5],
    )


def _trade(sure: Any, right: Any, wanted: float) -> Trade:
    moved = filed(sure, wanted)
    realised = float(right[moved].mean()) if moved.any() else None
    return Trade(wanted, float(moved.mean()), realised, threshold(sure, wanted))


def _curve(sure: Any, right: Any) -> list[Point]:
    found = risk(sure, right)
    at = np.searchsorted(found.coverage, np.linspace(0.01, 1.0, DRAWN) - 1e-12)
    drawn = np.stack([found.threshold, found.coverage, found.precision])[:, np.unique(at)]
    return [Point(*map(float, point)) for point in drawn.T]
