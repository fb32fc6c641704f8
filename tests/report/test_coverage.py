from dataclasses import replace

import numpy as np
import pytest

from likely.printing import percent
from likely.report.coverage import DRAWN, draw_coverage, half_as_wrong


def test_half_as_wrong_is_the_most_that_can_be_answered_so(found):
    result = found.result
    point = half_as_wrong(result)
    order = np.argsort(-result.confidence)
    right = np.cumsum(result.right[order]) / np.arange(1, len(order) + 1)
    most = np.flatnonzero(right >= 1 - result.error / 2)[-1]
    assert point.coverage == pytest.approx((most + 1) / len(order))
    assert point.precision == pytest.approx(right[most])
    assert (result.confidence >= point.threshold).mean() == pytest.approx(point.coverage)


def test_the_line_ends_at_the_error_of_all(found):
    picture = draw_coverage(found.result)
    line = picture.figure.axes[0].lines[0]
    assert line.get_xydata()[-1] == pytest.approx([1.0, found.result.error])
    assert f"of all predictions {percent(found.result.error)} are wrong" in picture.says


def test_of_many_rows_some_points_and_of_no_mistake_none(found):
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), 5000)
    y = p.argmax(axis=1).astype(np.int32)
    perfect = replace(found.result, y=y, answers=y, log_p=np.log(p))
    assert half_as_wrong(perfect) is None
    assert len(draw_coverage(perfect).figure.axes[0].lines[0].get_xydata()) <= DRAWN
    assert draw_coverage(perfect).says.endswith("0.0 % are wrong")
