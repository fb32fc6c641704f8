"""Replays a history of mail in order of date: the folder of each message is guessed, and then the message is learned.

`likely.validation.replay` does this with any model. Here two kernels in C do it for many messages at once, for naive
Bayes, its scales and its blend with logistic regression: 10,000 messages take half a second.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.families.word_loo import OddsReplay
from likely.mail.confidence import FIRST, Guesses
from likely.mail.folder_records import FolderRecords
from likely.mail.history import History
from likely.mail.online_blend import RATES, Codes, Weights, features, no_weights, step
from likely.mail.reading import texts_of, tokens
from likely.models.log_odds import log_odds
from likely.optimize.softmax.evidence import evidence_pass, least
from likely.optimize.softmax.problem import Array

PSEUDOCOUNT = 10**-2.5
"""The pseudo-count of each token. Replayed with 0.001, 0.003, 0.01 and 0.03, the mean accuracy of the four users of
`python -m bench filing` was 0.860, 0.861, 0.855 and 0.842."""

SCALES = np.array([0.075, 0.15])
"""The scale of each of the two texts before there is mail to choose by: half of what replay chooses from a hundred
messages. With few messages, a word seen once looks like proof. With twice these scales, 344 spam messages of
SpamAssassin's corpus are missed where 0.1 % of the ham is lost, not 200 (`python -m bench filing --only
spam_streams`); in three other random orders 218, 348 and 224, not 173, 323 and 178."""

LAST = 2000
"""Scales, blend and pairs of words are chosen by the last 2,000 messages."""

PIECE = 1024
"""How many messages have their scores in memory at a time. For 100,000 messages in 200 folders, all scores would take
160 MB for each of several tables."""

ENOUGH = 1000
"""With fewer messages, 1 % of the loss is less than its standard error, and pairs of words are not tried."""

WORTH = 0.99
"""Pairs of words must lower the loss by 1 %. They do for spam against ham, where they halve the errors (`python -m
bench filing --only spam`), but not where sender and subject decide."""

HALF_LIVES = (None, 730.0, 365.0, 180.0, 90.0, 45.0)
"""The half-lives, in days, that "auto" chooses from; None for no fading."""

DAY = 86400.0


@dataclass(frozen=True)
class Replay:
    """The guesses for all messages, and what was chosen by them."""

    best: Codes
    """The folder guessed, as a code; -1 where none was known yet."""
    guesses: Guesses
    records: FolderRecords
    """How guesses of each folder (by its code) turned out, after all messages."""
    loss: float
    """The mean log loss of the messages whose folder was known."""
    scales: Array
    """The scale of each text, chosen at the end."""
    rate: float
    """The learning rate of the blend, chosen at the end; 0 for naive Bayes alone."""
    weights: Weights | None
    """The weights of the blend at that rate; None for naive Bayes alone."""


def worth_pairs(mail: pa.Table, y: Codes, folders: int) -> bool:
    """Whether pairs of words help naive Bayes: the last messages are replayed with and without them. False for fewer
    than 1,000 messages."""
    if len(y) < ENOUGH:
        return False
    last = slice(max(0, len(y) - LAST), len(y))
    mail, y = mail[last], y[last]
    words, both = (replay(mail, y, folders, pairs=pairs, leans=False).loss for pairs in (False, True))
    return both < WORTH * words


class ReplayEvidence:
    """What each text of a message adds to the score of each folder, at scale 1, learned from the messages before it."""

    def __init__(self, folders: int, pairs: bool) -> None:
        self.columns = {  # the root is taken there
            column: OddsReplay(replace(how, root=False), folders, PSEUDOCOUNT) for column, how in tokens(pairs).items()
        }
        self.recent = [np.empty((0, folders)) for _ in self.columns]
        """The evidence of the last messages whose folder was known; for each text, messages x folders."""
        self.own = np.empty(0, np.int32)
        """The codes of their folders."""

    def next(self, mail: pa.Table, y: Codes, growth: Array | None) -> tuple[list[Array], NDArray[np.bool]]:
        """The evidence of the next messages, which are then learned, and whether the folder of each was known
        before."""
        found = [replay.next(texts_of(mail, column), y, growth)[0] for column, replay in self.columns.items()]
        known = np.isfinite(found[0][np.arange(len(y)), y])
        self.recent = [np.concatenate([old, new[known]])[-LAST:] for old, new in zip(self.recent, found, strict=True)]
        self.own = np.concatenate([self.own, y[known]])[-LAST:]
        return found, known

    def scales(self, start: Array) -> Array:
        """The scales with the least log loss on the last messages, shrunk towards `SCALES` by a ridge of 1 on their
        logarithms. The search begins at `start`, the scales chosen before."""
        if not len(self.own):
            return SCALES
        parts = [np.where(np.isfinite(part), part, -1e6) for part in self.recent]
        passed = evidence_pass(np.stack(parts, axis=2), self.own)
        ridge, enough = np.eye(len(parts)), 1e-7 * len(self.own)
        return least(passed, ridge, np.log(SCALES), start=np.log(start), logs=True, enough=enough)[0]


def replay(
    mail: pa.Table,
    y: Codes,
    folders: int,
    growth: Array | None = None,
    pairs: bool = False,
    leans: bool = True,
    letters: NDArray[np.int64] | None = None,
) -> Replay:
    """`mail` is the table of the messages in order of date, and `y` the codes of their folders. With `leans`, the blend
    is tried, else naive Bayes alone. With the `letters` of a history, a guess is right if any copy of the message is in
    that folder."""
    best, odds, loss, scales, rate, weights = _guessed(mail, y, folders, growth, pairs, leans)
    right = best == y if letters is None else np.isin(letters * folders + best, letters * folders + y) & (best >= 0)
    standing, records = FolderRecords().following(best.tolist(), y.tolist(), right)
    guesses = Guesses(odds, _seen(y, best, folders, growth), *standing, right)
    return Replay(best, guesses, records, loss, scales, rate, weights)


def _guessed(
    mail: pa.Table, y: Codes, folders: int, growth: Array | None, pairs: bool, leans: bool
) -> tuple[Codes, Array, float, Array, float, Weights | None]:
    """For each message the guessed folder and its log-odds; for all of them the mean loss, scales, rate and weights."""
    rates = RATES if leans else RATES[:1]
    weights = [no_weights(folders) if rate else None for rate in rates]
    evidence, scales, chosen = ReplayEvidence(folders, pairs), SCALES, 0
    known = np.zeros(len(y), np.bool)
    best, odds, loss = np.full(len(y), -1, np.int32), np.full(len(y), -np.inf), np.zeros(len(y))
    losses = np.zeros((len(rates), len(y)))
    for piece, choose in _pieces(len(y)):
        if choose:
            scales, chosen = evidence.scales(scales), _best_of(losses, known, piece.start)
        some, own = mail[piece], (np.arange(piece.stop - piece.start), y[piece])
        parts, known[piece] = evidence.next(some, y[piece], None if growth is None else growth[piece])
        scores = sum(scale * part for scale, part in zip(scales, parts, strict=True))
        marks = features(some, pairs) if leans else None
        for at, (rate, steps) in enumerate(zip(rates, weights, strict=True)):
            leaned = scores.copy()
            if steps is not None and marks is not None:
                step(marks, y[piece], rate, steps, leaned)
            losses[at, piece] = -np.log(np.maximum(_chances(leaned)[own], 1e-15))
            if at == chosen:
                possible = np.isfinite(scores).any(axis=1)
                best[piece] = np.where(possible, leaned.argmax(axis=1), -1)
                odds[piece] = np.where(possible, log_odds(leaned).max(axis=1), -np.inf)
                loss[piece] = losses[at, piece]
    mean = float(loss[known].mean()) if known.any() else np.inf
    scales, chosen = evidence.scales(scales), _best_of(losses, known, len(y))
    return best, odds, mean, scales, rates[chosen], weights[chosen]


def _pieces(rows: int) -> Iterator[tuple[slice, bool]]:
    """Slices of messages to score at once, each with whether scales and blend are chosen before it: after the `FIRST`
    messages, and again whenever their number has doubled."""
    start, until = 0, FIRST
    while start < rows:
        stop = min(start + PIECE, until, rows)
        yield slice(start, stop), 0 < start == until // 2
        start, until = stop, 2 * stop if stop == until else until


def _best_of(losses: Array, known: NDArray[np.bool], end: int) -> int:
    """The index of the rate with the least log loss on the last messages before `end`."""
    rows = np.flatnonzero(known[:end])[-LAST:]
    return int(losses[:, rows].mean(axis=1).argmin()) if rows.size else 0


def faded(
    history: History, y: Codes, folders: int, half_life: float | str | None, pairs: bool
) -> tuple[Replay, float | None]:
    """The replay with mail that counts half after `half_life` days, and the half-life: for "auto", the one with the
    least loss."""
    mail, dates, letters = history.mail, history.dates, history.letters
    lives = HALF_LIVES if half_life == "auto" else (None if half_life is None else float(half_life),)
    past = [
        replay(mail, y, folders, None if life is None else growth_of(dates, life), pairs, letters=letters)
        for life in lives
    ]
    at = int(np.argmin([one.loss for one in past]))
    return past[at], lives[at]


def growth_of(dates: Array, half_life: float) -> Array:
    """The weight of each message relative to the first one, if a message that is `half_life` days older counts half."""
    days = np.maximum.accumulate(dates) / DAY
    return np.asarray(np.exp2(np.minimum((days - days[:1]) / half_life, 900.0)))


def _chances(scores: Array) -> Array:
    """p(folder | message); NaN for messages before any folder is known."""
    with np.errstate(invalid="ignore"):
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _seen(y: Codes, best: Codes, folders: int, growth: Array | None) -> Array:
    """How many messages of the guessed folder had been learned; with a half-life, old ones count less."""
    weight = np.ones(len(y)) if growth is None else growth
    known, out = np.zeros(folders), np.zeros(len(y))
    for row, (own, guess) in enumerate(zip(y.tolist(), best.tolist(), strict=True)):
        out[row] = known[guess] / weight[row] if guess >= 0 else 0.0
        known[own] += weight[row]
    return out
