"""Differences against derivatives known in closed form."""

import numpy as np
import pytest

from likely.optimize import Bounds, Function, kkt, minimize
from likely.optimize.function import Smooth, differences

WIDE = np.full(3, -np.inf), np.full(3, np.inf)


@pytest.mark.parametrize(
    ("value", "slope"),
    [
        (np.exp, np.exp),
        (np.sin, np.cos),
        (lambda x: x**5, lambda x: 5 * x**4),
        (lambda x: 1e6 + x**2, lambda x: 2 * x),
        (lambda x: 1 / (1 + np.exp(-x)), lambda x: np.exp(-x) / (1 + np.exp(-x)) ** 2),
    ],
    ids=["exp", "sin", "power", "offset", "logistic"],
)
def test_slopes_are_as_good_as_they_say(value, slope):
    x = np.array([-1.3, 0.2, 2.5])
    found, error = differences(lambda z: value(z), x, *WIDE)
    np.testing.assert_array_less(np.abs(found - np.diag(slope(x))).max(axis=1), error)
    assert (error <= 1e-9 * np.abs(value(x)) + 1e-8 * np.abs(slope(x))).all()


@pytest.mark.parametrize("x", [1e-8, 1e-5, 1e-3, 0.3, 7.0])
def test_a_logarithm_near_its_edge(x):
    found, error = differences(np.log, np.array([x]), np.zeros(1), np.full(1, np.inf))
    assert abs(found[0, 0] * x - 1) <= min(error[0] * x, 1e-7)


def test_bounds_are_not_left():
    asked = []

    def value(x):
        asked.append(x.copy())
        return np.array([np.exp(x[0]) + x[1] ** 2])

    low, high = np.array([0.0, -1.0]), np.array([1.0, 2.0])
    for x in ([0.0, 2.0], [1.0, -1.0], [1e-9, 0.0]):
        found, _ = differences(value, np.array(x), low, high)
        np.testing.assert_allclose(found[0], [np.exp(x[0]), 2 * x[1]], atol=1e-8)
    assert (np.array(asked) >= low).all()
    assert (np.array(asked) <= high).all()


@pytest.mark.parametrize("gradient", [None, lambda x: np.array([3 * x[0] ** 2 * x[1], x[0] ** 3 + np.exp(x[1])])])
def test_a_hessian_by_differences(gradient):
    smooth = Smooth(Function(lambda x: x[0] ** 3 * x[1] + np.exp(x[1]), gradient), "f", WIDE[0][:2], WIDE[1][:2])
    x = np.array([0.7, -0.4])
    exact = np.array([[6 * x[0] * x[1], 3 * x[0] ** 2], [3 * x[0] ** 2, np.exp(x[1])]])
    np.testing.assert_allclose(smooth.hessian(x, np.ones(1)), exact, rtol=1e-6, atol=1e-8)


def test_the_certificate_says_how_good_the_gradient_was():
    exact = Function(lambda x: np.exp(x) @ np.ones(2), lambda x: np.exp(x))
    assert kkt(exact, [1.0, 2.0]).accuracy == 0
    assert 0 < kkt(exact.value, [1.0, 2.0]).accuracy < 1e-9


def test_a_wrong_gradient_is_found_out():
    with pytest.raises(ValueError, match=r"^the gradient given is not that of the objective: along one direction it"):
        minimize(Function(lambda x: x @ x, lambda x: x), [1.0, 2.0])
    wrong = Function(lambda x: x[0] ** 2 - 1, lambda x: np.array([x[0], 0.0]))
    with pytest.raises(ValueError, match=r"^the gradient given is not that of at_most\[1\]: "):
        minimize(lambda x: x @ x, [1.0, 2.0], at_most=[Bounds(0), wrong])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (Function(lambda x: x), r"^the objective must be one number, but has the shape \(2,\)$"),
        (Function(lambda x: x @ x, lambda x: 2.0), r"^the gradient of the objective has the shape \(\); \(2,\) was"),
        (
            Function(lambda x: x @ x, lambda x: 2 * x, lambda x: 2.0),
            r"^the Hessian of the objective has the shape \(\); \(2, 2\) was expected$",
        ),
    ],
)
def test_wrong_shapes(function, message):
    with pytest.raises(ValueError, match=message):
        minimize(function, [1.0, 2.0])


def test_what_cannot_be_called():
    with pytest.raises(TypeError, match=r"^the objective is called with x, but float cannot be called$"):
        minimize(3.0, [1.0])
