"""Constraints on the weights of a logistic regression, each as rows low <= sum of coefficient * weight <= high."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.typing import Label

Array = NDArray[np.float64]
Feature = tuple[Any, Any]
"""(column, None) for the number in a column, (column, value) for the indicator of a value, bin or word."""
OfClass = Hashable | Mapping[Hashable, float] | None
Places = Mapping[Any, int]
"""The position of each feature among the weights, in order."""


class Row(NamedTuple):
    """low <= sum of coefficient * weight <= high."""

    coefficients: dict[int, float]
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class Limit(ABC):
    """The base of all limits. `of` is a class, or a sum over classes as {class: coefficient}; None with two classes."""

    of: OfClass = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        shown = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.name != "of"]
        return f"{type(self).__name__}({', '.join(shown + self._class_shown)})"

    @property
    def _class_shown(self) -> list[str]:
        return [] if self.of is None else [f"of={self.of!r}"]

    def shares(self, classes: Sequence[Label]) -> Array:
        """The coefficient of each class. With two classes a single 1, for the log odds of the second class."""
        if len(classes) == 2:
            if self.of is not None:
                raise ValueError(
                    f"{self!r} is on the log odds of {classes[1]!r}, the second of two classes; leave out its `of`"
                )
            return np.ones(1)
        if self.of is None:
            raise ValueError(f"{self!r} must name its class, one of {len(classes)}; add of={classes[-1]!r} to it")
        shares = np.zeros(len(classes))
        for of_class, times in self.of.items() if isinstance(self.of, Mapping) else [(self.of, 1.0)]:
            if not isinstance(of_class, Hashable) or of_class not in classes:
                some = ", ".join(map(repr, classes[:6])) + (", ..." if len(classes) > 6 else "")
                raise ValueError(f"{self!r} is of no class of y, which has {some}")
            shares[classes.index(of_class)] = times if isinstance(times, Real) else np.nan
        if not np.isfinite(shares).all() or np.ptp(shares) == 0:
            raise ValueError(f"{self!r} needs classes with coefficients that are finite and not all alike")
        return shares

    @abstractmethod
    def rows(self, features: Places) -> list[Row]:
        """The constraint as rows on the weights of these features; each row has one multiplier."""

    def shaped(self, multipliers: Array) -> float | Array:
        """The multipliers of its rows in the form of `multipliers_`."""
        return multipliers


@dataclass(frozen=True, repr=False)
class Between(Limit):
    """low <= weight <= high, for one feature; or for a sum, as {feature: coefficient}. None is no bound.

    If low equals high, the weight or the sum is fixed. The multiplier is one number: above 0 if the bound `high` is
    active, below 0 if `low` is.

    Parameters
    ----------
    what : feature, or dict from feature to coefficient
        One weight, or a sum of weights.
    low : float, optional
        The lowest value.
    high : float, optional
        The highest value.
    of : label or dict, optional
        Of more than two classes, the class, or a sum over classes as {class: coefficient}.

    See Also
    --------
    Equal : the same weight.
    Rising : weights in order.
    likely.LogisticRegression : takes it in `limits`.

    Examples
    --------
    >>> from likely import LogisticRegression
    >>> from likely.limits import Between
    >>> x, y = [[1, 5], [2, 3], [3, 4], [4, 1]], [0, 1, 0, 1]
    >>> model = LogisticRegression(limits=[Between(1, low=0)]).fit(x, y)
    >>> bool(abs(model.coef_[0, 1]) < 1e-6), bool(model.multipliers_[0] < 0)  # it would be below 0
    (True, True)
    """

    what: Hashable | Mapping[Hashable, float]
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        low, high = self._sides
        if not low <= high or low == np.inf or high == -np.inf:
            raise ValueError(f"{self!r} leaves no weight: low must not be above high, and neither NaN")
        if low == -np.inf and high == np.inf:
            raise ValueError(f"{self!r} limits nothing: give low, high or both")
        times = list(self.what.values()) if isinstance(self.what, Mapping) else [1.0]
        if not times or not all(np.isfinite(each) and each != 0 for each in times):
            raise ValueError(f"{self!r} needs features with coefficients that are finite and not 0")

    @property
    def _sides(self) -> tuple[float, float]:
        return -np.inf if self.low is None else float(self.low), np.inf if self.high is None else float(self.high)

    def rows(self, features: Places) -> list[Row]:
        what = self.what if isinstance(self.what, Mapping) else {self.what: 1.0}
        places = [place(feature, features) for feature in what]
        if len(set(places)) < len(places):
            raise ValueError(f"{self!r} names a feature twice")
        return [Row(dict(zip(places, map(float, what.values()), strict=True)), *self._sides)]

    def shaped(self, multipliers: Array) -> float:
        return float(multipliers[0])


@dataclass(frozen=True, repr=False)
class Rising(Limit):
    """A non-decreasing effect. A number has a weight of 0 or more. Values, in the order that you specify, and the bins
    of a histogram have non-decreasing weights. Missing cells, and values that you do not name, are free.

    There is a multiplier, 0 or more, for the number and then for each pair of neighbours.

    Parameters
    ----------
    column : column
        The column.
    values : sequence, optional
        Its values, in the order of increasing weights; not needed for a number.
    of : label or dict, optional
        Of more than two classes, the class, or a sum over classes as {class: coefficient}.

    See Also
    --------
    Falling : the other way round.
    likely.LogisticRegression : takes it in `limits`.

    Examples
    --------
    >>> from likely import LogisticRegression
    >>> from likely.limits import Rising
    >>> x, y = [[1, 5], [2, 3], [3, 4], [4, 1]], [0, 1, 0, 1]
    >>> bool(LogisticRegression(limits=[Rising(1)]).fit(x, y).coef_[0, 1] >= -1e-6)
    True
    """

    column: Hashable
    values: Sequence[Hashable] | None = None

    def rows(self, features: Places) -> list[Row]:
        return [Row(row, -np.inf, 0.0) for row in self._falls(features)]

    def _falls(self, features: Places) -> list[dict[int, float]]:
        """The rows, as coefficients of sums that are 0 or less if no weight falls."""
        if self.values is not None:
            ordered = [place((self.column, value), features) for value in self.values]
            if len(ordered) < 2 or len(set(ordered)) < len(ordered):
                raise ValueError(f"{self!r} needs two values or more, each named once")
            return [{left: 1.0, right: -1.0} for left, right in pairwise(ordered)]
        own = {value: at for (column, value), at in features.items() if column == self.column}
        if "squared" in own:
            raise ValueError(
                f"column {self.column!r} is read with its square, and so is no effect that only rises or falls; "
                f"give families={{{self.column!r}: 'histogram'}}, or another that has no square"
            )
        bins = [at for value, at in own.items() if isinstance(value, tuple)]
        falls = [{own[None]: -1.0}] if None in own else []
        falls += [{left: 1.0, right: -1.0} for left, right in pairwise(bins)]
        if not falls:
            named = ", ".join(repr(value) for value in list(own)[:2])
            raise ValueError(
                f"column {self.column!r} has values without an order; name them in theirs, as "
                f"{type(self).__name__}({self.column!r}, [{named}, ...])"
                if own
                else f"no feature is of column {self.column!r}"
            )
        return falls


@dataclass(frozen=True, repr=False)
class Falling(Rising):
    """A non-increasing effect; otherwise like `Rising`.

    Parameters
    ----------
    column : column
        The column.
    values : sequence, optional
        Its values, in the order of decreasing weights; not needed for a number.
    of : label or dict, optional
        Of more than two classes, the class, or a sum over classes as {class: coefficient}.

    See Also
    --------
    Rising : the other way round.
    likely.LogisticRegression : takes it in `limits`.

    Examples
    --------
    >>> from likely import LogisticRegression
    >>> from likely.limits import Falling
    >>> x, y = [[1, 5], [2, 3], [3, 4], [4, 1]], [0, 1, 0, 1]
    >>> bool(LogisticRegression(limits=[Falling(0)]).fit(x, y).coef_[0, 0] <= 1e-6)
    True
    """

    def rows(self, features: Places) -> list[Row]:
        return [Row({at: -times for at, times in row.items()}, -np.inf, 0.0) for row in self._falls(features)]


@dataclass(frozen=True, init=False, repr=False)
class Equal(Limit):
    """Features with the same weight. There is a multiplier for each pair of neighbours, of any sign.

    Parameters
    ----------
    *features : features
        Two or more.
    of : label or dict, optional
        Of more than two classes, the class, or a sum over classes as {class: coefficient}.

    See Also
    --------
    Between : weights within bounds.
    likely.LogisticRegression : takes it in `limits`.

    Examples
    --------
    >>> from likely import LogisticRegression
    >>> from likely.limits import Equal
    >>> x, y = [[1, 5], [2, 3], [3, 4], [4, 1]], [0, 1, 0, 1]
    >>> first, second = LogisticRegression(limits=[Equal(0, 1)]).fit(x, y).coef_[0]
    >>> bool(abs(first - second) < 1e-6)
    True
    """

    features: tuple[Hashable, ...]

    def __init__(self, *features: Hashable, of: OfClass = None) -> None:
        if len(features) < 2:
            raise ValueError("Equal needs two features or more")
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "of", of)

    def __repr__(self) -> str:
        return f"Equal({', '.join([*map(repr, self.features), *self._class_shown])})"

    def rows(self, features: Places) -> list[Row]:
        places = [place(feature, features) for feature in self.features]
        if len(set(places)) < len(places):
            raise ValueError(f"{self!r} names a feature twice")
        return [Row({left: 1.0, right: -1.0}, 0.0, 0.0) for left, right in pairwise(places)]


def place(feature: Any, features: Places) -> int:
    """The position of a feature among all."""
    try:
        at = features.get(feature, features.get((feature, None)))
    except TypeError:  # not hashable, such as a list
        at = None
    if at is not None:
        return at
    column = next((known[0] for known in features if known[0] == feature), None)
    if column is not None:
        first = next(known for known in features if known[0] == feature)
        raise ValueError(f"column {column!r} has a weight for each of its values; name one of them, as {first!r}")
    if isinstance(feature, tuple) and len(feature) == 2:
        values = [value for column, value in features if column == feature[0]]
        if values:
            some = ", ".join(map(repr, values[:6])) + (", ..." if len(values) > 6 else "")
            raise ValueError(f"column {feature[0]!r} has no weight of {feature[1]!r}, but of {some}")
    raise ValueError(f"no feature is called {feature!r}; `features_` lists them")
