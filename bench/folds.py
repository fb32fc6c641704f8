"""Error and log loss by stratified folds."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

FOLDS = 5


class Figures(NamedTuple):
    """The means over the folds, and their standard errors."""

    error: float
    log_loss: float
    error_se: float
    log_loss_se: float


def folds(make: Callable[[Any], Any], x: Any, y: Any) -> Figures:
    figures, wrong = [], 0
    take = x.take if isinstance(x, pa.Table) else lambda rows: x.iloc[rows]
    for train, test in _parted(y):
        model = make(x).fit(take(train), y[train])
        p = model.predict_proba(take(test))
        misses = model.classes_[p.argmax(axis=1)] != y[test]
        wrong += misses.sum()
        figures.append((np.mean(misses), log_loss(y[test], p, labels=model.classes_)))
    error, loss = np.mean(figures, axis=0)
    of_loss = np.std(figures, axis=0, ddof=1)[1] / FOLDS**0.5
    return Figures(error, loss, (wrong / len(y) * (1 - wrong / len(y)) / len(y)) ** 0.5, of_loss)


def first_fold(y: Any) -> tuple[Any, Any]:
    """The rows to learn and those to predict."""
    return next(iter(_parted(y)))


def _parted(y: Any) -> Any:
    return StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
