"""What filing would have done with mail that you have already filed."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likely.mail.confidence import MOST as CLEAREST
from likely.mail.confidence import Confidence, Guesses, foretold
from likely.mail.folder_records import FolderRecords
from likely.mail.history import History
from likely.mail.promise import filed, threshold
from likely.mail.replay import faded, growth_of, worth_pairs
from likely.validation.risk import Point, risk

PRECISIONS = (0.80, 0.85, 0.90, 0.95, 0.97, 0.98, 0.99, 0.995)
MISTAKES = 20
DRAWN = 100
"""Points of the curve."""
RECENT = 500
"""Messages that show what it would do now: what it knew at the start of a history matters less and less."""
LITTLE = 0.05
"""A share of all messages below which a precision is out of reach: the first few of any order can be right."""
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
    copies: int
    """Messages that lie in several folders: each of them is right."""
    recent: Recent
    accuracy: float
    wanted: float
    coverage: float
    precision: float | None
    threshold: float
    in_reach: bool
    """Whether a threshold on confidence could have filed more than `LITTLE` at that precision, had it been known."""
    instead: Trade | None
    """Where it could not, the highest precision that would have been kept."""
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
    folders, y = history.coded()
    pairs = worth_pairs(history.mail, y, len(folders))
    chosen, life = faded(history, y, len(folders), half_life, pairs)
    right = chosen.guesses.right
    sure = foretold(chosen.guesses)
    moved = filed(sure, right, precision)
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
    least = threshold(sure, right, precision)
    counting = _counting(y, history.dates, life)
    lacking = needed(Confidence.of(chosen.guesses), range(len(folders)), counting, chosen.records, least)
    in_reach = risk(sure, right).at_precision(precision).coverage > LITTLE
    each = [
        FolderProof(
            str(name),
            int(own.sum()),
            float(right[own].mean()),
            int(moved[own].sum()),
            int((moved & right)[own].sum()),
            int((own & late).sum()),
            int((own & late & moved).sum()),
            lacking[code],
        )
        for code, name in enumerate(folders)
        for own in (y == code,)
    ]
    return Proof(
        messages=len(history),
        folders=len(folders),
        copies=_copies(history.letters, y),
        recent=Recent(int(late.sum()), float(moved[late].mean()), _precision(right, moved & late)),
        accuracy=float(right.mean()),
        wanted=precision,
        coverage=float(moved.mean()),
        precision=_precision(right, moved),
        threshold=least,
        in_reach=in_reach,
        instead=None if in_reach else _kept(sure, right, precision),
        half_life=life,
        trades=[trade(sure, right, wanted) for wanted in sorted({*PRECISIONS, precision})],
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


def needed(
    confidence: Confidence, folders: Sequence[Any], counting: Sequence[float], records: FolderRecords, least: float
) -> list[int | None]:
    """Messages that each folder lacks until a message that is as clear as can be is filed into it."""
    more = np.array([0, *np.unique(np.geomspace(1, MOST, 200).astype(np.int64))])
    found: list[int | None] = []
    for folder, seen in zip(folders, counting, strict=True):
        record, _ = records.of([folder] * len(more))
        clear, now = np.full(len(more), CLEAREST), np.zeros(len(more))
        enough = confidence.sure(Guesses(clear, seen + more, record, now, now > 0)) >= least
        found.append(int(more[int(enough.argmax())]) if enough.any() else None)
    return found


def _copies(letters: Any, y: Any) -> int:
    """How many messages have a copy in another folder."""
    places = np.unique(np.stack([letters, y]), axis=1)
    return int((np.bincount(places[0])[letters] > 1).sum())


def trade(sure: Any, right: Any, wanted: float) -> Trade:
    """What asking for a precision would have come to."""
    moved = filed(sure, right, wanted)
    return Trade(wanted, float(moved.mean()), _precision(right, moved), threshold(sure, right, wanted))


def _kept(sure: Any, right: Any, below: float) -> Trade | None:
    """The highest whole percentage below another at which more than little would have been filed, and rightly."""
    for wanted in range(round(100 * below) - 1, 49, -1):
        found = trade(sure, right, wanted / 100)
        if found.coverage > LITTLE and found.precision is not None and found.precision >= found.wanted:
            return found
    return None


def _curve(sure: Any, right: Any) -> list[Point]:
    found = risk(sure, right)
    at = np.searchsorted(found.coverage, np.linspace(0.01, 1.0, DRAWN) - 1e-12)
    drawn = np.stack([found.threshold, found.coverage, found.precision])[:, np.unique(at)]
    return [Point(*map(float, point)) for point in drawn.T]
