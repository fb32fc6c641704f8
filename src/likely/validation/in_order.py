"""Replay: time-ordered rows, each predicted and then learned."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from likely.printing import aligned, percent
from likely.typing import Classifier, LabelsLike, TableLike, WeightsLike
from likely.validation.learner import Model, learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import as_column

STRETCHES = 10
"""The number of stretches whose error is printed."""


@dataclass(frozen=True, eq=False)
class Replayed(Result):
    """The result of a replay: each row was predicted, and then learned.

    See Also
    --------
    replay : makes it.
    Result : what it has in common with other methods.
    """

    new: int = 0
    """How many rows were of a class that had not been learned before, and so could not be predicted correctly."""

    def errors(self, window: int) -> Array:
        """The error over the last `window` rows, after each row; at the start, over all rows so far."""
        w = np.ones(len(self.y)) if self.weight is None else self.weight
        sums = np.cumsum([np.append(0.0, w * ~self.right), np.append(0.0, w)], axis=1)
        after = np.arange(1, len(self.y) + 1)
        wrong, of = sums[:, after] - sums[:, np.maximum(after - window, 0)]
        return np.asarray(np.divide(wrong, of, out=np.zeros(len(of)), where=of > 0))

    @property
    def cumulative(self) -> Array:
        """The error over all rows so far, after each row."""
        return self.errors(len(self.y))

    def _table(self) -> list[str]:
        """The error of each stretch, as a table."""
        ends = np.linspace(0, len(self.y), min(STRETCHES, len(self.y)) + 1).round().astype(int)
        lines: list[tuple[str, ...]] = [("rows answered", "", "error")]
        lines += [(f"{a} to {b - 1}", "", percent((~self.right[a:b]).mean())) for a, b in pairwise(ends.tolist())]
        return ["", aligned(lines)]


def replay(
    model: Classifier | Model,
    x: TableLike,
    y: LabelsLike,
    *,
    time: LabelsLike | None = None,
    start: int | None = None,
    batch: int = 1,
    delay: int = 0,
    sample_weight: WeightsLike = None,
) -> Replayed:
    """Predicts the rows in order, and learns each one after it was predicted.

    Families, bins and all other choices are made on the first rows.

    Parameters
    ----------
    model : classifier
        One of Likely's, or any scikit-learn classifier. Its parameters are used, not what it may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    time : numbers or dates, optional
        A value for each row, by which rows are ordered; the order of the table by default.
    start : int, optional
        The number of first rows that are learned before any prediction; a tenth of all, up to 100, by default.
    batch : int, default 1
        The number of rows that are predicted at a time. A model without `partial_fit` is fitted again for each batch,
        so choose a large one.
    delay : int, default 0
        The last `delay` rows before a batch are not learned yet: feedback that comes late.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.

    Returns
    -------
    Replayed
        A `Result` with the error so far (`cumulative`) and in a window (`errors`).

    See Also
    --------
    holdout : with `time`, one split by time.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import replay
    >>> result = replay(NaiveBayes(), X, y, start=40)
    >>> len(result.rows), result.error < 0.3
    (82, True)
    """
    bound = learner(model, x, y, sample_weight)
    sample, n = bound.sample, len(bound.sample)
    start = max(1, min(100, n // 10)) if start is None else start
    if not 1 <= start < n or batch < 1 or delay < 0:
        raise ValueError(
            f"start is from 1 to {n - 1}, batch 1 or more and delay 0 or more, not {start}, {batch}, {delay}"
        )
    order = np.arange(n) if time is None else np.argsort(as_column(time, n, "time"), kind="stable")
    learned, done = bound.learn(order[:start]), start
    known = np.zeros(len(sample.classes), np.bool)
    known[sample.y[order[:start]]] = True
    codes, parts, new = [], [], 0
    for at in progress(range(start, n, batch), "rows in order"):
        upto = max(done, at - delay)
        if upto > done:
            learned = bound.learn_more(learned, order[:done], order[done:upto])
            known[sample.y[order[done:upto]]] = True
            done = upto
        rows = order[at : at + batch]
        answers = bound.answer(learned, rows)
        new += int((~known[sample.y[rows]]).sum())
        codes.append(answers.codes)
        parts.append(answers.log_p)
    rows = order[start:]
    late = f", feedback {delay} rows late" if delay else ""
    return Replayed(
        f"{bound.name}, {n - start} rows in order, {batch} at a time{late}",
        sample.classes,
        rows,
        sample.y[rows],
        np.concatenate(codes),
        None if parts[0] is None else np.concatenate(parts),  # type: ignore[arg-type]
        None if sample.weight is None else sample.weight[rows],
        (f"{new} rows were of a class not learned before them",) if new else (),
        bound.final,
        new,
    )
