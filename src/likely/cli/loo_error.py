"""The leave-one-out error of a model that has just been fitted, and its calibration by these predictions."""

from dataclasses import replace

import numpy as np

from likely.cli.row_sample import RowSample
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import Calibration, Result, calibration
from likely.validation.left_out import calibrated


def loo_result(model: NaiveBayesModel, rows: RowSample) -> Result:
    """The leave-one-out predictions of a model that counts, for the sampled rows."""
    sample = rows.sample(model.classes)
    p = model.loo_proba(sample, model.loo_scores(sample))
    how = "leave-one-out" if rows.step == 1 else f"leave-one-out, of one row in {rows.step}"
    return Result(how, model.classes, rows.at, sample.y, p.argmax(axis=1).astype(np.int32), p, sample.weight)


def with_calibration(result: Result) -> tuple[Result, Calibration]:
    """The result with its probabilities calibrated, by 10-fold cross-validation; and the calibration by all rows."""
    with np.errstate(divide="ignore"):
        log_p = np.log(result.probabilities)
    found = calibration(log_p, result.y, result.classes, True, result.weight)
    p = calibrated(result, True, 0)
    how = f"{result.how}, calibrated ({found.how})"
    return replace(result, how=how, p=p, answers=p.argmax(axis=1).astype(np.int32)), found
