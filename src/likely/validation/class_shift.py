"""Class shift: estimates how frequent the classes are in rows without labels, if p(x | y) has not changed."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.printing import aligned, percent, tail
from likely.statistics import Labels
from likely.tabular import Cells, Tabular
from likely.validation.measures import Array

STEPS = 10_000
CLOSE = 1e-10
"""EM stops when no share of a class changes by more than this."""

RARE = 0.05
"""The p-value below which the shares count as moved."""


@dataclass(frozen=True, eq=False)
class ClassShift(Tabular):
    """p(y) before and after. `print(shift)` shows both, and whether the difference may be due to chance.

    See Also
    --------
    class_shift : makes it.
    """

    classes: Labels
    before: Array
    after: Array
    predicted: Array
    """The mean predicted probability of each class: this is the new share if p(y | x) has not changed."""
    log_ratio: float
    """The log likelihood ratio of the new shares against the old ones. If few rows were learned it is reduced, because
    the old shares vary by chance too."""

    @property
    def p_value(self) -> float:
        """The p-value of the likelihood-ratio test: how often chance alone makes such a difference."""
        from scipy.special import gammaincc

        freedom = len(self.classes) - 1
        return float(gammaincc(freedom / 2, max(self.log_ratio, 0.0))) if freedom else 1.0

    @property
    def moved(self) -> bool:
        return self.p_value < RARE

    def adjust(self, p: Array) -> Array:
        """Corrects the probabilities of a model that learned the old shares, to those of a model with the new
        shares."""
        known = self.before > 0
        odds = p * np.divide(self.after, self.before, out=np.zeros(len(p.T)), where=known)
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def cells(self) -> Cells:
        shares = {"before": self.before, "after": self.after, "predicted": self.predicted}
        return {"class": self.classes.tolist()} | {name: share.tolist() for name, share in shares.items()}

    @property
    def caption(self) -> str:
        how = "moved" if self.moved else "did not move by more than chance"
        return f"Class shares, estimated without labels, {how} (p {tail(self.p_value)})."

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [("class", "", "before", "after", "mean prediction")]
        shares = zip(self.classes.tolist(), self.before, self.after, self.predicted, strict=True)
        lines += [(str(label), "", *map(percent, each)) for label, *each in shares]
        return f"{self.caption}\n{aligned(lines)}"


def class_shift(p: Array, before: Array, classes: Labels | None = None, learned: float | None = None) -> ClassShift:
    """Estimates the new share of each class from rows without labels, by EM (Saerens, Latinne and Decaestecker 2002).

    Parameters
    ----------
    p : array of rows x classes
        The probabilities of the new rows. They must be calibrated: the test relies on them.
    before : array
        The share of each class in the rows learned.
    classes : labels, optional
        The classes, in the order of the columns of `p`; 0, 1, 2, ... by default.
    learned : float, optional
        How many rows the model has learned; their shares vary by chance too. By default many more than the new rows.

    Returns
    -------
    ClassShift
        The shares before and after, and the p-value of no change; `adjust` corrects probabilities.

    See Also
    --------
    drift : whether columns have changed.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.validation import class_shift
    >>> p = np.repeat([[0.9, 0.1], [0.2, 0.8]], [20, 80], axis=0)
    >>> class_shift(p, np.array([0.5, 0.5])).after.round(2).tolist()
    [0.17, 0.83]
    """
    p, before = np.asarray(p, np.float64), np.asarray(before, np.float64)
    if p.ndim != 2 or not len(p) or before.shape != p.shape[1:]:
        raise ValueError(
            f"p has shape {p.shape} and the class prior {before.shape}: rows x classes and classes are needed"
        )
    if not np.isfinite(p).all() or not (before >= 0).all() or abs(before.sum() - 1) > 1e-6:
        raise ValueError("p and the class prior must be probabilities")
    ratio = np.divide(p, before, out=np.zeros(p.shape), where=before > 0)
    after = before
    for _ in range(STEPS):
        odds = ratio * after
        last, after = after, (odds / odds.sum(axis=1, keepdims=True)).mean(axis=0)
        if np.abs(after - last).max() < CLOSE:
            break
    log_ratio = float(np.log((ratio * after).sum(axis=1)).sum() - np.log((ratio * before).sum(axis=1)).sum())
    if learned is not None:
        log_ratio *= learned / (learned + len(p))  # the old shares have a variance too
    classes = np.arange(len(before)) if classes is None else classes
    return ClassShift(classes, before, after, p.mean(axis=0), log_ratio)


def shift_of(model: Any, x: Any) -> ClassShift:
    """The class shift between a fitted estimator and new rows without labels."""
    return class_shift(model.predict_proba(x), *class_shares(model.model_), model.class_count_.sum())


def class_shares(model: Any) -> tuple[Array, Labels]:
    """The p(y) that a model of `likely.models` has learned, and the classes."""
    if model.counts_rows:
        return np.asarray(np.exp(model.log_prior())), model.classes
    return np.asarray(model.class_counts / model.class_counts.sum()), model.classes
