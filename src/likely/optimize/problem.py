"""A problem as the solvers see it: one objective, and all constraints as rows that are zero or at most zero."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.optimize.constraints import Bounds, Linear, Sides
from likely.optimize.function import EPSILON, Array, Smooth


class Multipliers(NamedTuple):
    """The multipliers of L = f + sum of multiplier * constraint, as the constraints were given.

    Of one constraint an array of the shape of its values (a number for a number, `Sides` for bounds); of a list of
    constraints a list.
    """

    equalities: Any
    at_most: Any


@dataclass(frozen=True)
class Affine:
    """Rows matrix @ x - bound. Of bounds only the finite ones are rows; `places` tells which of (high, low)."""

    name: str
    matrix: Array
    bound: Array
    shape: tuple[int, ...]
    places: NDArray[np.intp] | None = None

    def values(self, x: Array) -> Array:
        return self.matrix @ x - self.bound

    def gradients_and_errors(self, _: Array) -> tuple[Array, Array]:
        return self.matrix, np.zeros(len(self.bound))

    def sizes(self, x: Array) -> Array:
        """Of each row the size of what is summed in it."""
        return np.abs(self.matrix) @ np.abs(x) + np.abs(self.bound)

    def shaped(self, multipliers: Array) -> Any:
        if self.places is None:
            return _shaped(multipliers, self.shape)
        sides = np.zeros(2 * self.matrix.shape[1])
        sides[self.places] = multipliers
        high, low = np.split(sides, 2)
        return Sides(low, high)

    def flat(self, multipliers: Any) -> Array:
        if self.places is None:
            return _flat(multipliers, self.shape, self.name)
        n = self.matrix.shape[1]
        if not (isinstance(multipliers, tuple) and len(multipliers) == 2):
            raise TypeError(f"the multipliers of {self.name} must be Sides(low, high)")
        low, high = (_flat(side, (n,), self.name) for side in multipliers)
        sides = np.concatenate([high, low])
        if np.delete(sides, self.places).any():
            raise ValueError(f"a bound of {self.name} that is infinite has a multiplier other than 0")
        return np.asarray(sides[self.places])

    @property
    def size(self) -> int:
        return len(self.bound)

    def twins(self) -> NDArray[np.bool]:
        """Which rows are lower bounds that equal the upper bound."""
        low = np.zeros(self.size, bool)
        if self.places is not None:
            n = self.matrix.shape[1]
            sides = np.full(2 * n, np.nan)
            sides[self.places] = self.bound
            low = (self.places >= n) & (sides[:n] == -sides[n:])[self.places % n]
        return low

    def row(self, i: int) -> str:
        if self.places is None:
            return self.name + "".join(f"[{k}]" for k in np.unravel_index(i, self.shape))
        side, place = divmod(int(self.places[i]), self.matrix.shape[1])
        return f"x[{place}] {'>=' if side else '<='} {-self.bound[i] if side else self.bound[i]:g}"


@dataclass(frozen=True)
class General:
    """Rows that are the values of a function."""

    name: str
    smooth: Smooth
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def values(self, x: Array) -> Array:
        return self.smooth.values(x)

    def gradients_and_errors(self, x: Array) -> tuple[Array, Array]:
        return self.smooth.gradients_and_errors(x)

    def sizes(self, _: Array) -> Array:
        return np.zeros(self.size)

    def hessian(self, x: Array, weights: Array) -> Array:
        return self.smooth.hessian(x, weights)

    def shaped(self, multipliers: Array) -> Any:
        return _shaped(multipliers, self.shape)

    def flat(self, multipliers: Any) -> Array:
        return _flat(multipliers, self.shape, self.name)

    def row(self, i: int) -> str:
        return self.name + "".join(f"[{k}]" for k in np.unravel_index(i, self.shape))


class Rows:
    """Constraints of one kind, one below the other."""

    def __init__(self, parts: list[Affine | General], single: bool, n: int) -> None:
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
        """What of the values is rounding."""
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
            if isinstance(part, General) and own.any():
                total += part.hessian(x, own)
        return total

    def shaped(self, multipliers: Array) -> Any:
        each = [part.shaped(own) for part, own in zip(self.parts, self._split(multipliers), strict=True)]
        return each[0] if self.single else each

    def flat(self, multipliers: Any) -> Array:
        each = [multipliers] if self.single else list(multipliers)
        if len(each) != len(self.parts):
            raise ValueError(f"{len(each)} multipliers were given for {len(self.parts)} constraints")
        own = [part.flat(given) for part, given in zip(self.parts, each, strict=True)]
        return np.concatenate([np.zeros(0), *own])

    def row(self, i: int) -> str:
        """What a row is called in errors."""
        for part, count in zip(self.parts, self.counts, strict=True):
            if i < count:
                return part.row(i)
            i -= count
        raise IndexError(i)

    def snapped(self, x: Array, active: list[int]) -> Array:
        """Onto the bounds among the active rows, from within rounding of them."""
        x, held = x.copy(), np.zeros(len(self))
        held[active] = 1
        for part, own in zip(self.parts, self._split(held), strict=True):
            if isinstance(part, Affine) and part.places is not None:
                bound = np.where(part.places < self.n, part.bound, -part.bound)
                column = part.places % self.n
                near = (own > 0) & (np.abs(x[column] - bound) <= 1e-14 * np.maximum(1.0, np.abs(bound)))
                x[column[near]] = bound[near]
        return x

    def of(self, linear: bool) -> "Rows":
        """Only the linear ones, or the others."""
        return Rows([part for part in self.parts if isinstance(part, Affine) == linear], False, self.n)

    def _split(self, flat: Array) -> list[Array]:
        return np.split(flat, np.cumsum(self.counts)[:-1]) if self.parts else []


class Problem:
    """min f(x), equalities = 0, at_most <= 0."""

    def __init__(self, objective: Any, x: Array, equalities: Any, at_most: Any) -> None:
        self.n = x.size
        given = {"equalities": _listed(equalities), "at_most": _listed(at_most)}
        self.low, self.high = np.full(self.n, -np.inf), np.full(self.n, np.inf)
        for name, constraint in given["at_most"][0]:
            if isinstance(constraint, Bounds):
                low, high = _bounds(constraint, f"at_most{name}", self.n)
                self.low, self.high = np.maximum(self.low, low), np.minimum(self.high, high)
        self.objective = Smooth(objective, "the objective", self.low, self.high)
        rows = {}
        for kind, (constraints, single) in given.items():
            parts = [self._part(constraint, kind + name, x) for name, constraint in constraints]
            rows[kind] = Rows(parts, single, self.n)
        self.equalities, self.at_most = rows["equalities"], rows["at_most"]
        self.linear = self.equalities.linear and self.at_most.linear

    def _part(self, constraint: Any, name: str, x: Array) -> Affine | General:
        if isinstance(constraint, Bounds):
            if name.startswith("equalities"):
                raise TypeError(f"{name} is Bounds, which belong in at_most")
            low, high = _bounds(constraint, name, self.n)
            sides = np.concatenate([high, -low])
            places = np.flatnonzero(np.isfinite(sides))
            matrix = np.concatenate([np.eye(self.n), -np.eye(self.n)])[places]
            return Affine(name, matrix, sides[places], (len(places),), places)
        if isinstance(constraint, Linear):
            return _linear(constraint, name, self.n)
        smooth = Smooth(constraint, name, self.low, self.high)
        smooth.values(x)
        assert smooth.shape is not None
        return General(name, smooth, smooth.shape)

    def value(self, x: Array) -> float:
        found = self.objective.values(x)
        if self.objective.shape != ():
            raise ValueError(f"the objective must be one number, but has the shape {self.objective.shape}")
        return float(found[0])

    def gradient(self, x: Array) -> Array:
        return np.asarray(self.objective.gradients(x)[0])

    def hessian(self, x: Array, equal: Array, at_most: Array) -> Array:
        """That of the Lagrangian."""
        total = self.objective.hessian(x, np.ones(1))
        if not self.linear:
            total = total + self.equalities.hessian(x, equal) + self.at_most.hessian(x, at_most)
        return total

    @property
    def smooths(self) -> list[Smooth]:
        parts = self.equalities.parts + self.at_most.parts
        return [self.objective, *(part.smooth for part in parts if isinstance(part, General))]

    def clipped(self, x: Array) -> Array:
        return np.clip(x, self.low, self.high)

    def shaped(self, equal: Array, at_most: Array) -> Multipliers:
        return Multipliers(self.equalities.shaped(equal), self.at_most.shaped(at_most))


def point(x: Any, name: str) -> Array:
    """A vector of finite numbers, or an error that says why it is none."""
    out = np.array(x, np.float64)
    if out.ndim != 1 or out.size == 0:
        raise ValueError(f"{name} must be a vector of one number or more, but has the shape {out.shape}")
    if not np.isfinite(out).all():
        i = int(np.argmin(np.isfinite(out)))
        raise ValueError(f"{name} must be finite; {name}[{i}] is {out[i]}")
    return out


def _listed(constraints: Any) -> tuple[list[tuple[str, Any]], bool]:
    """Each constraint with what to call it, and whether it was one alone."""
    if isinstance(constraints, (Bounds, Linear)) or callable(constraints):
        return [("", constraints)], True
    if not isinstance(constraints, Iterable):
        raise TypeError(
            f"a constraint is Bounds, Linear or a function, or a list of these, not {type(constraints).__name__}"
        )
    return [(f"[{i}]", constraint) for i, constraint in enumerate(constraints)], False


def _bounds(bounds: Bounds, name: str, n: int) -> tuple[Array, Array]:
    sides = []
    for side in (bounds.low, bounds.high):
        given = np.asarray(side, np.float64)
        if given.shape not in ((), (n,)):
            raise ValueError(f"the bounds in {name} have the shape {given.shape}; one number or {n} were expected")
        if np.isnan(given).any():
            raise ValueError(f"a bound in {name} is NaN; without a bound it is infinite")
        sides.append(np.broadcast_to(given, (n,)))
    low, high = sides
    if (low == np.inf).any() or (high == -np.inf).any():
        raise ValueError(f"a bound in {name} allows no finite number")
    return low, high


def _linear(linear: Linear, name: str, n: int) -> Affine:
    matrix = np.asarray(linear.matrix, np.float64)
    if matrix.ndim not in (1, 2) or matrix.shape[-1] != n:
        raise ValueError(f"the matrix of {name} has the shape {matrix.shape}; x has {n} numbers, so must its rows")
    bound = np.asarray(linear.bound, np.float64)
    if bound.shape not in ((), matrix.shape[:-1]):
        raise ValueError(f"the bound of {name} has the shape {bound.shape}; its matrix has {matrix.shape[:-1]} rows")
    if not np.isfinite(matrix).all() or not np.isfinite(bound).all():
        raise ValueError(f"{name} has a number that is not finite; leave out rows that do not bind")
    shape = matrix.shape[:-1]
    return Affine(name, matrix.reshape(-1, n), np.broadcast_to(bound, shape).ravel(), shape)


def _shaped(flat: Array, shape: tuple[int, ...]) -> Any:
    return float(flat[0]) if shape == () else flat.reshape(shape)


def _flat(multipliers: Any, shape: tuple[int, ...], name: str) -> Array:
    out = np.asarray(multipliers, np.float64)
    if out.shape != shape:
        raise ValueError(f"the multipliers of {name} have the shape {out.shape}; {shape} was expected")
    if not np.isfinite(out).all():
        raise ValueError(f"a multiplier of {name} is not finite")
    return out.ravel()
