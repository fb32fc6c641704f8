"""The validation of a fitted model on its own rows: k-fold cross-validation."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely import _native
from likely.data import Sample
from likely.validation.folds import cross_validate
from likely.validation.result import Result

PARTS = 5
FEW = 1000
"""Rows up to which C, and the scale of naive Bayes, are chosen anew for each part: what all rows have chosen fits
few of them too well."""


def in_parts(model: Any, sample: Sample) -> Result:
    """Leave-one-out predictions of a logistic regression, by a Newton step for each row, look better than they are, as
    bins and families were chosen with them in view. So they are used only where a fold may lack what the whole has:
    constraints that name it, or a class of one row.
    """
    if not model.counts_rows:
        if model.limits or np.bincount(sample.y, minlength=len(model.classes)).min() < 2:
            return _by_steps(model, sample)
        if len(sample) > FEW:
            model = model.fixed
    k, labels = min(PARTS, len(sample)), sample.classes[sample.y]
    return replace(cross_validate(model, sample.table, labels, k, stratify=True, sample_weight=sample.weight), fit=None)


def _by_steps(model: Any, sample: Sample) -> Result:
    p = model.loo_scores(sample)
    _native.normalise(p, np.zeros(p.shape[1]), False)
    how = f"{model.name}, leave-one-out by one Newton step for each row"
    notes = ("What was chosen by looking at rows was chosen with all in view, so these figures are a little too good.",)
    codes = p.argmax(axis=1).astype(np.int32)
    return Result(how, model.classes, np.arange(len(sample)), sample.y, codes, p, sample.weight, notes)
