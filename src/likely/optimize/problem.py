"""A problem in the form that solvers use: one objective, and all constraints as rows that are 0 or at most 0."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.optimize.constraints import Bounds, Linear, Sides
from likely.optimize.function import EPSILON, Array, Smooth


class Multipliers(NamedTuple):
    """The multipliers of L = f + sum of multiplier * constraint, in the structure of the constraints.

    For one constraint it is an array in the shape of its values (a number for a number, `Sides` for bounds); for a list
    of constraints a list of these.

    See Also
    --------
    minimize : finds them.
    dual : takes them.
    """

    equalities: Any
    at_most: Any


class Part:
    """The rows of one constraint, whose values have a shape."""

    name: str
    shape: Any

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def shaped(self, multipliers: Array) -> Any:
        return float(multipliers[0]) if self.shape == () else multipliers.reshape(self.shape)

    def flat(self, multipliers: Any) -> Array:
        return _flat(multipliers, self.shape, self.name)

    def row(self, i: int) -> str:
        return self.name + "".join(f"[{k}]" for k in np.unravel_index(i, self.shape))


@dataclass(frozen=True)
class Affine(Part):
    """The rows matrix @ x - bound."""

    name: str
    shape: tuple[int, ...]
    matrix: Array
    bound: Array

    def values(self, x: Array) -> Array:
        return self.matrix @ x - self.bound

    def gradients_and_errors(self, _: Array) -> tuple[Array, Array]:
        return self.matrix, np.zeros(len(self.bound))

    def sizes(self, x: Array) -> Array:
        """The sum of the absolute values of the terms of each row."""
        return np.abs(self.matrix) @ np.abs(x) + np.abs(self.bound)

    @cached_property
    def of_one(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array]:
        """The rows that bound a single number in x: the rows, the number's index, its factor, and the bound."""
        rows = np.flatnonzero(np.count_nonzero(self.matrix, axis=1) == 1)
        columns = np.abs(self.matrix[rows]).argmax(axis=1)
        factors = self.matrix[rows, columns]
        return rows, columns, factors, self.bound[rows] / factors


@dataclass(frozen=True)
class FiniteBounds(Affine):
    """Bounds, with a row for each finite one; `places` are their positions in (high, low). Their multipliers are
    `Sides`."""

    places: NDArray[np.intp]

    def shaped(self, multipliers: Array) -> Any:
        sides = np.zeros(2 * self.matrix.shape[1])
        sides[self.places] = multipliers
        high, low = np.split(sides, 2)
        return Sides(low, high)

    def flat(self, multipliers: Any) -> Array:
        if not (isinstance(multipliers, tuple) and len(multipliers) == 2):
            raise TypeError(f"the multipliers of {self.name} must be Sides(low, high)")
        low, high = (_flat(side, (self.matrix.shape[1],), self.name) for side in multipliers)
        sides = np.concatenate([high, low])
        if np.delete(sides, self.places).any():
            raise ValueError(f"a bound of {self.name} that is infinite has a multiplier other than 0")
        return np.asarray(sides[self.places])

    def row(self, i: int) -> str:
        side, place = divmod(int(self.places[i]), self.matrix.shape[1])
        return f"x[{place}] {'>=' if side else '<='} {-self.bound[i] if side else self.bound[i]:g}"

    def twins(self) -> NDArray[np.bool]:
        """Which rows are lower bounds that equal the upper bound."""
        n = self.matrix.shape[1]
        sides = np.full(2 * n, np.nan)
        sides[self.places] = self.bound
        return np.asarray((self.places >= n) & (sides[:n] == -sides[n:])[self.places % n])


class Curved(Smooth, Part):
    """The values of a function as rows."""

    def sizes(self, _: Array) -> Array:
        return np.zeros(self.size)


