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
"""With at most this many rows, C and the scale of naive Bayes are chosen again for each fold: chosen on all rows, they
fit few rows too well."""


def in_parts(model: Any, sample: Sample) -> Result:
    """k-fold predictions of a fitted model, or leave-one-out predictions if folds are not possible.

    For logistic regression, leave-one-out by one Newton step per row looks too good, because bins and families were
    chosen on all rows. It is used only if a fold may lack something that the model needs: a category named in a
    constraint, or a class with a single row. Then it is used for other models too, so that all are judged in the same
    way.
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
    notes = ("Families, bins and the like were chosen on all rows, so these figures are a little too good.",)
    codes = log_p.argmax(axis=1).astype(np.int32)
    return Result(
        f"{model.title}, {how}", model.classes, np.arange(len(sample)), sample.y, codes, log_p, sample.weight, notes
    )
