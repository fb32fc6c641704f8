"""How often a model that has just been learned is wrong, each row left out; and its calibration by these answers."""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from likely.cli.kept import Kept
from likely.data import Table
from likely.models.logistic.regression import LogisticRegression
from likely.models.naive_bayes import NaiveBayes
from likely.validation import Calibration, Result, calibration, cross_validate
from likely.validation.left_out import calibrated, posterior_left_out
from likely.validation.measures import Array, Codes

PARTS = 5
FEW = 1000
"""Rows up to which the C of each part is chosen anew: one that all rows have chosen fits few of them too well."""


def of_counts(model: NaiveBayes, kept: Kept, missing: Any) -> Result:
    """The answers of a model that counts to the rows kept, each as if it had never been learned."""
    table, y, weight = kept.rows_of(model.classes, missing)
    p = posterior_left_out(model, model.score_left_out(table, y, weight), y, weight)
    share = "each row" if kept.step == 1 else f"one row in {kept.step}, each"
    how = f"{share} left out of its own count"
    return Result(how, model.classes, kept.at, y, p.argmax(axis=1).astype(np.int32), p, weight)


def in_parts(model: Any, table: Table, y: Codes, weight: Array | None) -> Result:
    """The answers to each part of the rows by a model of the others. Of more than a few rows, C is as it was chosen.

    Rows left out of a logistic regression one by one, by a step of Newton's, look better than they are, as bins and
    families were chosen with them in view.
    """
    if isinstance(model, LogisticRegression) and len(y) > FEW:
        model = copy(model)
        model.candidates = (model.c,)
    found = cross_validate(model, table, model.classes[y], min(PARTS, len(y)), sample_weight=weight)
    return replace(found, fit=None)


def with_calibration(result: Result) -> tuple[Result, Calibration]:
    """The answers with their probabilities calibrated, each tenth of the rows by the others; and the map by all."""
    with np.errstate(divide="ignore"):
        log_p = np.log(result.probabilities)
    found = calibration(log_p, result.y, result.classes, True, result.weight)
    p = calibrated(result, True, 0)
    how = f"{result.how}, calibrated ({found.how})"
    return replace(result, how=how, p=p, answers=p.argmax(axis=1).astype(np.int32)), found
