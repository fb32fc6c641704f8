"""Gain, lift and precision against recall: what is drawn is what was found."""

import numpy as np
import pytest

from likely.models.log_odds import logs
from likely.report.gains import draw_gains, draw_lift, draw_precision_recall
from likely.validation import Result, thresholds


@pytest.fixture(scope="module")
def cuts():
    rng = np.random.default_rng(0)
    p = rng.beta(0.5, 4, 3000)
    y = (rng.random(3000) < p).astype(np.int32)
    both = np.column_stack([1 - p, p])
    classes = np.array(["no", "yes"])
    return thresholds(Result("made", classes, np.arange(3000), y, both.argmax(axis=1).astype(np.int32), logs(both)))


def line(picture, label=None):
    lines = picture.figure.axes[0].lines
    return next(one for one in lines if label is None or one.get_label() == label).get_xydata()


def test_gains_go_from_nothing_to_all(cuts):
    drawn = line(draw_gains(cuts, None), "model")
    assert drawn[0].tolist() == [0, 0]
    assert drawn[-1].tolist() == [1, 1]
    assert (np.diff(drawn, axis=0) >= 0).all()
    for flagged, recall in drawn[1:50:7]:
        assert cuts.recall[np.searchsorted(cuts.flagged, flagged - 1e-12)] == recall


def test_the_decision_is_a_dot(cuts):
    cut = cuts.at(0.3)
    dot = draw_gains(cuts, cut).figure.axes[0].lines[-1].get_xydata()
    assert dot.tolist() == [[cut.flagged, cut.recall]]
    dot = draw_precision_recall(cuts, cut).figure.axes[0].lines[-1].get_xydata()
    assert dot.tolist() == [[cut.recall, cut.precision]]


def test_lift_ends_at_one_and_is_all_in_view(cuts):
    picture = draw_lift(cuts)
    drawn = line(picture)
    assert drawn[-1] == pytest.approx([1, 1])
    assert picture.figure.axes[0].get_ylim()[1] > drawn[:, 1].max()


def test_precision_and_recall_are_those_of_the_thresholds(cuts):
    drawn = line(draw_precision_recall(cuts, None))
    assert drawn[-1] == pytest.approx([1, cuts.rate])
