"""What a model that was learned answers to its own rows, each part of them by a model of the others."""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from likely import _native
from likely.data import Table
from likely.models.logistic.regression import LogisticRegression
from likely.validation.folds import cross_validate
from likely.validation.measures import Array, Codes
from likely.validation.result import Result

PARTS = 5
FEW = 1000
"""Rows up to which C, and how far naive Bayes is trusted, are chosen anew for each part: what all rows have chosen fits
few of them too well."""


def in_parts(model: Any, table: Table, y: Codes, weight: Array | None) -> Result:
    """Rows left out of a logistic regression one by one, by a step of Newton's, look better than they are, as bins and
    families were chosen with them in view. So they are only where a part may lack what the whole has: limits that name
    it, or a class of one row.
    """
    if isinstance(model, LogisticRegression):
        if model.limits or np.bincount(y, minlength=len(model.classes)).min() < 2:
            return _by_steps(model, table, y, weight)
        if len(y) > FEW:
            model = copy(model)
            model.candidates = (model.c,)
    k, labels = min(PARTS, len(y)), model.classes[y]
    return replace(cross_validate(model, table, labels, k, stratify=True, sample_weight=weight), fit=None)


def _by_steps(model: LogisticRegression, table: Table, y: Codes, weight: Array | None) -> Result:
    p = model.score_left_out(table, y, weight)
    _native.normalise(p, np.zeros(p.shape[1]), False)
    how = f"{type(model).__name__}, each row left out by a step of Newton's method"
    notes = ("What was chosen by looking at rows was chosen with all in view, so these figures are a little too good.",)
    return Result(how, model.classes, np.arange(len(y)), y, p.argmax(axis=1).astype(np.int32), p, weight, notes)