class ConstraintRows:
    """All rows of the equalities, or of the inequalities."""

    def __init__(self, parts: list[Affine | Curved], single: bool, n: int) -> None:
        self.parts, self.single, self.n = parts, single, n
        self.counts = [part.size for part in parts]
        self.linear = all(isinstance(part, Affine) for part in parts)

    def __len__(self) -> int:
        return sum(self.counts)

    def values(self, x: Array) -> Array:
        return np.concatenate([np.zeros(0), *(part.values(x) for part in self.parts)])

    def sizes(self, x: Array) -> Array:
        return np.concatenate([np.zeros(0), *(part.sizes(x) for part in self.parts)])

    def rounding(self, x: Array) -> Array:
        """The rounding error of the values."""
        return 8 * EPSILON * self.sizes(x)

    def gradients(self, x: Array) -> Array:
        return self.gradients_and_errors(x)[0]

    def gradients_and_errors(self, x: Array) -> tuple[Array, Array]:
        each = [part.gradients_and_errors(x) for part in self.parts]
        gradients = np.concatenate([np.zeros((0, self.n)), *(gradients for gradients, _ in each)])
        return gradients, np.concatenate([np.zeros(0), *(errors for _, errors in each)])

    def hessian(self, x: Array, weights: Array) -> Array:
        total = np.zeros((self.n, self.n))
        for part, own in zip(self.parts, self._split(weights), strict=True):
            if isinstance(part, Curved) and own.any():
                total += part.hessian(x, own)
        return total

    def shaped(self, multipliers: Array) -> Any:
        each = [part.shaped(own) for part, own in zip(self.parts, self._split(multipliers), strict=True)]
        return each[0] if self.single else each

    def flat(self, multipliers: Any) -> Array:
        each = [multipliers] if self.single else list(multipliers)
        if len(each) != len(self.parts):
            raise ValueError(f"{len(each)} multipliers were given for {len(self.parts)} constraints")
        own = [part.flat(of_part) for part, of_part in zip(self.parts, each, strict=True)]
        return np.concatenate([np.zeros(0), *own])

    def row(self, i: int) -> str:
        """The name of a row in errors."""
        for part, count in zip(self.parts, self.counts, strict=True):
            if i < count:
                return part.row(i)
            i -= count
        raise IndexError(i)

    def snapped(self, x: Array, active: list[int]) -> Array:
        """x with numbers set to their active bounds if they differ only by rounding."""
        x, holds = x.copy(), np.zeros(len(self))
        holds[active] = 1
        for part, own in zip(self.parts, self._split(holds), strict=True):
            if isinstance(part, Affine):
                rows, columns, _, bounds = part.of_one
                near = (own[rows] > 0) & (np.abs(x[columns] - bounds) <= 1e-14 * np.maximum(1.0, np.abs(bounds)))
                x[columns[near]] = bounds[near]
        return x

    def of(self, linear: bool) -> "ConstraintRows":
        """Only the linear constraints, or only the others."""
        return ConstraintRows([part for part in self.parts if isinstance(part, Affine) == linear], False, self.n)

    def _split(self, flat: Array) -> list[Array]:
        return np.split(flat, np.cumsum(self.counts)[:-1]) if self.parts else []


class Problem:
    """min f(x), equalities = 0, at_most <= 0."""

    def __init__(self, objective: Any, x: Array, equalities: Any, at_most: Any) -> None:
        self.n = x.size
        self.low, self.high = np.full(self.n, -np.inf), np.full(self.n, np.inf)
        self.objective = Smooth(objective, "the objective", self.low, self.high)
        self.equalities = self._rows(equalities, "equalities", x)
        self.at_most = self._rows(at_most, "at_most", x)
        self.linear = self.equalities.linear and self.at_most.linear

    def _rows(self, constraints: Any, kind: str, x: Array) -> ConstraintRows:
        listed, single = _listed(constraints)
        return ConstraintRows([self._part(each, kind + name, x) for name, each in listed], single, self.n)

    def _part(self, constraint: Any, name: str, x: Array) -> Affine | Curved:
        equal = name.startswith("equalities")
        if not isinstance(constraint, (Bounds, Linear)):
            curved = Curved(constraint, name, self.low, self.high)
            curved.values(x)
            return curved
        if isinstance(constraint, Bounds) and equal:
            raise TypeError(f"{name} is Bounds, which belong in at_most")
        part = (_bounds if isinstance(constraint, Bounds) else _linear)(constraint, name, self.n)
        self._bound(part, equal)
        return part

    def _bound(self, part: Affine, equal: bool) -> None:
        """Adds rows with a single unknown to `low` and `high`, so that they hold exactly, without rounding."""
        _, columns, factors, bounds = part.of_one
        above, below = (factors > 0) | equal, (factors < 0) | equal
        np.minimum.at(self.high, columns[above], bounds[above])
        np.maximum.at(self.low, columns[below], bounds[below])

    def value(self, x: Array) -> float:
        values = self.objective.values(x)
        if self.objective.shape != ():
            raise ValueError(f"the objective must be one number, but has the shape {self.objective.shape}")
        return float(values[0])

    def gradient(self, x: Array) -> Array:
        return np.asarray(self.objective.gradients(x)[0])

    def hessian(self, x: Array, equal: Array, at_most: Array) -> Array:
        """The Hessian of the Lagrangian."""
        total = self.objective.hessian(x, np.ones(1))
        if not self.linear:
            total = total + self.equalities.hessian(x, equal) + self.at_most.hessian(x, at_most)
        return total

    @property
    def smooths(self) -> list[Smooth]:
        parts = self.equalities.parts + self.at_most.parts
        return [self.objective, *(part for part in parts if isinstance(part, Curved))]

    def clipped(self, x: Array) -> Array:
        return np.clip(x, self.low, self.high)

    def shaped(self, equal: Array, at_most: Array) -> Multipliers:
        return Multipliers(self.equalities.shaped(equal), self.at_most.shaped(at_most))


