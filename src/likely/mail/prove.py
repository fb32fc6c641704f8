"""What filing would have done to mail that its owner has filed already."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likely.data import encode_target
from likely.mail.confidence import filed, foretold, threshold
from likely.mail.history import History
from likely.mail.replay import growth_of, replay, worth_pairs

PRECISIONS = (0.80, 0.85, 0.90, 0.95, 0.97, 0.98, 0.99, 0.995)
HALF_LIVES = (None, 730.0, 365.0, 180.0, 90.0, 45.0)
"""In days: what `half_life="auto"` chooses from."""

MISTAKES = 20
FEW = 20
"""Guesses into a folder, or messages in it, below which nothing is said of whether it can be learned."""


@dataclass(frozen=True)
class Mistake:
    folder: str
    guessed: str
    sure: float
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
    """The surest of those that would have been filed."""
    each: list[FolderProof]
    unlearned: list[str]
    """Folders of which less than half of the messages were guessed, or of which too few are there."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def prove(history: History, precision: float = 0.97, half_life: float | str | None = None) -> Proof:
    """Replays a history in the order of its dates: every message is guessed, and then learned."""
    if not len(history):
        raise ValueError("there is no filed mail to prove anything by: no folder that is learned from holds a message")
    folders, y = encode_target(history.folders)
    lives = HALF_LIVES if half_life == "auto" else (half_life,)
    pairs = worth_pairs(history.mail, y, len(folders))
    past = [
        replay(history.mail, y, len(folders), None if life is None else growth_of(history.dates, float(life)), pairs)
        for life in lives
    ]
    at = int(np.argmin([one.loss for one in past]))
    chosen, right = past[at], past[at].guesses.right
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
    life = lives[at]
    return Proof(
        messages=len(history),
        folders=len(folders),
        accuracy=float(right.mean()),
        wanted=precision,
        coverage=float(moved.mean()),
        precision=float(right[moved].mean()) if moved.any() else None,
        threshold=threshold(sure, precision),
        half_life=None if life is None else float(life),
        trades=[_trade(sure, right, wanted) for wanted in sorted({*PRECISIONS, precision})],
        mistakes=mistakes,
        each=each,
        unlearned=[folder.folder for folder in each if folder.messages < FEW or folder.accuracy < 0.5],
    )


def _trade(sure: Any, right: Any, wanted: float) -> Trade:
    moved = filed(sure, wanted)
    realised = float(right[moved].mean()) if moved.any() else None
    return Trade(wanted, float(moved.mean()), realised, threshold(sure, wanted))
