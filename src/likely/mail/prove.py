"""What filing would have done with mail that you have already filed."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likely.data import encode_target
from likely.mail.confidence import Confidence, filed, foretold, threshold
from likely.mail.history import History
from likely.mail.replay import faded, growth_of, worth_pairs
from likely.validation.risk import Point, risk

PRECISIONS = (0.80, 0.85, 0.90, 0.95, 0.97, 0.98, 0.99, 0.995)
MISTAKES = 20
DRAWN = 100
"""Points of the curve."""
RECENT = 500
"""Messages that show what it would do now: what it knew at the start of a history matters less and less."""
MOST = 10_000
"""Messages of a folder beyond which it is not asked how many more are needed."""


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
    recent: int
    """Of the last `RECENT` messages of all folders, those in this one."""
    recent_filed: int
    needed: int | None
    """How many more messages it needs before any can be filed into it, 0 where it can now; None where no number would
    do, as where nothing is known for sure yet."""


@dataclass(frozen=True)
class Recent:
    """What would have been done with the last messages."""

    messages: int
    coverage: float
    precision: float | None


@dataclass(frozen=True)
class Proof:
    """All of it foretold: each message by those before it, and each threshold by guesses before it."""

    messages: int
    folders: int
    recent: Recent
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
    """Folders into which nothing can be filed yet, however clear a message is."""

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
    late = np.arange(len(history)) >= len(history) - RECENT
    least = threshold(sure, precision)
    needed = _needed(Confidence.of(chosen.guesses), _counting(y, history.dates, life), least)
    each = [
        FolderProof(
            str(name),
            int(own.sum()),
            float(right[own].mean()),
            int(moved[own].sum()),
            int((moved & right)[own].sum()),
            int((own & late).sum()),
            int((own & late & moved).sum()),
            needed[code],
        )
        for code, name in enumerate(folders)
        for own in (y == code,)
    ]
    return Proof(
        messages=len(history),
        folders=len(folders),
        recent=Recent(int(late.sum()), float(moved[late].mean()), _precision(right, moved & late)),
        accuracy=float(right.mean()),
        wanted=precision,
        coverage=float(moved.mean()),
        precision=_precision(right, moved),
        threshold=least,
        half_life=life,
        trades=[_trade(sure, right, wanted) for wanted in sorted({*PRECISIONS, precision})],
        mistakes=mistakes,
        each=each,
        curve=_curve(sure, right),
        unlearned=[folder.folder for folder in each if folder.needed != 0],
    )


def _precision(right: Any, moved: Any) -> float | None:
    return float(right[moved].mean()) if moved.any() else None


def _counting(y: Any, dates: Any, half_life: float | None) -> Any:
    """How many messages of each folder count at the end, those that fade by what is left of them."""
    growth = np.ones(len(y)) if half_life is None else growth_of(dates, half_life)
    return np.bincount(y, growth) / growth[-1]


def _needed(confidence: Confidence, counting: Any, least: float) -> list[int | None]:
    """Messages that each folder lacks until a message that is as clear as can be is filed into it."""
    more = np.unique(np.geomspace(1, MOST, 200).astype(np.int64))
    found: list[int | None] = []
    for seen in counting:
        enough = confidence.sure(np.ones(len(more) + 1), seen + np.concatenate([[0], more])) >= least
        found.append(int([0, *more][int(enough.argmax())]) if enough.any() else None)
    return found


def _trade(sure: Any, right: Any, wanted: float) -> Trade:
    moved = filed(sure, wanted)
    return Trade(wanted, float(moved.mean()), _precision(right, moved), threshold(sure, wanted))


def _curve(sure: Any, right: Any) -> list[Point]:
    found = risk(sure, right)
    at = np.searchsorted(found.coverage, np.linspace(0.01, 1.0, DRAWN) - 1e-12)
    drawn = np.stack([found.threshold, found.coverage, found.precision])[:, np.unique(at)]
    return [Point(*map(float, point)) for point in drawn.T]
