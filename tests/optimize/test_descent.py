"""Textbook steps against steps worked out by hand."""

import numpy as np
import pytest

from likely.optimize import Function, gradient_descent, newton

BOWL = Function(lambda x: x[0] ** 2 + 5 * x[1] ** 2, lambda x: np.array([2, 10]) * x, lambda x: np.diag([2.0, 10.0]))


def log_cosh(x):
    return float(np.logaddexp(x[0], -x[0]))


def test_fixed_steps_are_the_recurrence():
    """x0 (1 - 2 a)^k and x1 (1 - 10 a)^k."""
    trace = gradient_descent(BOWL, [1.0, 1.0], length=0.05, backtracking=False, steps=30)
    k = np.arange(31)
    np.testing.assert_allclose(trace.points, np.column_stack([0.9**k, 0.5**k]), rtol=1e-12)
    np.testing.assert_allclose(trace.values, 0.81**k + 5 * 0.25**k, rtol=1e-12)
    np.testing.assert_allclose(trace.gradient_norms, np.hypot(2 * 0.9**k, 10 * 0.5**k), rtol=1e-12)
    assert trace.lengths.tolist() == [0.05] * 30
    assert trace.outcome == "stopped"
    assert trace.message == "stopped after 30 steps with a gradient of 0.085"


def test_too_long_steps_diverge_and_it_is_said():
    trace = gradient_descent(BOWL, [1.0, 1.0], length=0.3, backtracking=False)
    assert trace.outcome == "diverged"
    assert trace.message.startswith("diverged: at step ")
    assert (np.diff(trace.values[5:]) > 0).all()


def test_backtracking_falls_at_every_step():
    trace = gradient_descent(BOWL, [3.0, -2.0])
    assert trace.converged
    np.testing.assert_allclose(trace.x, 0, atol=1e-8)
    assert (np.diff(trace.values) < 0).all()
    slopes = trace.gradient_norms[:-1] ** 2
    assert (np.diff(trace.values) <= -0.5 * trace.lengths * slopes * (1 - 1e-12)).all()


def test_newton_solves_a_quadratic_in_one_step():
    trace = newton(BOWL, [3.0, -2.0])
    assert len(trace) == 1
    assert trace.x.tolist() == [0, 0]
    assert trace.message == "converged in 1 steps"


def test_newton_squares_its_error():
    """Of x - log x, 1 - x is squared at each step."""
    trace = newton(Function(lambda x: x[0] - np.log(x[0]), lambda x: 1 - 1 / x, lambda x: np.diag(x**-2)), [0.5])
    errors = 1 - trace.points[:, 0]
    np.testing.assert_allclose(errors[1:6], errors[:5] ** 2, rtol=1e-6)


def test_plain_newton_diverges_on_log_cosh_and_it_is_said():
    """Beyond 1.0886, where sinh 2x = 4x, each step leads farther away than it started."""
    near, far = newton(log_cosh, [1.08]), newton(log_cosh, [1.1])
    assert near.converged
    assert far.outcome == "diverged"
    assert "diverged" in far.message
    assert (np.diff(np.abs(far.points[:, 0])) > 0).all()


def test_backtracking_saves_it():
    trace = newton(log_cosh, [4.0], backtracking=True)
    assert trace.converged
    assert trace.x == pytest.approx([0], abs=1e-7)
    assert trace.lengths.min() < 1


def test_newton_says_when_it_found_no_minimum():
    saddle = newton(lambda x: x[0] ** 2 - x[1] ** 2, [1.0, 1.0])
    assert saddle.message.startswith("converged in ")
    assert "but to a saddle: the Hessian has the eigenvalue -2" in saddle.message
    assert "but to a maximum" in newton(lambda x: float(np.cos(x[0])), [0.3]).message


def test_a_singular_hessian_is_said():
    trace = newton(Function(lambda x: x[0], lambda x: np.ones(1), lambda x: np.zeros((1, 1))), [1.0])
    assert trace.message == "diverged after 0 steps: the Hessian is singular"


def test_a_trace_is_printed_as_a_table():
    lines = str(newton(BOWL, [3.0, -2.0])).splitlines()
    assert lines[0].split() == ["step", "value", "gradient", "length"]
    assert lines[1].split() == ["0", "29", "2.09e+01", "1"]
    assert lines[-1] == "converged in 1 steps"
    long = str(gradient_descent(BOWL, [1.0, 1.0], length=0.01, backtracking=False)).splitlines()
    assert len(long) == 1 + 10 + 1 + 5 + 1
    assert " ..." in long


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"^the length of a step must be above 0, not 0$"):
        gradient_descent(BOWL, [1.0, 1.0], length=0)
    with pytest.raises(ValueError, match=r"^the objective and its gradient must be finite at the start$"):
        newton(lambda x: np.nan, [1.0])
    with pytest.raises(ValueError, match=r"^the objective must be one number, but has the shape \(1,\)$"):
        newton(lambda x: x, [1.0])
