"""Which of some rows a model has learned, by its digest, and which of them it is judged by."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from likely.data.row_digest import Marks, RowDigest
from likely.printing import percent

FEW = 20
"""New rows from which on a model is judged by them alone."""
ALIKE = 0.5
"""A share of rows with an equal from which on equal rows prove nothing."""
LEVEL = 0.01
"""Rows are called learned where chance makes as many of them equal to learned ones less often than this."""

PERHAPS = "It is not known whether the model has learned some of these rows; if it has, the figures are too good."


class Judged(NamedTuple):
    """The rows that a model is judged by: all new, or all learned."""

    rows: NDArray[np.intp]
    learned: bool
    note: str = ""
    known: bool = True
    """Whether it is known which rows the model has learned."""


def judged_by(digest: RowDigest, marks: Marks) -> Judged:
    """New rows where there are enough of them; else those that were learned, to be judged by leave-one-out."""
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
