"""Constraints: bounds, linear equalities and inequalities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.optimize.function import Array


@dataclass(frozen=True, eq=False)
class Bounds:
    """low <= x <= high. Each is one number for all of x, or an array with one for each. Pass it in `at_most`; its
    multipliers are `Sides`.

    Parameters
    ----------
    low : float or array, default -inf
        The lowest value.
    high : float or array, default inf
        The highest value.

    See Also
    --------
    Linear : constraints on sums of unknowns.
    minimize : takes it in `at_most`.

    Examples
    --------
    >>> from likely.optimize import Bounds, minimize
    >>> minimize(lambda x: (x - 2) @ (x - 2), [5.0, 5.0], at_most=Bounds(low=[3.0, 1.0])).x.round(6).tolist()
    [3.0, 2.0]
    """

    low: ArrayLike = -np.inf
    high: ArrayLike = np.inf


@dataclass(frozen=True, eq=False)
class Linear:
    """matrix @ x <= bound in `at_most`, matrix @ x = bound in `equalities`. A vector is one row.

    Parameters
    ----------
    matrix : array
        A row for each constraint, a column for each unknown.
    bound : float or array, default 0
        The right-hand side.

    See Also
    --------
    Bounds : one unknown at a time.
    equal : a Linear for equal unknowns.
    increasing : a Linear for unknowns in order.
    minimize : takes it in `at_most` or `equalities`.

    Examples
    --------
    >>> from likely.optimize import Linear, minimize
    >>> minimize(lambda x: x @ x, [3.0, 0.0], equalities=Linear([1.0, 1.0], 2.0)).x.round(6).tolist()
    [1.0, 1.0]
    """

    matrix: ArrayLike
    bound: ArrayLike = 0.0


class Sides(NamedTuple):
    """The multipliers of the lower and upper bounds of each unknown, all 0 or more.

    See Also
    --------
    Bounds : the constraint that they belong to.
    """

    low: Array
    high: Array


def increasing(columns: Sequence[int], size: int) -> Linear:
    """The constraint that these unknowns are in non-decreasing order.

    Parameters
    ----------
    columns : sequence of int
        Positions in x, in the order of increasing values.
    size : int
        The length of x.

    Returns
    -------
    Linear
        A constraint for `at_most`.

    See Also
    --------
    equal : unknowns that are equal.
    Linear : any linear constraint.

    Examples
    --------
    >>> from likely.optimize import increasing
    >>> increasing([0, 2], 3).matrix.tolist()
    [[1.0, -0.0, -1.0]]
    """
    return Linear(-_steps(columns, size))


def equal(columns: Sequence[int], size: int) -> Linear:
    """The constraint that these unknowns are equal.

    Parameters
    ----------
    columns : sequence of int
        Positions in x.
    size : int
        The length of x.

    Returns
    -------
    Linear
        A constraint for `equalities`.

    See Also
    --------
    increasing : unknowns in order.
    Linear : any linear constraint.

    Examples
    --------
    >>> from likely.optimize import equal
    >>> equal([0, 2], 3).matrix.tolist()
    [[-1.0, 0.0, 1.0]]
    """
    return Linear(_steps(columns, size))


def _steps(columns: Sequence[int], size: int) -> Array:
    """A matrix with a row for each two neighbours: an unknown minus the one before it."""
    columns = [int(column) for column in columns]
    bad = [column for column in columns if not 0 <= column < size]
    if bad:
        raise ValueError(f"there is no column {bad[0]} among {size}")
    if len(set(columns)) != len(columns):
        raise ValueError("each column may be named once")
    identity = np.eye(size)[columns]
    return np.asarray(np.diff(identity, axis=0))
