"""A history of mail replayed in its order: every message is guessed by what was learned before it, then learned.

`likely.validation.replay` does so with any model; here all of it is two kernels, as naive Bayes, its scales, and how
far it leans to logistic regression can be computed for all messages at once: 10,000 of them in half a second.
"""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.families.word_loo import odds_replayed
from likely.mail.confidence import Guesses
from likely.mail.folder_records import FolderRecords
from likely.mail.history import History
from likely.mail.lean import RATES, Codes, Features, Weights, features, step, unleaned
from likely.mail.reading import texts_of, tokens
from likely.models.log_odds import log_odds
from likely.optimize.softmax.evidence import evidence_pass, least
from likely.optimize.softmax.problem import Array
from likely.text import Tokens

IMAGINED = 10**-2.5
"""The pseudo-count of each token. Replayed with 0.001, 0.003, 0.01 and 0.03, the mean accuracy of the four users of
`python -m bench filing` was 0.860, 0.861, 0.855 and 0.842."""

SCALES = np.array([0.15, 0.3])
"""The scale of each of the two texts, until there is mail to choose by: about what was chosen for those four."""

FIRST = 100
"""Messages before scales and lean are chosen for the first time; then again whenever there are twice as many."""

LAST = 2000
"""Messages that these are chosen by, and whether pairs of words are counted."""

PIECE = 4096
"""Messages whose scores are in memory at a time: of 100,000 messages in 200 folders, half of them would take 80 MB for
each of several tables."""

ENOUGH = 1000
"""Messages below which a hundredth of the loss is less than its error."""

WORTH = 0.99
"""Pairs of words must bring a hundredth of the loss. They do for spam against ham: errors fell by half, see
`python -m bench filing --only spam`. They do not where sender and subject decide."""

HALF_LIVES = (None, 730.0, 365.0, 180.0, 90.0, 45.0)
"""In days: what a half-life of "auto" is chosen from."""

DAY = 86400.0


@dataclass(frozen=True)
class Replay:
    """What would have been guessed of each message."""

    best: Codes
    """The folder guessed, as a code; -1 where none was known yet."""
    guesses: Guesses
    records: FolderRecords
    """Of the codes of folders, after all."""
    loss: float
    """The mean log loss of the messages whose folder was known."""
    scales: Array
    """The scale of each text, chosen by all."""
    rate: float
    """The length of the steps of logistic regression, chosen by all; 0 for naive Bayes alone."""
    weights: Weights | None
    """Where these steps led; None for naive Bayes alone."""


def worth_pairs(mail: pa.Table, y: Codes, folders: int) -> bool:
    """Whether pairs of words help naive Bayes, by the last messages replayed both ways; of fewer than 1,000,
    never."""
    if len(y) < ENOUGH:
        return False
    last = slice(max(0, len(y) - LAST), len(y))
    mail, y = mail[last], y[last]
    marks = _evidence(mail, "marks", tokens(False), y, folders)
    words, pairs = (
        _replayed([_evidence(mail, "text", tokens(pairs), y, folders), marks], y, folders).loss
        for pairs in (False, True)
    )
    return pairs < WORTH * words


def replay(
    mail: pa.Table,
    y: Codes,
    folders: int,
    growth: Array | None = None,
    pairs: bool = False,
    leans: bool = True,
    letters: NDArray[np.int64] | None = None,
) -> Replay:
    """`mail` is the table of the messages in the order of their time, and `y` the codes of their folders. Unless it
    `leans`, naive Bayes alone. With the `letters` of a history, a guess is right if any copy of the message lies
    there."""
    how = tokens(pairs)
    evidence = [_evidence(mail, column, how, y, folders, growth) for column in how]
    return _replayed(evidence, y, folders, growth, features(mail, pairs) if leans else None, letters)


