"""The training error, and the error on held-out rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.typing import Classifier, LabelsLike, TableLike, WeightsLike
from likely.validation.learner import Learner, Model, learner
from likely.validation.result import Result
from likely.validation.rows import Rows, cut


class Training(Result):
    """The result on rows that were learned. It has no interval, because it shows little about new rows."""

    @property
    def interval(self) -> tuple[float, float]:
        raise ValueError("the error on rows that were learned has no interval: it is no estimate for new rows")

    def _spread(self) -> str:
        return "of rows that were learned"


def training_error(
    model: Classifier | Model, x: TableLike, y: LabelsLike, *, sample_weight: WeightsLike = None
) -> Training:
    """The error on the rows learned: how well a model remembers, not how well it does on new rows.

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

    Returns
    -------
    Training
        A `Result` without an interval, since it shows little about new rows.

    See Also
    --------
    leave_one_out, cross_validate, holdout : errors on rows that were not learned.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import training_error
    >>> round(training_error(NaiveBayes(), X, y).error, 2)
    0.06
    """
    bound = learner(model, x, y, sample_weight)
    rows = np.arange(len(bound.sample))
    learned = bound.learn(rows)
    return Training(f"{bound.name}, rows that were learned", **judged(bound, learned, rows))


def holdout(
    model: Classifier | Model,
    x: TableLike,
    y: LabelsLike,
    test: float = 0.25,
    *,
    stratify: bool = False,
    time: LabelsLike | None = None,
    group: LabelsLike | None = None,
    sample_weight: WeightsLike = None,
    seed: int = 0,
) -> Result:
    """The predictions for a held-out share of the rows.

    Parameters
    ----------
    model : classifier
        One of Likely's, or any scikit-learn classifier. Its parameters are used, not what it may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    test : float, default 0.25
        The share of the rows that is held out at random.
    stratify : bool, default False
        Whether each part has the same share of each class.
    time : numbers or dates, optional
        A value for each row. Earlier rows are learned and later ones judged.
    group : labels, optional
        A value for each row. Rows of one group stay together, so that no group is both learned and judged.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Result
        The predictions for the held-out rows, with the error and its interval.

    See Also
    --------
    cross_validate : every row is held out once.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import holdout
    >>> result = holdout(NaiveBayes(), X, y, test=0.25)
    >>> len(result.rows), result.error < 0.3
    (30, True)
    """
    bound = learner(model, x, y, sample_weight)
    kept, held = cut((1 - test, test), bound.sample.y, np.random.default_rng(seed), stratify, group, time)
    how = (
        "by time"
        if time is not None
        else "by group"
        if group is not None
        else "of each class" * stratify or "at random"
    )
    title = f"{bound.name}, {len(held)} rows held out {how}, {len(kept)} learned"
    return Result(title, **judged(bound, bound.learn(kept), held))


def judged(bound: Learner, learned: Any, rows: Rows) -> dict[str, Any]:
    """The fields of a result for these rows."""
    codes, log_p = bound.answer(learned, rows)
    sample = bound.sample
    weight = None if sample.weight is None else sample.weight[rows]
    return {
        "classes": sample.classes,
        "rows": rows,
        "y": sample.y[rows],
        "answers": codes,
        "log_p": log_p,
        "weight": weight,
        "fit": bound.final,
    }
