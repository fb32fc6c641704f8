"""Constraints that bend, against the published optima of Hock and Schittkowski (1981) and closed forms."""

import numpy as np
import pytest

from likely.optimize import Bounds, Function, Infeasible, Unbounded, Unsolved, minimize


def test_problem_71():
    found = minimize(
        lambda x: x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2],
        [1.0, 5.0, 5.0, 1.0],
        equalities=lambda x: x @ x - 40,
        at_most=[lambda x: 25 - np.prod(x), Bounds(1, 5)],
    )
    np.testing.assert_allclose(found.x, [1, 4.7429994, 3.8211503, 1.3794082], atol=1e-7)
    assert found.value == pytest.approx(17.0140173, abs=1e-7)
    assert found.multipliers.at_most[0] == pytest.approx(0.5522937, abs=1e-6)
    assert found.kkt.worst < 1e-10


def test_problem_43():
    found = minimize(
        lambda x: x[0] ** 2 + x[1] ** 2 + 2 * x[2] ** 2 + x[3] ** 2 - 5 * x[0] - 5 * x[1] - 21 * x[2] + 7 * x[3],
        np.zeros(4),
        at_most=[
            lambda x: x @ x + x[0] - x[1] + x[2] - x[3] - 8,
            lambda x: x[0] ** 2 + 2 * x[1] ** 2 + x[2] ** 2 + 2 * x[3] ** 2 - x[0] - x[3] - 10,
            lambda x: 2 * x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + 2 * x[0] - x[1] - x[3] - 5,
        ],
    )
    np.testing.assert_allclose(found.x, [0, 1, 2, -1], atol=1e-9)
    np.testing.assert_allclose(found.multipliers.at_most, [1, 0, 2], atol=1e-8)


def test_problem_39():
    found = minimize(
        lambda x: -x[0],
        np.full(4, 2.0),
        equalities=lambda x: [x[1] - x[0] ** 3 - x[2] ** 2, x[0] ** 2 - x[1] - x[3] ** 2],
    )
    np.testing.assert_allclose(found.x, [1, 1, 0, 0], atol=1e-6)
    assert found.value == pytest.approx(-1, abs=1e-12)


@pytest.mark.parametrize("given", ["values", "gradients", "hessians"])
def test_on_a_ball_the_minimum_lies_against_the_cost(given):
    cost = np.array([3.0, -2.0, 6.0])
    objective = Function(lambda x: cost @ x, lambda x: cost, lambda x: np.zeros((3, 3)))
    ball = Function(lambda x: x @ x - 4, lambda x: 2 * x, lambda x: 2 * np.eye(3))
    if given != "hessians":
        objective, ball = Function(objective.value, objective.gradient), Function(ball.value, ball.gradient)
    if given == "values":
        objective, ball = objective.value, ball.value
    found = minimize(objective, np.ones(3), at_most=ball)
    np.testing.assert_allclose(found.x, -2 * cost / 7, atol=1e-11)
    assert found.multipliers.at_most == pytest.approx(7 / 4, rel=1e-10)
    assert found.kkt.worst < 1e-11


def test_from_a_maximum_it_goes_on_to_the_minimum():
    for start in ([1.0, 1.0], [0.0, 0.0]):
        found = minimize(lambda x: x[0] + x[1], start, equalities=lambda x: x @ x - 2)
        np.testing.assert_allclose(found.x, [-1, -1], atol=1e-9)


@pytest.mark.parametrize(
    ("objective", "at_most", "error", "message"),
    [
        (lambda x: x @ x, lambda x: x @ x + 1, Infeasible, r"^no point was found that satisfies all .* by 1$"),
        (lambda x: x[0], lambda x: x[1] ** 2 - 1, Unbounded, r"^the objective seems to fall without end"),
        (lambda x: np.nan, lambda x: x @ x - 1, Unsolved, r"^the objective is nan at x = \[1., 1.\]"),
        (lambda x: x @ x, lambda x: np.log(-x[0]), Unsolved, r"^at_most is nan at x = \[1., 1.\]; start where it is"),
    ],
)
def test_no_answer(objective, at_most, error, message):
    with pytest.raises(error, match=message):
        minimize(objective, [1.0, 1.0], at_most=at_most)
