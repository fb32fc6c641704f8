"""Which rows a model has learned, according to its digest, and on which rows to judge it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from likely.data.row_digest import Marks, RowDigest
from likely.printing import percent

FEW = 20
"""With at least this many new rows, a model is judged only on these."""
ALIKE = 0.5
"""If a larger share of the learned rows has an equal among them, equal rows prove nothing."""
LEVEL = 0.01
"""The significance level: rows count as learned if chance makes as many equal to learned rows less often than this."""

PERHAPS = "It is not known whether the model has learned some of these rows; if it has, the figures are too good."


class Judged(NamedTuple):
    """The rows on which a model is judged: they are all new, or all learned."""

    rows: NDArray[np.intp]
    learned: bool
    note: str = ""
    known: bool = True
    """Whether it is known which rows the model has learned."""


def judged_by(digest: RowDigest, marks: Marks) -> Judged:
    """The new rows, if there are enough; otherwise the learned rows, to be judged by leave-one-out."""
    everything = np.arange(len(marks))
    checked, hit, chance = digest.look_up(marks)
    n, hits = int(checked.sum()), int(hit.sum())
    if chance > ALIKE or not n:
        sampled = f"its digest holds one row in {2**digest.level:,}, and none of these"
        why = "most rows that it has learned have an equal" if n else sampled
        return Judged(everything, False, f"{PERHAPS[:-1]}: {why}.", False)
    if not _more_than_chance(hits, n, chance):
        return Judged(everything, False)
    new = np.flatnonzero(checked & ~hit)
    if digest.level:
        share = (hits / n - chance) / (1 - chance)
        found = (
            f"About {percent(share)} of these {len(marks):,} rows were learned, by {n:,} of them that can be checked"
        )
    else:
        found = f"{hits:,} of these {n:,} rows {'was' if hits == 1 else 'were'} learned"
    if len(new) >= FEW or len(new) >= hits:
        return Judged(new, False, f"{found}: the figures are of the {_rows(len(new), 'new')} alone.")
    if not len(new):
        return Judged(everything, True)
    return Judged(np.flatnonzero(hit), True, f"{found}: the figures leave out the {_rows(len(new), 'new')}.")


def _rows(count: int, what: str) -> str:
    return f"{count:,} {what} {'row' if count == 1 else 'rows'}"


def _more_than_chance(hits: int, n: int, chance: float) -> bool:
    return bool(hits) and float(bdtrc(hits - 1, n, chance)) < LEVEL
