"""Replay: rows in the order in which they came, each answered and then learned."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from likely.printing import aligned
from likely.validation.learner import learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import as_column

STRETCHES = 10
"""Of the error as it evolves, in print."""


@dataclass(frozen=True, eq=False)
class Replayed(Result):
    """The rows are in the order in which they were answered."""

    new: int = 0
    """How many rows were of a class that had not been learned before, and so could not be answered right."""

    def errors(self, window: int) -> Array:
        """The error over the last `window` rows, after each row; at the start, over as many as there are."""
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
        """The error of each stretch of the way."""
        ends = np.linspace(0, len(self.y), min(STRETCHES, len(self.y)) + 1).round().astype(int)
        lines: list[tuple[str, ...]] = [("rows answered", "", "error")]
        lines += [(f"{a} to {b - 1}", "", f"{(~self.right[a:b]).mean():.4f}") for a, b in pairwise(ends.tolist())]
        return ["", aligned(lines)]


def replay(
    model: Any,
    x: Any,
    y: Any,
    *,
    time: Any = None,
    start: int | None = None,
    batch: int = 1,
    delay: int = 0,
    sample_weight: Any = None,
) -> Replayed:
    """Answers the rows in their order, or in that of `time`, and learns each after it was answered.

    The first `start` rows are learned unasked: a tenth of all, up to 100, if none is given. Then `batch` rows at a time
    are answered by a model that has learned all rows before them but the last `delay`: feedback that comes late. What
    can learn more (`partial_fit`) does so; all else is fitted again for each batch, so let it be large. Families, bins
    and whatever else a model chooses are chosen by the first rows.
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
        parts.append(answers.p)
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
