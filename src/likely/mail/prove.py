"""The proof: what Likely would have done with mail that you have already filed."""

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
"""How many mistakes to list."""
DRAWN = 100
"""The number of points of the curve."""
RECENT = 500
"""The last messages show best what Likely would do now: at the start of a history it knew little."""
LITTLE = 0.05
"""A precision is in reach only if more than this share of all messages is filed at it: the first few messages of any
order can all be right."""
MOST = 10_000
"""How many more messages a folder can be reported to need."""


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
    """For a wanted precision: the share of messages that would have been filed, and the share of these that is
    right."""

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
    """How many of the last `RECENT` messages of the account are in this folder."""
    recent_filed: int
    needed: int | None
    """How many more messages the folder needs before Likely can file into it; 0 if it can now, None if `MOST` more
    would not be enough."""


@dataclass(frozen=True)
class Recent:
    """What would have been done with the last messages."""

    messages: int
    coverage: float
    precision: float | None


@dataclass(frozen=True)
class Proof:
    """The result of a replay. Nothing in it knows the future: each message is guessed by the messages before it, and
    each threshold is chosen by the guesses before it."""

    messages: int
    folders: int
    copies: int
    """How many messages are in several folders; a guess of any of these folders is right."""
    recent: Recent
    accuracy: float
    wanted: float
    coverage: float
    precision: float | None
    threshold: float
    in_reach: bool
    """Whether the best threshold in hindsight would have filed more than `LITTLE` at that precision."""
    instead: Trade | None
    """If it is out of reach: the highest precision that would have been kept; None if none would."""
    half_life: float | None
    trades: list[Trade]
    mistakes: list[Mistake]
    """Messages that would have been filed wrongly, those with the highest confidence first."""
    each: list[FolderProof]
    curve: list[Point]
    """Precision against coverage, if messages are filed by confidence, highest first: from 1 % of the messages to
    all."""
    unlearned: list[str]
    """Folders that nothing can be filed into yet, however clear a message is."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"curve": [point._asdict() for point in self.curve]}


def prove(history: History, precision: float = 0.97, half_life: float | str | None = None) -> Proof:
    """Replays a history in order of date: each message is guessed, and then learned."""
    if not len(history):
        raise ValueError("there is no filed mail to replay: the folders that Likely learns from have no messages")
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
            int(inside.sum()),
            float(right[inside].mean()),
            int(moved[inside].sum()),
            int((moved & right)[inside].sum()),
            int((inside & late).sum()),
            int((inside & late & moved).sum()),
            lacking[code],
        )
        for code, name in enumerate(folders)
        for inside in (y == code,)
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
    """The sum of the weights of each folder's messages at the end of the history; with a half-life, old ones count
    less."""
    growth = np.ones(len(y)) if half_life is None else growth_of(dates, half_life)
    return np.bincount(y, growth) / growth[-1]


def needed(
    confidence: Confidence, folders: Sequence[Any], counting: Sequence[float], records: FolderRecords, least: float
) -> list[int | None]:
    """How many more messages each folder needs until the clearest possible message has the confidence `least`; None if
    `MOST` more are not enough."""
    more = np.array([0, *np.unique(np.geomspace(1, MOST, 200).astype(np.int64))])
    lacking: list[int | None] = []
    for folder, seen in zip(folders, counting, strict=True):
        record, _ = records.of([folder] * len(more))
        clear, now = np.full(len(more), CLEAREST), np.zeros(len(more))
        enough = confidence.sure(Guesses(clear, seen + more, record, now, now > 0)) >= least
        lacking.append(int(more[int(enough.argmax())]) if enough.any() else None)
    return lacking


def _copies(letters: Any, y: Any) -> int:
    """How many messages have a copy in another folder."""
    places = np.unique(np.stack([letters, y]), axis=1)
    return int((np.bincount(places[0])[letters] > 1).sum())


def trade(sure: Any, right: Any, wanted: float) -> Trade:
    """What would have been filed at this precision, by the confidence in each guess and whether it was right."""
    moved = filed(sure, right, wanted)
    return Trade(wanted, float(moved.mean()), _precision(right, moved), threshold(sure, right, wanted))


def _kept(sure: Any, right: Any, below: float) -> Trade | None:
    """The highest precision `below` this one, in whole percent, that filing would have kept; None if none above 50
    %."""
    for wanted in range(round(100 * below) - 1, 49, -1):
        result = trade(sure, right, wanted / 100)
        if result.coverage > LITTLE and result.precision is not None and result.precision >= result.wanted:
            return result
    return None


def _curve(sure: Any, right: Any) -> list[Point]:
    curve = risk(sure, right)
    at = np.searchsorted(curve.coverage, np.linspace(0.01, 1.0, DRAWN) - 1e-12)
    drawn = np.stack([curve.threshold, curve.coverage, curve.precision])[:, np.unique(at)]
    return [Point(*map(float, point)) for point in drawn.T]
