"""How often a model that has just been learned is wrong, each row left out; and its calibration by these answers."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.cli.kept import Kept
from likely.models.naive_bayes import NaiveBayes
from likely.validation import Calibration, Result, calibration
from likely.validation.left_out import calibrated, posterior_left_out


def of_counts(model: NaiveBayes, kept: Kept, missing: Any) -> Result:
    """The answers of a model that counts to the rows kept, each as if it had never been learned."""
    table, y, weight = kept.rows_of(model.classes, missing)
    p = posterior_left_out(model, model.score_left_out(table, y, weight), y, weight)
    share = "each row" if kept.step == 1 else f"one row in {kept.step}, each"
    how = f"{share} left out of its own count"
    return Result(how, model.classes, kept.at, y, p.argmax(axis=1).astype(np.int32), p, weight)


def with_calibration(result: Result) -> tuple[Result, Calibration]:
    """The answers with their probabilities calibrated, each tenth of the rows by the others; and the map by all."""
    with np.errstate(divide="ignore"):
        log_p = np.log(result.probabilities)
    found = calibration(log_p, result.y, result.classes, True, result.weight)
    p = calibrated(result, True, 0)
    how = f"{result.how}, calibrated ({found.how})"
    return replace(result, how=how, p=p, answers=p.argmax(axis=1).astype(np.int32)), found
