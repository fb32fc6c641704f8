"""The validation of fitted models on their own rows: k-fold cross-validation."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely import _native
from likely.data import Sample
from likely.validation.folds import cross_validate
from likely.validation.result import Result

PARTS = 5
FEW = 1000
"""Rows up to which C, and the scale of naive Bayes, are chosen again for each part: what all rows have chosen fits
few of them too well."""


def in_parts(model: Any, sample: Sample) -> Result:
    """Leave-one-out predictions of a logistic regression, by a Newton step for each row, look better than they are, as
    bins and families were chosen with them in view. So they are used only where a fold may lack what the whole has:
    constraints that name it, or a class of one row; then of other models too, so that all are judged alike.
    """
    if np.bincount(sample.y, minlength=len(model.classes)).min() < 2 or (not model.counts_rows and model.limits):
        return _loo(model, sample)
    if not model.counts_rows and len(sample) > FEW:
        model = model.fixed
    k, labels = min(PARTS, len(sample)), sample.classes[sample.y]
    return replace(cross_validate(model, sample.table, labels, k, stratify=True, sample_weight=sample.weight), fit=None)


def _loo(model: Any, sample: Sample) -> Result:
    log_p, how = model.loo_scores(sample), "leave-one-out"
    if model.counts_rows:
        log_p = model.loo_proba(sample, log_p, log=True)
    else:
        _native.normalise(log_p, np.zeros(log_p.shape[1]), True)
        how = (
            "leave-one-out by one Newton step for each row"
            if model.curved
            else "5 folds of margins, naive Bayes leave-one-out"
        )
    notes = ("What was chosen by looking at rows was chosen with all in view, so these figures are a little too good.",)
    codes = log_p.argmax(axis=1).astype(np.int32)
    return Result(
        f"{model.title}, {how}", model.classes, np.arange(len(sample)), sample.y, codes, log_p, sample.weight, notes
    )
