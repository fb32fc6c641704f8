"""A history of mail replayed in its order: every message is guessed by what was learned before it, then learned."""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.families.replayed import odds_replayed
from likely.mail.confidence import Guesses
from likely.mail.newton import Array, least
from likely.text import Texts, Tokens

Codes = NDArray[np.int32]

COLUMNS = ("text", "marks")
"""The two texts of `likely.mail.table`."""

IMAGINED = 10**-2.5
"""The count imagined of each token. Replayed with 0.001, 0.003, 0.01 and 0.03, the mean accuracy of the four users of
`python -m bench filing` was 0.860, 0.861, 0.855 and 0.842."""

SCALES = np.array([0.15, 0.3])
"""How much each of the two texts tells, until there is mail to choose by: about what was chosen for those four."""

FIRST = 100
"""Messages before the scales are chosen for the first time; then again whenever there are twice as many."""

LAST = 2000
"""Messages that the scales are chosen by, and whether pairs of words are counted."""

ENOUGH = 1000
"""Messages below which a hundredth of the loss is less than its error."""

WORTH = 0.99
"""Pairs of words must bring a hundredth of the loss. They do where spam is told from ham: errors fell by half, see
`python -m bench filing --only spam`. They do not where mail is told by whom it is from and what about."""

DAY = 86400.0


@dataclass(frozen=True)
class Replay:
    """What would have been guessed of each message."""

    best: Codes
    """The folder guessed, as a code; -1 where none was known yet."""
    guesses: Guesses
    loss: float
    """The mean log loss of the messages whose folder was known."""
    scales: Array
    """How much each text tells, chosen by all."""


def tokens(pairs: bool) -> dict[str, Tokens]:
    """How the two texts are read: the first as words, or as words and pairs of neighbours."""
    return {
        "text": Tokens(ngrams=(1, 2) if pairs else (1, 1), sublinear=True, root=True),
        "marks": Tokens(lower=False, whole=True, sublinear=True, root=True),
    }


def worth_pairs(mail: pa.Table, y: Codes, folders: int) -> bool:
    """Whether pairs of words tell more, by the last messages replayed both ways; of fewer than 1,000, never."""
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


def replay(mail: pa.Table, y: Codes, folders: int, growth: Array | None = None, pairs: bool = False) -> Replay:
    """`mail` is the table of the messages in the order of their time, and `y` the codes of their folders."""
    how = tokens(pairs)
    return _replayed([_evidence(mail, column, how, y, folders, growth) for column in how], y, folders, growth)


def _replayed(evidence: list[Array], y: Codes, folders: int, growth: Array | None = None) -> Replay:
    rows = np.arange(len(y))
    known = np.isfinite(evidence[0][rows, y]) if len(y) else np.empty(0, np.bool)
    chance = np.empty((len(y), folders))
    scales, start = SCALES, 0
    while start < len(y):
        end = min(FIRST if start == 0 else 2 * start, len(y))
        if start:
            scales = _scales([part[:start] for part in evidence], y[:start], known[:start])
        chance[start:end] = _chances([part[start:end] for part in evidence], scales)
        start = end
    if len(y):
        scales = _scales(evidence, y, known)
    best = np.where(np.isfinite(chance).any(axis=1), chance.argmax(axis=1), -1).astype(np.int32) if folders else y
    highest = chance[rows, best]
    guesses = Guesses(np.where(best < 0, 0.0, highest), _seen(y, best, folders, growth), best == y)
    with np.errstate(divide="ignore"):
        loss = -np.log(np.maximum(chance[rows, y][known], 1e-15)).mean() if known.any() else np.inf
    return Replay(best, guesses, float(loss), scales)


def growth_of(dates: Array, half_life: float) -> Array:
    """How much each message weighs beside those before it, where mail of `half_life` days ago counts half."""
    days = np.maximum.accumulate(dates) / DAY
    return np.asarray(np.exp2(np.minimum((days - days[:1]) / half_life, 900.0)))


def _evidence(
    mail: pa.Table, column: str, how: dict[str, Tokens], y: Codes, folders: int, growth: Array | None = None
) -> Array:
    """What a column tells of each message by those before it, at scale 1."""
    texts = mail[column].combine_chunks()
    texts = texts.chunk(0) if isinstance(texts, pa.ChunkedArray) else texts
    counts = replace(how[column], root=False).matrix(Texts.of_arrow(texts))[0]  # the root is taken there
    return odds_replayed(counts, y, folders, IMAGINED, growth)[0]


def _chances(evidence: list[Array], scales: Array) -> Array:
    """p(folder | message), NaN in a row where no folder is known."""
    scores = sum(scale * part for scale, part in zip(scales, evidence, strict=True))
    with np.errstate(invalid="ignore"):
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _scales(evidence: list[Array], y: Codes, known: NDArray[np.bool]) -> Array:
    """The scales of the least log loss of the last messages, held to `SCALES` by the weight of one message."""
    rows = np.flatnonzero(known)[-LAST:]
    if not rows.size:
        return SCALES
    parts = [np.where(np.isfinite(part[rows]), part[rows], -1e6) for part in evidence]
    own = np.array([part[np.arange(len(rows)), y[rows]] for part in parts])

    def odds(logs: Array) -> tuple[Array, Array]:
        """p(folder | message) up to a factor, and the log of what it sums to."""
        scales = np.exp(logs)
        scores = scales[0] * parts[0]
        scores += scales[1] * parts[1]
        most = scores.max(axis=1)
        scores -= most[:, None]
        p = np.exp(scores, out=scores)
        return p, np.log(p.sum(axis=1)) + most

    def loss(logs: Array) -> float:
        away = logs - np.log(SCALES)
        return float((odds(logs)[1] - np.exp(logs) @ own).sum() + 0.5 * (away**2).sum()) / len(rows)

    def slopes(logs: Array) -> tuple[Array, Array]:
        """The curvature as if the loss were linear in the logs: else it may not be positive."""
        scales, (p, _) = np.exp(logs), odds(logs)
        p /= p.sum(axis=1, keepdims=True)
        means = np.array([np.einsum("ij,ij->i", p, part) for part in parts])
        squares = [[np.einsum("ij,ij,ij", p, one, other) for other in parts] for one in parts]
        gradient = scales * (means - own).sum(axis=1) + logs - np.log(SCALES)
        curvature = np.outer(scales, scales) * (np.array(squares) - means @ means.T) + np.eye(len(scales))
        return gradient / len(rows), curvature / len(rows)

    return np.exp(least(loss, slopes, np.log(SCALES), tol=1e-7))


def _seen(y: Codes, best: Codes, folders: int, growth: Array | None) -> Array:
    """How many messages of the folder guessed were known, those that fade by what is left of them."""
    weight = np.ones(len(y)) if growth is None else growth
    known, out = np.zeros(folders), np.zeros(len(y))
    for row, (own, guess) in enumerate(zip(y.tolist(), best.tolist(), strict=True)):
        out[row] = known[guess] / weight[row] if guess >= 0 else 0.0
        known[own] += weight[row]
    return out
