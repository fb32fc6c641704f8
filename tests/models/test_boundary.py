"""Where a quadratic function of two numbers is zero."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely.models.boundary import curves

SQUARE = ((-2.0, 2.0), (-2.0, 2.0))


def form(a, b=(0.0, 0.0), c=0.0):
    return np.array(a, float), np.array(b, float), float(c)


def value(points, a, b, c):
    return np.einsum("ni,ij,nj->n", points, a, points) + points @ b + c


CONICS = {
    # The form, how many curves are in the window, and how far along both columns they reach together.
    "a circle": (form(np.eye(2), c=-1), 1, [(-1, 1), (-1, 1)]),
    "a circle that leaves the window": (form(np.eye(2), c=-6.25), 4, [(-2, 2), (-2, 2)]),
    "a circle off the centre": (form(np.eye(2), (-1, -1), 0.25), 1, [(0, 1), (0, 1)]),
    "a thin ellipse aslant": (form([[5, -4.8], [-4.8, 5]], c=-0.2), 1, [(-0.715, 0.715), (-0.715, 0.715)]),
    "a hyperbola": (form(np.diag([1, -1]), c=-1), 2, [(-2, 2), (-(3**0.5), 3**0.5)]),
    "the other hyperbola": (form(np.diag([-1, 1]), c=-1), 2, [(-(3**0.5), 3**0.5), (-2, 2)]),
    "a hyperbola along the axes": (form([[0, 0.5], [0.5, 0]], c=-1), 2, [(-2, 2), (-2, 2)]),
    "a parabola upwards": (form(np.diag([1, 0]), (0, -1), -1), 1, [(-(3**0.5), 3**0.5), (-1, 2)]),
    "a parabola sideways": (form(np.diag([0, -1]), (1, 0), 0), 1, [(0, 2), (-(2**0.5), 2**0.5)]),
    "a line": (form(np.zeros((2, 2)), (1, 2), 0), 1, [(-2, 2), (-1, 1)]),
    "a level line": (form(np.zeros((2, 2)), (0, -3), 3), 1, [(-2, 2), (1, 1)]),
    "an upright line": (form(np.zeros((2, 2)), (5, 0), 5), 1, [(-1, -1), (-2, 2)]),
    "parallel lines": (form(np.diag([0, 1]), c=-1), 2, [(-2, 2), (-1, 1)]),
    "parallel lines aslant": (form([[1, 1], [1, 1]], c=-1), 2, [(-2, 2), (-2, 2)]),
}


@pytest.mark.parametrize("name", CONICS)
@pytest.mark.parametrize("scale", [1.0, -1e-9, 1e9])
def test_the_function_is_zero_along_its_curves(name, scale):
    (a, b, c), number, reach = CONICS[name]
    found = curves(scale * a, scale * b, scale * c, SQUARE, 400)
    assert len(found) == number
    points = np.concatenate(found)
    assert np.abs(value(points, a, b, c)).max() < 1e-12
    assert np.abs(points).max() <= 2 + 1e-8
    for column, (least, largest) in zip(points.T, reach, strict=True):
        assert_allclose([column.min(), column.max()], [least, largest], rtol=0, atol=0.03)


@pytest.mark.parametrize("name", CONICS)
def test_points_are_in_their_order_along_a_curve(name):
    for curve in curves(*CONICS[name][0], SQUARE, 400):
        assert np.linalg.norm(np.diff(curve, axis=0), axis=1).max() < 0.2


def test_a_circle_goes_all_the_way_round():
    (curve,) = curves(*form(np.eye(2), c=-1), SQUARE, 100)
    assert len(curve) == 200
    assert_allclose(curve[0], curve[-1], rtol=0, atol=1e-6)
    assert_allclose(np.linalg.norm(curve, axis=1), 1, rtol=1e-12)
    angles = np.sort(np.arctan2(*curve.T))
    assert np.diff(angles).max() < 0.04


NOWHERE = {
    "positive": form(np.eye(2), c=1),
    "zero everywhere": form(np.zeros((2, 2))),
    "constant": form(np.zeros((2, 2)), c=3),
    "a line outside": form(np.zeros((2, 2)), (1, 0), -5),
    "a circle outside": form(np.eye(2), (-20, 0), 99),
    "a circle around the window": form(np.eye(2), c=-100),
    "no real lines": form(np.diag([0, 1]), c=1),
}


@pytest.mark.parametrize("name", NOWHERE)
def test_there_is_no_curve_where_the_function_is_not_zero(name):
    assert curves(*NOWHERE[name], SQUARE, 100) == []


def test_crossing_lines():
    found = np.concatenate(curves(*form([[0, 0.5], [0.5, 0]]), SQUARE, 400))
    assert np.abs(found).min(axis=1).max() < 1e-7
    assert_allclose([found.min(axis=0), found.max(axis=0)], [[-2, -2], [2, 2]], rtol=0, atol=0.03)


@pytest.mark.parametrize("units", [(1e-9, 1.0), (1.0, 1e9), (1e-6, 1e6)])
def test_units_of_the_columns_do_not_matter(units):
    a, b, c = CONICS["a thin ellipse aslant"][0]
    units = np.array(units)
    found = curves(a / np.outer(units, units), b / units, c, tuple((-2 * u, 2 * u) for u in units), 100)
    expected = curves(a, b, c, SQUARE, 100)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one / units, other, rtol=0, atol=1e-6)


def test_a_window_cuts_a_curve_in_pieces():
    found = curves(*form(np.eye(2), c=-1), ((-2, 2), (-0.5, 0.5)), 200)
    assert len(found) >= 2
    points = np.concatenate(found)
    assert np.abs(points[:, 1]).max() <= 0.5 + 1e-8
    assert {-1, 1} == set(np.sign(points[:, 0]))


def test_a_small_circle_in_a_large_window():
    (curve,) = curves(*form(np.eye(2), (-6, -8), 25 - 1e-6), ((-1e3, 1e3), (-1e3, 1e3)), 100)
    # The last digit of 25 - 1e-6, of 3.6e-15, is 1.8e-9 of the radius; 1.02e-9 is what is reached.
    assert_allclose(np.linalg.norm(curve - [3, 4], axis=1), 1e-3, rtol=1e-8)


@pytest.mark.parametrize("bend", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14])
@pytest.mark.parametrize("along", [0, 1])
def test_a_curve_that_hardly_bends_is_drawn_like_a_line(bend, along):
    """x = bend y^2, and y = bend x^2: from edge to edge, without a gap."""
    a, b = np.zeros((2, 2)), np.zeros(2)
    a[along, along], b[1 - along] = bend, -1
    found = curves(a, b, 0.0, SQUARE, 400)
    reached = np.sort(np.concatenate([curve[:, along] for curve in found] or [np.zeros(1)]))
    assert_allclose([reached[0], reached[-1]], [-2, 2], rtol=0, atol=0.2)
    assert np.diff(reached).max() < 0.2


def test_random_forms_are_zero_along_their_curves_and_missed_nowhere():
    rng = np.random.default_rng(0)
    ticks = np.linspace(-2, 2, 41)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    for _ in range(300):
        a = rng.normal(size=(2, 2)) * 10 ** rng.uniform(-2, 1)
        a, b, c = a + a.T, rng.normal(size=2), rng.normal()
        found = curves(a, b, c, SQUARE, 400)
        if found:
            points = np.concatenate(found)
            assert np.abs(value(points, a, b, c)).max() < 1e-12 * max(np.abs(a).max(), 1)
        positive = (value(grid, a, b, c) > 0).reshape(41, 41)
        crossings = np.argwhere(positive[:, 1:] != positive[:, :-1])
        for row, column in crossings[:: max(1, len(crossings) // 10)]:
            between = np.array([(ticks[column] + ticks[column + 1]) / 2, ticks[row]])
            assert found, (a, b, c)
            assert np.linalg.norm(points - between, axis=1).min() < 0.3, (a, b, c, between)
