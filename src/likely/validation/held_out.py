"""The error on rows that were learned, and on rows kept for the end."""

from typing import Any

import numpy as np

from likely.validation.learner import Learner, learner
from likely.validation.result import Result
from likely.validation.rows import Rows, cut


class Training(Result):
    """Of rows that were learned: it has no interval, as it says little of other rows."""

    @property
    def interval(self) -> tuple[float, float]:
        raise ValueError("the error on rows that were learned has no interval: it is not that of new rows")

    def _spread(self) -> str:
        return "of rows that were learned"


def training_error(model: Any, x: Any, y: Any, *, sample_weight: Any = None) -> Training:
    """The answers to the very rows learned: how well a model can remember, not how well it will do."""
    bound = learner(model, x, y, sample_weight)
    rows = np.arange(len(bound.sample))
    learned = bound.learn(rows)
    return Training(f"{bound.name}, rows that were learned", **judged(bound, learned, rows))


def holdout(
    model: Any,
    x: Any,
    y: Any,
    test: float = 0.25,
    *,
    stratify: bool = False,
    time: Any = None,
    group: Any = None,
    sample_weight: Any = None,
    seed: int = 0,
) -> Result:
    """The predictions for a held-out share of the rows.

    The rows are drawn at random; with `stratify`, stratified; with `time`, a value for each row, they are the
    last; with `group`, a value for each row, they are whole groups.
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
    """What a result holds of these rows."""
    codes, p = bound.answer(learned, rows)
    sample = bound.sample
    weight = None if sample.weight is None else sample.weight[rows]
    return {
        "classes": sample.classes,
        "rows": rows,
        "y": sample.y[rows],
        "answers": codes,
        "p": p,
        "weight": weight,
        "fit": bound.final,
    }
