"""The least of a loss over a grid."""

from math import log

import pytest

from likely.optimize.grid import downhill

GRID = tuple(10.0**step for step in range(-6, 5))


@pytest.mark.parametrize("start", GRID[::5])
def test_it_ends_at_the_least_of_its_neighbours(start):
    for least in GRID:
        assert downhill(lambda c, least=least: abs(log(c / least)), GRID, start) == least


def test_of_numbers_alike_it_stays_where_it_is():
    assert downhill(lambda c: 1.0, GRID, 1.0) == 1.0
