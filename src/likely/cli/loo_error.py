"""The leave-one-out error of a model that was just fitted, and the calibration learned from these predictions."""

from dataclasses import replace

from likely.fitting.row_sample import RowSample
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import Calibration, Result, calibration
from likely.validation.left_out import calibrated, loo_of_learned


def loo_result(model: NaiveBayesModel, rows: RowSample, folded: bool = True) -> Result:
    """The leave-one-out predictions of a model that counts rows, for a sample of the rows."""
    found = loo_of_learned(model, rows.sample(model.classes), folded and rows.step == 1)
    how = found.how if rows.step == 1 else f"{found.how}, of one row in {rows.step}"
    return replace(found, how=how, rows=rows.at)


def with_calibration(result: Result, learned_from: Result | None = None) -> tuple[Result, Calibration]:
    """The result with calibrated probabilities (by 10-fold cross-validation), and the calibration of the model.

    The calibration is learned from `learned_from`, the predictions of the final model; by default from `result`. They
    differ if the families and other choices were made again for each fold of `result`.
    """
    found = _calibration(result) if learned_from is None else _calibration(learned_from, result)
    how = f"{result.how}, calibrated ({found.how})"
    return replace(calibrated(result, True, 0), how=how), found


def _calibration(result: Result, unchosen: Result | None = None) -> Calibration:
    """The calibration learned from a result. Prediction sets use `unchosen`, if given: a result in which the judged row
    took no part in choices such as families."""
    judged = None if unchosen is None else unchosen.log_probabilities
    return calibration(result.log_probabilities, result.y, result.classes, True, result.weight, judged)