def point(x: Any, name: str) -> Array:
    """x as a vector of finite numbers. Raises ValueError if it is none."""
    out = np.array(x, np.float64)
    if out.ndim != 1 or out.size == 0:
        raise ValueError(f"{name} must be a vector of one number or more, but has the shape {out.shape}")
    if not np.isfinite(out).all():
        i = int(np.argmin(np.isfinite(out)))
        raise ValueError(f"{name} must be finite; {name}[{i}] is {out[i]}")
    return out


def _listed(constraints: Any) -> tuple[list[tuple[str, Any]], bool]:
    """Each constraint with its name, and whether it was a single one, not a list."""
    if isinstance(constraints, (Bounds, Linear)) or callable(constraints):
        return [("", constraints)], True
    if not isinstance(constraints, Iterable):
        raise TypeError(
            f"a constraint is Bounds, Linear or a function, or a list of these, not {type(constraints).__name__}"
        )
    return [(f"[{i}]", constraint) for i, constraint in enumerate(constraints)], False


def _bounds(bounds: Any, name: str, n: int) -> Affine:
    sides = []
    for side in (bounds.low, bounds.high):
        limits = np.asarray(side, np.float64)
        if limits.shape not in ((), (n,)):
            raise ValueError(f"the bounds in {name} have the shape {limits.shape}; one number or {n} were expected")
        if np.isnan(limits).any():
            raise ValueError(f"a bound in {name} is NaN; without a bound it is infinite")
        sides.append(np.broadcast_to(limits, (n,)))
    low, high = sides
    if (low == np.inf).any() or (high == -np.inf).any():
        raise ValueError(f"a bound in {name} allows no finite number")
    both = np.concatenate([high, -low])
    places = np.flatnonzero(np.isfinite(both))
    matrix = np.concatenate([np.eye(n), -np.eye(n)])[places]
    return FiniteBounds(name, (len(places),), matrix, both[places], places)


def _linear(linear: Any, name: str, n: int) -> Affine:
    matrix = np.asarray(linear.matrix, np.float64)
    if matrix.ndim not in (1, 2) or matrix.shape[-1] != n:
        raise ValueError(f"the matrix of {name} has the shape {matrix.shape}; x has {n} numbers, so must its rows")
    bound = np.asarray(linear.bound, np.float64)
    if bound.shape not in ((), matrix.shape[:-1]):
        raise ValueError(f"the bound of {name} has the shape {bound.shape}; its matrix has {matrix.shape[:-1]} rows")
    if not np.isfinite(matrix).all() or not np.isfinite(bound).all():
        raise ValueError(f"{name} has a number that is not finite; leave out rows that do not bind")
    shape = matrix.shape[:-1]
    return Affine(name, shape, matrix.reshape(-1, n), np.broadcast_to(bound, shape).ravel())


def _flat(multipliers: Any, shape: tuple[int, ...], name: str) -> Array:
    out = np.asarray(multipliers, np.float64)
    if out.shape != shape:
        raise ValueError(f"the multipliers of {name} have the shape {out.shape}; {shape} was expected")
    if not np.isfinite(out).all():
        raise ValueError(f"a multiplier of {name} is not finite")
    return out.ravel()