def _replayed(
    evidence: list[Array],
    y: Codes,
    folders: int,
    growth: Array | None = None,
    leans_by: Features | None = None,
    letters: NDArray[np.int64] | None = None,
) -> Replay:
    """Of naive Bayes alone, unless there are features to lean by."""
    rates = RATES[:1] if leans_by is None else RATES
    weights = [unleaned(folders) if rate else None for rate in rates]
    known = np.isfinite(evidence[0][np.arange(len(y)), y]) if len(y) else np.empty(0, np.bool)
    best, odds, loss = np.full(len(y), -1, np.int32), np.full(len(y), -np.inf), np.zeros(len(y))
    losses = np.zeros((len(rates), len(y)))
    scales, chosen, start = SCALES, 0, 0
    while start < len(y):
        rows = slice(start, min(FIRST if start == 0 else 2 * start, len(y)))
        if start:
            scales, chosen = _scales(evidence, y, known, start, scales), _best_of(losses, known, start)
        for piece in (slice(at, min(at + PIECE, rows.stop)) for at in range(rows.start, rows.stop, PIECE)):
            scores = sum(scale * part[piece] for scale, part in zip(scales, evidence, strict=True))
            for at, (rate, own) in enumerate(zip(rates, weights, strict=True)):
                leaned = scores.copy()
                if own is not None and leans_by is not None:
                    step(_between(leans_by, piece), y[piece], rate, own, leaned)
                chances = _chances(leaned)
                losses[at, piece] = -np.log(np.maximum(chances[np.arange(len(chances)), y[piece]], 1e-15))
                if at == chosen:
                    possible = np.isfinite(scores).any(axis=1)
                    best[piece] = np.where(possible, leaned.argmax(axis=1), -1)
                    odds[piece] = np.where(possible, log_odds(leaned).max(axis=1), -np.inf)
                    loss[piece] = losses[at, piece]
        start = rows.stop
    scales, chosen = _scales(evidence, y, known, len(y), scales), _best_of(losses, known, len(y))
    right = best == y if letters is None else np.isin(letters * folders + best, letters * folders + y) & (best >= 0)
    standing, records = FolderRecords().following(best.tolist(), y.tolist(), right)
    return Replay(
        best,
        Guesses(odds, _seen(y, best, folders, growth), *standing, right),
        records,
        float(loss[known].mean()) if known.any() else np.inf,
        scales,
        rates[chosen],
        weights[chosen],
    )


def _between(of: Features, rows: slice) -> Features:
    starts = of.starts[rows.start : rows.stop + 1]
    cells = slice(int(starts[0]), int(starts[-1]))
    return Features(starts - starts[0], of.buckets[cells], of.times[cells])


def _best_of(losses: Array, known: NDArray[np.bool], end: int) -> int:
    """The rate of the least log loss of the last messages before `end`."""
    rows = np.flatnonzero(known[:end])[-LAST:]
    return int(losses[:, rows].mean(axis=1).argmin()) if rows.size else 0


def faded(
    history: History, y: Codes, folders: int, half_life: float | str | None, pairs: bool
) -> tuple[Replay, float | None]:
    """Replayed with mail that counts half after a number of days, and those days: of "auto", the ones of the least
    loss."""
    mail, dates, letters = history.mail, history.dates, history.letters
    lives = HALF_LIVES if half_life == "auto" else (None if half_life is None else float(half_life),)
    past = [
        replay(mail, y, folders, None if life is None else growth_of(dates, life), pairs, letters=letters)
        for life in lives
    ]
    at = int(np.argmin([one.loss for one in past]))
    return past[at], lives[at]


def growth_of(dates: Array, half_life: float) -> Array:
    """The weight of each message relative to those before it, where mail of `half_life` days ago counts half."""
    days = np.maximum.accumulate(dates) / DAY
    return np.asarray(np.exp2(np.minimum((days - days[:1]) / half_life, 900.0)))


def _evidence(
    mail: pa.Table, column: str, how: dict[str, Tokens], y: Codes, folders: int, growth: Array | None = None
) -> Array:
    """What a column adds for each message by those before it, at scale 1."""
    counts = replace(how[column], root=False).matrix(texts_of(mail, column))[0]  # the root is taken there
    return odds_replayed(counts, y, folders, IMAGINED, growth)[0]


def _chances(scores: Array) -> Array:
    """p(folder | message), NaN in a row where no folder is known."""
    with np.errstate(invalid="ignore"):
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _scales(evidence: list[Array], y: Codes, known: NDArray[np.bool], end: int, start: Array) -> Array:
    """The scales of the least log loss of the last messages before `end`, shrunk towards `SCALES` by the weight of one.
    The search starts from those of before."""
    rows = np.flatnonzero(known[:end])[-LAST:]
    if not rows.size:
        return SCALES
    parts = [np.where(np.isfinite(part[rows]), part[rows], -1e6) for part in evidence]
    passed = evidence_pass(np.stack(parts, axis=2), y[rows])
    ridge, enough = np.eye(len(parts)), 1e-7 * len(rows)
    return least(passed, ridge, np.log(SCALES), start=np.log(start), logs=True, enough=enough)[0]


def _seen(y: Codes, best: Codes, folders: int, growth: Array | None) -> Array:
    """How many messages of the folder guessed were known, those that fade by what is left of them."""
    weight = np.ones(len(y)) if growth is None else growth
    known, out = np.zeros(folders), np.zeros(len(y))
    for row, (own, guess) in enumerate(zip(y.tolist(), best.tolist(), strict=True)):
        out[row] = known[guess] / weight[row] if guess >= 0 else 0.0
        known[own] += weight[row]
    return out
