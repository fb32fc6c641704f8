"""Rows whose own label is improbable for a model without the row: labels that may be wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned, counted
from likely.statistics import Labels
from likely.tabular import Cells, Tabular
from likely.typing import Classifier, LabelsLike, TableLike, WeightsLike
from likely.validation.folds import cross_validate
from likely.validation.learner import Learner, Model, ModelLearner, learner
from likely.validation.left_out import calibrated, leave_one_out
from likely.validation.measures import Array, Codes
from likely.validation.result import Result

PAIRS = 0.1
"""The share of all pairs of a row and a class, those that fit least, from which the rate of wrong labels is
estimated."""

SHOWN = 10
"""How many suspects are printed, each with the three columns that are the strongest evidence against its label."""


class Suspect(NamedTuple):
    row: int
    label: Any
    looks_like: Any
    probability: float
    """The leave-one-out probability of its label."""


@dataclass(frozen=True, eq=False)
class Audit(Tabular):
    """The rows whose label is probably wrong, the least probable label first, and then all others.

    See Also
    --------
    audit : makes it.
    """

    classes: Labels
    order: NDArray[np.intp]
    """The rows: first the suspects, then the others, both sorted by the probability of their label."""
    p: Array
    """Calibrated leave-one-out probabilities, rows x classes."""
    y: Codes
    noise: float
    """The estimated share of wrong labels."""
    found: int
    reasons: Callable[[int], Reasons] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return self.found

    def __getitem__(self, rank: int) -> Suspect:
        """The row of this rank in `order`, which has all rows, not only the suspects."""
        row = int(self.order[rank])
        others = self.p[row].copy()
        others[self.y[row]] = -1.0
        label, other = self.classes[[self.y[row], others.argmax()]].tolist()
        return Suspect(row, label, other, float(self.p[row, self.y[row]]))

    @property
    def suspects(self) -> list[Suspect]:
        return [self[rank] for rank in range(self.found)]

    def cells(self) -> Cells:
        """The suspects."""
        return {name: [getattr(suspect, name) for suspect in self.suspects] for name in Suspect._fields}

    @property
    def rows(self) -> NDArray[np.intp]:
        """The rows that are suspect."""
        return self.order[: self.found]

    def why(self, row: int) -> Reasons:
        """What each column of the row adds to each class, leave-one-out."""
        if self.reasons is None:
            raise TypeError("only a model that counts rows can show why")
        return self.reasons(row)

    def __str__(self) -> str:
        if not self.found:
            return f"none of {counted(len(self.order), 'row')} is surprising"
        shown = [self[rank] for rank in range(min(self.found, SHOWN))]
        why = [self.against(suspect) for suspect in shown]
        width = max(map(len, why), default=0)
        lines: list[tuple[str, ...]] = [("row", "label", "probability", "looks like", "why".ljust(width))]
        for (row, label, other, p), reasons in zip(shown, why, strict=True):
            lines.append((str(row), str(label), f"{p:.4f}", str(other), reasons.ljust(width)))
        more = f"\nand {self.found - SHOWN} more" if self.found > SHOWN else ""
        head = headline(self.found, len(self.order))
        return "\n".join(line.rstrip() for line in f"{head}\n{aligned(lines)}{more}".split("\n"))

    def against(self, suspect: Suspect) -> str:
        """The three columns that are the strongest evidence against its label, and for the class that it looks like; ""
        if there are none."""
        if self.reasons is None:
            return ""
        row, label, other, _ = suspect
        of, against = (int(np.flatnonzero(self.classes == name)[0]) for name in (label, other))
        reasons = sorted(self.why(row).reasons, key=lambda r: r.contributions[of] - r.contributions[against])[:3]
        return ", ".join(
            f"{reason.column}" if reason.value in (None, "") else f"{reason.column} {_short(reason.value)}"
            for reason in reasons
            if reason.contributions[of] < reason.contributions[against]
        )


def audit(
    model: Classifier | Model, x: TableLike, y: LabelsLike, *, sample_weight: WeightsLike = None, seed: int = 0
) -> Audit:
    """Ranks all rows by the leave-one-out probability of their own label, and shows which labels are probably wrong.

    The rate of wrong labels is estimated from the rows and classes that fit least. A label is suspect under two
    conditions. At that rate, it is more probably wrong than right. And the columns at least halve the prior probability
    that the row is not of the class that it looks like: if columns are not informative, rows of rare classes are no
    mistakes.

    Parameters
    ----------
    model : classifier
        One of Likely's, or any scikit-learn classifier. Its parameters are used, not what it may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Audit
        The rows, the most suspect first; `why` explains one.

    See Also
    --------
    leave_one_out : makes the predictions; for a model without a closed form, they come from ten folds.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import audit
    >>> found = audit(NaiveBayes(), X, y)
    >>> len(found.suspects) < len(y)
    True
    """
    bound = learner(model, x, y, sample_weight)
    result: Result
    if isinstance(bound, ModelLearner) or getattr(model, "calibrate", False):
        result = leave_one_out(model, x, y, sample_weight=sample_weight, seed=seed)
    else:
        result = cross_validate(model, x, y, min(10, len(bound.sample)), sample_weight=sample_weight, seed=seed)
    p = result.probabilities if getattr(model, "calibrate", False) else calibrated(result, True, seed).probabilities
    return audited(bound.sample.classes, bound.sample.y, p, _reasons(bound, result))


def audited(classes: Labels, y: Codes, p: Array, reasons: Callable[[int], Reasons] | None = None) -> Audit:
    """The audit for given probabilities: they must be calibrated, and leave-one-out or of rows that were not
    learned."""
    own = p[np.arange(len(p)), y]
    floor = max(_floor(p, y), 1 / len(p))
    suspect = (own <= 2 * floor) & spoken_against(p, y, np.bincount(y, minlength=len(classes)) / len(y))
    order = np.lexsort((own, ~suspect))
    found = int(suspect.sum())
    rate = min(1.0, floor * (len(classes) - 1))
    return Audit(classes, order, p, y, rate, found, reasons)


def headline(found: int, rows: int) -> str:
    """How many rows are surprising, in words."""
    what = "is surprising: check its label" if found == 1 else "are surprising: check their labels"
    return f"{found:,} of {counted(rows, 'row')} {what}"


def spoken_against(p: Array, y: Codes, share: Array) -> NDArray[np.bool]:
    """Whether the columns at least halve the probability that a row is not of the class that it looks like, compared
    with the shares of the classes.

    This is needed if the columns are not informative: then the pairs that fit least are simply all rows of the rarest
    class. Without it, 1,494 of 5,000 orders were suspect when 30 % of them were returned at random.
    """
    rows, others = np.arange(len(y)), p.copy()
    others[rows, y] = -1.0
    like = others.argmax(axis=1)
    return np.asarray(1 - others[rows, like] < (1 - share[like]) / 2)


def _floor(p: Array, y: Codes) -> float:
    x, at = np.unique(p, return_inverse=True)
    at = at.reshape(p.shape)
    return least_share(np.bincount(at[np.arange(len(y)), y], minlength=len(x)), np.bincount(at.ravel()))


def least_share(labels: NDArray[Any], pairs: NDArray[Any]) -> float:
    """The rate of wrong labels: how often a class is the label of rows that it does not fit at all. It is the lower end
    of an isotonic curve over the pairs of a row and a class, sorted by how well they fit. `pairs` counts all pairs in
    each step of that order, `labels` those of a row and its own label.
    """
    from scipy.optimize import isotonic_regression

    share = isotonic_regression(labels / pairs, weights=pairs).x
    return float(share[np.searchsorted(np.cumsum(pairs), PAIRS * pairs.sum())])


def _reasons(bound: Learner, result: Result) -> Callable[[int], Reasons] | None:
    if not isinstance(bound, ModelLearner):
        return None
    final = result.model
    whole = getattr(final, "model_", final)
    if not isinstance(whole, NaiveBayesModel):
        return None

    def of(row: int) -> Reasons:
        one = bound.sample.take(np.array([row]))
        return Explanation(whole.forget(one), one.table)[0]

    return of


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)[:20]
