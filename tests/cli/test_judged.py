"""How a model is judged once it has learned, beside the library's own ways."""

import numpy as np

from likely.cli.judged import of_counts, with_calibration
from likely.cli.kept import Kept
from likely.cli.labelled import Labelled
from likely.data import encode_target, read
from likely.data.stream import Batch
from likely.models.naive_bayes import NaiveBayes
from likely.validation import leave_one_out

from .animals import COLUMNS, LABELS

CLASSES, Y = encode_target(LABELS)
RNG = np.random.default_rng(0)


def test_counts_are_judged_row_by_row() -> None:
    model, kept = NaiveBayes(), Kept()
    model.learn(read(COLUMNS), CLASSES, Y)
    kept.add(Labelled(COLUMNS, read(COLUMNS), CLASSES, Y, None, Batch(COLUMNS, "", 0)))
    found = of_counts(model, kept, None)
    expected = leave_one_out(NaiveBayes(), read(COLUMNS), LABELS, frame="kept")
    np.testing.assert_allclose(found.probabilities, expected.probabilities)
    assert found.how == "each row left out of its own count"


def test_calibration_is_by_rows_that_it_was_not_learned_from() -> None:
    y = RNG.integers(0, 2, 2000)
    x = np.repeat(RNG.normal(y, 2.0)[:, None], 8, axis=1)  # one column eight times: far too sure of itself
    raw = leave_one_out(NaiveBayes("gaussian", weights=False), read(x), y)
    found, map_ = with_calibration(raw)
    assert found.log_loss < 0.7 * raw.log_loss
    assert found.calibration_error < 0.5 * raw.calibration_error
    assert found.how.endswith(f"calibrated ({map_.how})")
    np.testing.assert_allclose(map_(np.log(raw.probabilities)), found.probabilities, atol=0.1)
