"""How a model is judged once it has learned, beside the library's own ways."""

import numpy as np

from likely.cli.loo_error import loo_result, with_calibration
from likely.data import read
from likely.fitting.row_sample import RowSample
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import leave_one_out

from ..samples import sample_of
from .animals import COLUMNS, LABELS

SAMPLE = sample_of(COLUMNS, LABELS)
RNG = np.random.default_rng(0)


def test_counts_are_judged_row_by_row() -> None:
    found = loo_result(NaiveBayesModel().learn(SAMPLE), RowSample.of(SAMPLE, 0))
    expected = leave_one_out(NaiveBayesModel(), read(COLUMNS), LABELS)
    np.testing.assert_allclose(found.probabilities, expected.probabilities)
    assert found.how == "leave-one-out"
    kept = loo_result(NaiveBayesModel().learn(SAMPLE), RowSample.of(SAMPLE, 0), folded=False)
    expected = leave_one_out(NaiveBayesModel(), read(COLUMNS), LABELS, frame="kept")
    np.testing.assert_allclose(kept.probabilities, expected.probabilities)


def test_calibration_is_by_rows_that_it_was_not_learned_from() -> None:
    y = RNG.integers(0, 2, 2000)
    x = np.repeat(RNG.normal(y, 2.0)[:, None], 8, axis=1)  # one column eight times: far too confident
    raw = leave_one_out(NaiveBayesModel("gaussian", column_weights=False), read(x), y)
    found, map_ = with_calibration(raw)
    assert found.log_loss < 0.7 * raw.log_loss
    assert found.calibration_error < 0.5 * raw.calibration_error
    assert found.how.endswith(f"calibrated ({map_.how})")
    np.testing.assert_allclose(map_(np.log(raw.probabilities)), found.probabilities, atol=0.1)


def test_a_calibration_is_of_the_model_as_it_is_and_judged_by_other_rows() -> None:
    y = RNG.integers(0, 2, 300)
    x = np.repeat(RNG.normal(y, 2.0)[:, None], 8, axis=1)
    model = NaiveBayesModel("gaussian", column_weights=False)
    judged, as_is = leave_one_out(model, read(x), y), leave_one_out(model, read(x[:, :4]), y)
    found, map_ = with_calibration(judged, as_is)
    assert map_.scale == with_calibration(as_is)[1].scale != with_calibration(judged)[1].scale
    np.testing.assert_array_equal(found.probabilities, with_calibration(judged)[0].probabilities)
