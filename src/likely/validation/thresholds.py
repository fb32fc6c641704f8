"""Thresholds on the probability of one class: how many rows each flags, finds and misses, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely.models.decision_rule import cost_table
from likely.plotted import Plotted
from likely.printing import aligned, percent
from likely.tabular import Cells, Tabular
from likely.typing import CostsLike, Label
from likely.validation import measures
from likely.validation.measures import Array
from likely.validation.rare_class import cross_fitted
from likely.validation.result import Result
from likely.validation.risk import reached

SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
"""The shares of flagged rows that are printed."""


BLURRED = 1e-9
"""Probabilities this near to 0 or 1 are rounded, so rows are ranked by log-odds there."""


class Cut(NamedTuple):
    """One threshold: rows are flagged if their probability is `threshold` or more.

    See Also
    --------
    Thresholds : all of them.
    """

    threshold: float
    flagged: float
    """The share of all rows that is flagged."""
    recall: float
    """The share of the rows of the class that are flagged."""
    precision: float
    """The share of the flagged rows that are of the class."""
    lift: float
    """The precision compared with flagging rows at random."""
    cost: float
    """The mean cost of a row."""


@dataclass(frozen=True, eq=False)
class Thresholds(Tabular, Plotted):
    """Every threshold that makes a difference, the highest first. Several may be equal, most often at 1, where
    probabilities round: log-odds rank these rows, but a threshold flags them together.

    See Also
    --------
    thresholds : makes it.
    choose_threshold : chooses one by cost.
    """

    of_class: Any
    rate: float
    """The share of rows that are of the class."""
    threshold: Array
    flagged: Array
    recall: Array
    precision: Array
    cost: Array

    def __len__(self) -> int:
        return len(self.threshold)

    def __getitem__(self, at: int) -> Cut:
        each = (self.threshold, self.flagged, self.recall, self.precision, self.precision / self.rate, self.cost)
        return Cut(*[float(figures[at]) for figures in each])

    def cells(self) -> Cells:
        return dict(zip(Cut._fields, zip(*(self[at] for at in range(len(self))), strict=True), strict=True))

    @property
    def caption(self) -> str:
        return f"{self.of_class}: {percent(self.rate)} of the rows"

    def at(self, threshold: float) -> Cut:
        """What is found and missed if rows with this probability or more are flagged."""
        above = int(reached(self.threshold, threshold).sum()) - 1
        if above < 0:
            raise ValueError(f"no row has a probability of {threshold:g} or more; the highest is {self.threshold[0]:g}")
        return self[above]._replace(threshold=threshold)

    def at_recall(self, wanted: float) -> Cut:
        """The highest threshold that finds this share of the class."""
        return self[self._whole(int(np.searchsorted(self.recall, wanted - 1e-12)))]

    def at_precision(self, wanted: float) -> Cut | None:
        """The lowest threshold with at least this precision; None if there is none."""
        whole = np.append(self.threshold[1:] < self.threshold[:-1], True)
        enough = np.flatnonzero(whole & (self.precision >= wanted))
        return self[int(enough[-1])] if enough.size else None

    def of_shares(self, shares: Iterable[float]) -> list[int]:
        """The highest thresholds that flag these shares of the rows, each once."""
        return sorted({self._whole(int(np.searchsorted(self.flagged, share - 1e-12))) for share in shares})

    def _whole(self, at: int) -> int:
        """The last position with the same threshold: a threshold flags all of these rows."""
        return int((self.threshold >= self.threshold[at]).sum()) - 1

    @property
    def average_precision(self) -> float:
        """The area under the curve of precision against recall."""
        return float((np.diff(self.recall, prepend=0.0) * self.precision).sum())

    def __str__(self) -> str:
        return self.listed({})

    def listed(self, marked: Mapping[str, float]) -> str:
        """The text that `print` shows, with more lines for the thresholds in `marked`, by name."""
        at = self.of_shares(SHOWN)
        own = [(self.at(one), what) for what, one in marked.items() if one <= self.threshold[0]]
        same = {cut.flagged for cut, _ in own}
        cuts = [*own, *((self[row], "") for row in at if self.flagged[row] not in same)]
        lines: list[tuple[str, ...]] = [("threshold", "", "flagged", "recall", "precision", "lift", "cost", "")]
        for cut, what in sorted(cuts, key=lambda cut: -cut[0].threshold):
            shares = (percent(share) for share in (cut.flagged, cut.recall, cut.precision))
            lines.append((f"{cut.threshold:.3f}", "", *shares, f"{cut.lift:.2f}", f"{cut.cost:.4g}", what))
        return f"{self.caption}\n{aligned(lines, '<<>>>>><')}"


def thresholds(result: Result, of_class: Label | None = None, costs: CostsLike = None) -> Thresholds:
    """Precision, recall and cost at each threshold on the probability of one class.

    Parameters
    ----------
    result : Result
        Predictions for rows that were not learned, such as leave-one-out.
    of_class : label, optional
        The class that is flagged; the second by default.
    costs : dict, text or array, optional
        What a mistake costs, as in `decide`; 1 by default. A row that is not flagged is predicted as the most probable
        of the other classes.

    Returns
    -------
    Thresholds
        Every threshold that makes a difference, the highest first; `at`, `at_recall` and `at_precision` look one up.

    See Also
    --------
    choose_threshold : the threshold of the lowest cost.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import leave_one_out, thresholds
    >>> found = thresholds(leave_one_out(NaiveBayes(), X, y), "lion")
    >>> found.at_recall(0.9).recall >= 0.9
    True
    """
    at, weight = result.position(of_class), measures.weights(len(result.y), result.weight)
    mine = result.y == at
    if not weight[mine].any():
        raise ValueError(f"no row is of class {result.classes.tolist()[at]!r}")
    flagged, unflagged = _costs(result, at, costs)
    p, odds = result.probabilities[:, at], result.log_odds[:, at]
    odds = np.where(np.minimum(p, 1 - p) < BLURRED, odds, 0.0)
    order = np.lexsort((-odds, -p))
    p, odds, w, hit = p[order], odds[order], weight[order], mine[order]
    last = np.append((p[1:] < p[:-1]) | (odds[1:] < odds[:-1]), True)  # equal rows are flagged together
    total, found = np.cumsum(w), np.cumsum(w * hit)
    cost = (w @ unflagged[order] + np.cumsum(w * (flagged - unflagged)[order])) / w.sum()
    there = last & (total > 0)
    return Thresholds(
        result.classes.tolist()[at],
        float(found[-1] / total[-1]),
        p[there],
        total[there] / total[-1],
        found[there] / found[-1],
        found[there] / total[there],
        cost[there],
    )


@dataclass(frozen=True)
class ChosenThreshold(Tabular):
    """The threshold of the lowest cost, judged on rows that did not choose it.

    See Also
    --------
    choose_threshold : makes it.
    Thresholds : all thresholds.
    """

    threshold: float
    cost: float
    """The mean cost of a row, with thresholds chosen without the row."""
    default_cost: float
    """The mean cost of a row if the most probable class is predicted."""
    gain: float
    interval: tuple[float, float]
    """The 95 % interval of the gain."""

    def cells(self) -> Cells:
        """One line: the threshold, its cost, that of the most probable class, and the gain with its interval."""
        low, high = self.interval
        return {
            "threshold": [self.threshold],
            "cost": [self.cost],
            "default cost": [self.default_cost],
            "gain": [self.gain],
            "gain from": [low],
            "gain to": [high],
        }

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"threshold {self.threshold:.3f}: cost {self.cost:.4g} a row, {self.default_cost:.4g} by the most probable "
            f"class; gain {self.gain:.4g} (95 % interval {low:.4g} to {high:.4g})"
        )


def choose_threshold(
    result: Result, costs: CostsLike = None, of_class: Label | None = None, seed: int = 0
) -> ChosenThreshold:
    """Chooses the threshold of the lowest cost.

    Each tenth of the rows is judged by the threshold that the other nine tenths choose, so that the gain is honest. The
    threshold returned is the one that all rows choose.

    Parameters
    ----------
    result : Result
        Predictions for rows that were not learned, such as leave-one-out.
    costs : dict, text or array, optional
        What a mistake costs, as in `decide`; 1 by default.
    of_class : label, optional
        The class that is flagged; the second by default.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    ChosenThreshold
        The threshold, its cost, and what it gains compared with predicting the most probable class.

    See Also
    --------
    thresholds : every threshold.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import choose_threshold, leave_one_out
    >>> chosen = choose_threshold(leave_one_out(NaiveBayes(), X, y), {("lion", "hyena"): 10}, "lion")
    >>> 0 < chosen.threshold < 0.5
    True
    """
    at, weight = result.position(of_class), measures.weights(len(result.y), result.weight)
    flagged, unflagged = _costs(result, at, costs)
    p, saved = result.probabilities[:, at], weight * (unflagged - flagged)
    default = cost_table(costs, result.classes)[result.y, result.probabilities.argmax(axis=1)]
    above = cross_fitted(p, result.y, lambda rows: _cheapest(p[rows], saved[rows]), seed)
    paid = np.where(above, flagged, unflagged)
    gains = default - paid
    gain = measures.mean(gains, weight)
    half = 1.96 * np.sqrt(measures.mean((gains - gain) ** 2, weight) / measures.effective(len(p), weight))
    chosen = _cheapest(p, saved)
    return ChosenThreshold(
        chosen, measures.mean(paid, weight), measures.mean(default, weight), gain, (gain - half, gain + half)
    )


def _cheapest(p: Array, saved: Array) -> float:
    """The threshold that saves most: half-way to the next lower probability, or above 1 to flag no row."""
    order = np.argsort(-p, kind="stable")
    high, low = p[order], np.append(p[order][1:], 0.0)
    sums = np.where(low < high, np.cumsum(saved[order]), -np.inf)  # rows with equal probabilities are flagged together
    at = int(sums.argmax())
    return float((high[at] + low[at]) / 2) if sums[at] > 0 else float(np.nextafter(1.0, 2.0))


def _costs(result: Result, at: int, costs: Any) -> tuple[Array, Array]:
    """The cost of each row if it is flagged, and if it is not: then the most probable other class is predicted."""
    table = cost_table(costs, result.classes)
    worth = -(result.probabilities @ table)
    worth[:, at] = -np.inf
    return table[result.y, at], table[result.y, worth.argmax(axis=1)]
