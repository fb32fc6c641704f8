"""The direct solver by itself: no slope at its point, the gap that was asked for, whatever its start."""

import pytest

from likely.models.logistic import direct

from .problems import ends_alike_from_any_start, ends_without_slope


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("penalty", [0.1, 10.0])
def test_the_objective_has_no_slope_where_it_ends(classes, penalty):
    ends_without_slope(direct.solve, classes, penalty)


def test_the_start_does_not_matter():
    ends_alike_from_any_start(direct.solve)
