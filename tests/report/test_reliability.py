from dataclasses import replace

import numpy as np
from sklearn.calibration import calibration_curve

from likely.report.reliability import BINS, draw_reliability


def test_the_dots_are_those_of_scikit_learn(found):
    picture = draw_reliability(found.before, found.after)
    axes = picture.figure.axes[0]
    for result, dots in zip((found.before, found.after), axes.collections, strict=True):
        right, sure = calibration_curve(result.right, result.confidence, n_bins=BINS)
        np.testing.assert_allclose(dots.get_offsets(), np.column_stack([sure, right]))
    assert "now they are" in picture.says
    assert "calibrated they are" in picture.says


def test_without_calibration_there_is_one_line(found):
    assert len(draw_reliability(found.before).figure.axes[0].collections) == 1


def test_one_row_is_drawn(found):
    one = replace(found.before, y=found.before.y[:1], answers=found.before.answers[:1], log_p=found.before.log_p[:1])
    assert len(draw_reliability(one).figure.axes[0].collections) == 1
