"""What is believed before any row is seen.

A conjugate prior is rows imagined: its parameters are counts of the same kind as the statistics, so its posterior is
the prior with the rows seen added to those imagined. Each family needs one of four shapes of prior, and each prior
says in which it can serve:

- proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram): imagined counts per cell;
- a rate (Poisson): imagined events, and the rows they came in;
- a normal (Gaussian): an imagined mean and variance, and the rows each is worth;
- a covariance (MultivariateGaussian): an imagined covariance, and the rows it is worth. What is believed of its mean
  vector is given beside it, as a Normal.

An estimate is the posterior's mean (EAP) unless `estimate="mode"` asks for its mode (MAP).
"""

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Estimate = Literal["mean", "mode"]


class Prior:
    """The base of all priors. Numbers that a prior adds to the statistics; see the module's text."""

    def __repr__(self) -> str:
        return short(self)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(cast(Any, self)))

    def __hash__(self) -> int:
        return hash((type(self), *(_key(getattr(self, f.name)) for f in fields(cast(Any, self)))))

    def dirichlet(self, cells: int) -> "Dirichlet":
        """The Dirichlet prior that this one stands for, of the proportions of so many cells."""
        raise self._unfit("proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram)")

    def gamma(self) -> "Gamma":
        """The Gamma prior that this one stands for, of a rate."""
        raise self._unfit("a rate (Poisson)")

    def normal(self) -> "NormalInverseGamma":
        """The normal-inverse-gamma prior that this one stands for, of a mean and a variance."""
        raise self._unfit("a mean and a variance (Gaussian)")

    def wishart(self, columns: int) -> "InverseWishart":
        """The inverse-Wishart prior that this one stands for, of the covariance of so many columns."""
        raise self._unfit("a covariance (MultivariateGaussian)")

    def proportions(self, cells: int) -> Array:
        """Imagined counts of each of so many cells, as they enter (count + imagined) / (all + all imagined)."""
        prior = self.dirichlet(cells)
        if prior.estimate == "mode":
            _at_least(1, **{"for a mode, each imagined count": prior.alpha})
            return np.asarray(prior.alpha - 1)
        return np.asarray(prior.alpha)

    def rate(self) -> tuple[float, float]:
        """Imagined events and rows, as they enter (events + imagined) / (rows + imagined)."""
        prior = self.gamma()
        if prior.estimate == "mode":
            _at_least(1, **{"for a mode, the imagined events a": prior.a})
            return prior.a - 1, prior.b
        return prior.a, prior.b

    def _unfit(self, shape: str) -> TypeError:
        fit = ", ".join(prior.__name__ for prior in _FIT[shape])
        return TypeError(f"{self!r} is no prior for {shape}; {fit} are")


@dataclass(frozen=True, repr=False, eq=False)
class MaximumLikelihood(Prior):
    """No prior: what never occurred has probability 0."""

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(np.zeros(cells))

    def gamma(self) -> "Gamma":
        return Gamma(0.0, 0.0)

    def normal(self) -> "NormalInverseGamma":
        return NormalInverseGamma(variance_rows=0.0)

    def wishart(self, columns: int) -> "InverseWishart":
        return InverseWishart(np.zeros((columns, columns)), 0.0)


@dataclass(frozen=True, repr=False, eq=False)
class MEstimate(Prior):
    """(count + m p) / (rows + m): as if m more rows had been seen, in the proportion p.

    p is the probability of a one (Bernoulli), one number per value in their order (Categorical and others), the rate
    (Poisson) or the variance (Gaussian). Left out, it is even, 1 / values; for Poisson 1; for Gaussian the variance
    within the classes.
    """

    m: float
    p: float | tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        _at_least(0, m=self.m)
        if isinstance(self.p, (list, np.ndarray)):
            object.__setattr__(self, "p", tuple(self.p))
        _at_least(0, p=0 if self.p is None else self.p)

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(self.m * self._shares(cells))

    def gamma(self) -> "Gamma":
        return Gamma(self.m * (1.0 if self.p is None else self._one_number()), self.m)

    def normal(self) -> "NormalInverseGamma":
        variance = None if self.p is None else self._one_number()
        return NormalInverseGamma(mean_rows=self.m, variance=variance, variance_rows=self.m)

    def _shares(self, cells: int) -> Array:
        if self.p is None:
            return np.full(cells, 1 / cells)
        if isinstance(self.p, tuple):
            _require(len(self.p) == cells, f"p has {len(self.p)} numbers for {cells} values")
            _require(abs(sum(self.p) - 1) < 1e-9, f"p must sum to 1, not {sum(self.p)}")
            return np.array(self.p)
        _require(cells == 2, f"one p is enough for two values, but there are {cells}: give one p for each")
        _require(self.p <= 1, f"p must be at most 1, not {self.p}")
        return np.array([1 - self.p, self.p])

    def _one_number(self) -> float:
        if isinstance(self.p, tuple):
            raise TypeError(f"one number is needed as p here, not {len(self.p)}")
        return float(self.p or 0.0)


@dataclass(frozen=True, repr=False, eq=False)
class Laplace(Prior):
    """One more row of every value (or `strength` of them): the m-estimate with m = values and p = 1 / values.

    For a rate it is one event in one row; for a normal one row of the mean of all and the variance within the classes.
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        _at_least(0, strength=self.strength)

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(np.full(cells, self.strength))

    def gamma(self) -> "Gamma":
        return Gamma(self.strength, self.strength)

    def normal(self) -> "NormalInverseGamma":
        return NormalInverseGamma(mean_rows=self.strength, variance_rows=self.strength)


@dataclass(frozen=True, repr=False, eq=False)
class Auto(Prior):
    """As Laplace, of a strength that is chosen: the one under which the rows, each left out of its own count, are most
    probable.

    `strength` is the one chosen, 1 until rows have been seen, and `tried` holds those it was chosen from, each with the
    log probability it gave them. Of two models that are merged it may differ, and then it is the first's.
    """

    strength: float = 1.0
    tried: tuple[tuple[float, float], ...] = ()

    GRID: ClassVar[tuple[float, ...]] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

    def __repr__(self) -> str:
        return f"Auto({self.strength:g})"

    def __eq__(self, other: object) -> bool:
        return type(other) is Auto

    def __hash__(self) -> int:
        return hash(Auto)

    def dirichlet(self, cells: int) -> "Dirichlet":
        return Dirichlet(np.full(cells, self.strength))

    def gamma(self) -> "Gamma":
        return Gamma(self.strength, self.strength)

    def normal(self) -> "NormalInverseGamma":
        return NormalInverseGamma(variance_rows=self.strength)


@dataclass(frozen=True, repr=False, eq=False)
class Beta(Prior):
    """A probability: as if `a` ones and `b` zeros had been seen. Also what a posterior is read as."""

    a: Any = 1.0
    b: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        _at_least(0, a=self.a, b=self.b)
        _known(self.estimate)

    def dirichlet(self, cells: int) -> "Dirichlet":
        _require(cells == 2, f"Beta is a prior for two values, but there are {cells}: use Dirichlet")
        return Dirichlet(np.array([self.b, self.a], np.float64), self.estimate)

    def posterior(self, ones: ArrayLike, zeros: ArrayLike) -> "Beta":
        return replace(self, a=np.asarray(ones) + self.a, b=np.asarray(zeros) + self.b)

    @property
    def mean(self) -> Any:
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> Any:
        """The most probable value; NaN where there is none (both a and b at most 1)."""
        a, b = np.asarray(self.a, np.float64), np.asarray(self.b, np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            inside = np.where(np.maximum(a, b) > 1, np.clip((a - 1) / (a + b - 2), 0, 1), np.nan)
        return np.where((a <= 1) & (b > 1), 0.0, np.where((b <= 1) & (a > 1), 1.0, inside))[()]

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval that holds the value with that probability."""
        from scipy.special import betaincinv

        tail = (1 - level) / 2
        return betaincinv(self.a, self.b, tail), betaincinv(self.a, self.b, 1 - tail)


@dataclass(frozen=True, repr=False, eq=False)
class Dirichlet(Prior):
    """Proportions: as if `alpha` rows of each value had been seen (one number, or one per value)."""

    alpha: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        _at_least(0, alpha=self.alpha)
        _known(self.estimate)

    def dirichlet(self, cells: int) -> "Dirichlet":
        alpha = np.asarray(self.alpha, np.float64)
        _require(alpha.ndim == 0 or alpha.shape == (cells,), f"alpha has {alpha.size} numbers for {cells} values")
        return replace(self, alpha=np.full(cells, alpha))

    def posterior(self, counts: ArrayLike) -> "Dirichlet":
        return replace(self, alpha=np.asarray(counts) + self.alpha)

    @property
    def mean(self) -> Array:
        alpha = np.asarray(self.alpha, np.float64)
        return np.asarray(alpha / alpha.sum(axis=-1, keepdims=True))

    @property
    def mode(self) -> Array:
        """The most probable proportions; NaN where there are none (an alpha below 1)."""
        less = np.asarray(self.alpha, np.float64) - 1
        total = less.sum(axis=-1, keepdims=True)
        defined = (less >= 0).all(axis=-1, keepdims=True) & (total > 0)
        return np.asarray(np.divide(less, total, out=np.full(less.shape, np.nan), where=defined))

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """For each value, the central interval that holds its proportion with that probability."""
        alpha = np.asarray(self.alpha, np.float64)
        return Beta(alpha, alpha.sum(axis=-1, keepdims=True) - alpha).interval(level)


@dataclass(frozen=True, repr=False, eq=False)
class Gamma(Prior):
    """A rate: as if `a` events had been seen in `b` rows."""

    a: Any = 1.0
    b: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        _at_least(0, a=self.a, b=self.b)
        _known(self.estimate)

    def gamma(self) -> "Gamma":
        return self

    def posterior(self, events: ArrayLike, rows: ArrayLike) -> "Gamma":
        return replace(self, a=np.asarray(events) + self.a, b=np.asarray(rows) + self.b)

    @property
    def mean(self) -> Any:
        return self.a / self.b

    @property
    def mode(self) -> Any:
        return np.maximum(self.a - 1, 0) / self.b

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """The central interval that holds the rate with that probability."""
        from scipy.special import gammaincinv

        tail = (1 - level) / 2
        return gammaincinv(self.a, tail) / self.b, gammaincinv(self.a, 1 - tail) / self.b


@dataclass(frozen=True, repr=False, eq=False)
class NormalInverseGamma(Prior):
    """A mean and a variance: as if the mean were known from `mean_rows` rows and the variance from `variance_rows`.

    Left out, the mean is that of the column over all classes, and the variance that within the classes: a class with
    few rows, or with one value throughout, borrows from the others, and no floor under the variance is needed. In the
    textbook's terms mu_0 = mean, kappa = mean_rows, alpha = 1 + variance_rows / 2, beta = variance_rows * variance / 2.
    """

    mean: Any = None
    mean_rows: Any = 0.0
    variance: Any = None
    variance_rows: Any = 1.0
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        _at_least(0, mean_rows=self.mean_rows, variance_rows=self.variance_rows)
        _at_least(0, variance=0 if self.variance is None else self.variance)
        _known(self.estimate)

    def normal(self) -> "NormalInverseGamma":
        return self

    def posterior(self, n: ArrayLike, mean: ArrayLike, m2: ArrayLike) -> "NormalInverseGamma":
        """Of n rows with that mean and sum of squared deviations. Needs the prior's mean and variance as numbers."""
        n, mean, m2 = np.asarray(n, np.float64), np.asarray(mean, np.float64), np.asarray(m2, np.float64)
        rows = self.mean_rows + n
        share = np.divide(n, rows, out=np.zeros(np.broadcast(n, rows).shape), where=rows > 0)
        delta = mean - self.mean
        squares = self.variance_rows * self.variance + m2 + self.mean_rows * share * delta * delta
        variance_rows = self.variance_rows + n
        variance = np.divide(squares, variance_rows, out=np.zeros(squares.shape), where=variance_rows > 0)
        # No row of either kind: what is believed of the column at large.
        variance = np.where(variance_rows > 0, variance, self.variance)
        return replace(
            self, mean=self.mean + share * delta, mean_rows=rows, variance=variance, variance_rows=variance_rows
        )

    @property
    def point(self) -> tuple[Array, Array]:
        """Mean and variance: the posterior's mean of both, or its joint mode."""
        if self.estimate == "mean":
            return self.mean, self.variance
        return self.mean, self.variance * self.variance_rows / (self.variance_rows + 5)


@dataclass(frozen=True, repr=False, eq=False)
class Normal(Prior):
    """A mean vector whose covariance about its own mean is known: what is believed of the means of a class before any
    row of it is seen, and after.

    One number is for every column; a covariance of one number, or of one for each column, is a diagonal.
    """

    mean: Any
    covariance: Any

    def __post_init__(self) -> None:
        _finite(mean=self.mean)
        _require(not np.isnan(np.asarray(self.covariance, np.float64)).any(), "covariance must be finite, not nan")
        _positive(self.covariance)

    def posterior(self, n: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> "Normal":
        """Of n rows with that mean, drawn with that covariance; n may differ by column if the columns are independent.
        Leading axes are classes.

        S_post = (S^-1 + n C^-1)^-1 and m_post = S_post (S^-1 m + n C^-1 mean). Of no rows at all, the prior.
        """
        seen = np.asarray(mean, np.float64)
        columns = seen.shape[-1]
        within = _matrix(covariance, columns, seen.ndim + 1)
        given = np.size(self.mean)
        _require(given in (1, columns), f"there are {given} means for {columns} columns")
        before, spread = np.broadcast_to(self.mean, columns), _matrix(self.covariance, columns, 2)
        n = np.asarray(n, np.float64)
        root = np.sqrt(np.broadcast_to(n if n.ndim == seen.ndim else n[..., None], seen.shape))
        # With D = sqrt n: S_post = S - G D S and m_post = m + G D (mean - m), G = S D (C + D S D)^-1. So C need have no
        # inverse. Where every column was seen, G C / D is the same without a difference.
        reached = root[..., :, None] * spread
        both = np.where(root[..., None] > 0, within, np.eye(columns)) + reached * root[..., None, :]
        gain = np.swapaxes(np.linalg.solve(both, reached), -1, -2)
        moved = before + (gain @ (root * (seen - before))[..., None])[..., 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            whole = gain @ within / root[..., None, :]
        after = np.where((root > 0).all(axis=-1)[..., None, None], whole, spread - gain @ reached)
        return Normal(moved, (after + np.swapaxes(after, -1, -2)) / 2)

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """For each column, the central interval that holds its mean with that probability."""
        from scipy.special import ndtri

        mean, covariance = np.asarray(self.mean, np.float64), np.asarray(self.covariance, np.float64)
        variance = np.diagonal(covariance, axis1=-2, axis2=-1) if covariance.ndim > mean.ndim else covariance
        half = ndtri((1 + level) / 2) * np.sqrt(variance)
        return mean - half, mean + half


@dataclass(frozen=True, repr=False, eq=False)
class InverseWishart(Prior):
    """A covariance: as if it were known from `rows` rows.

    In the textbook's terms, of p columns, nu = rows + p + 1 and Psi = rows * covariance, so that its mean is the
    covariance given, and its mode that times rows / (rows + 2 p + 2). A covariance of one number, or of one for each
    column, is a diagonal.
    """

    covariance: Any
    rows: Any
    estimate: Estimate = "mean"

    def __post_init__(self) -> None:
        _at_least(0, rows=self.rows)
        _finite(rows=self.rows, covariance=self.covariance)
        _positive(self.covariance)
        _known(self.estimate)

    def wishart(self, columns: int) -> "InverseWishart":
        return replace(self, covariance=_matrix(self.covariance, columns, 2))

    def posterior(self, n: ArrayLike, squares: ArrayLike) -> "InverseWishart":
        """Of n rows with those sums of products of deviations. Leading axes are classes."""
        seen = np.asarray(squares, np.float64)
        rows = self.rows + np.asarray(n, np.float64).reshape(seen.shape[:-2])
        total = seen + self.rows * _matrix(self.covariance, seen.shape[-1], 2)
        below = np.broadcast_to(rows[..., None, None], total.shape)
        covariance = np.divide(total, below, out=np.zeros(total.shape), where=below > 0)
        return replace(self, covariance=covariance, rows=rows)

    @property
    def mean(self) -> Array:
        return np.asarray(self.covariance, np.float64)

    @property
    def mode(self) -> Array:
        covariance, rows = self.mean, np.asarray(self.rows, np.float64)
        columns = covariance.shape[-1] if covariance.ndim else 1
        rows = rows.reshape(*rows.shape, *[1] * (covariance.ndim - rows.ndim))
        return np.asarray(covariance * (rows / (rows + 2 * columns + 2)))


_FIT: dict[str, tuple[type[Prior], ...]] = {
    "proportions (Bernoulli, Categorical, Multinomial, Complement, Histogram)": (
        MaximumLikelihood,
        MEstimate,
        Laplace,
        Auto,
        Beta,
        Dirichlet,
    ),
    "a rate (Poisson)": (MaximumLikelihood, MEstimate, Laplace, Auto, Gamma),
    "a mean and a variance (Gaussian)": (MaximumLikelihood, MEstimate, Laplace, Auto, NormalInverseGamma),
    "a covariance (MultivariateGaussian)": (MaximumLikelihood, InverseWishart),
}


def short(value: Any, **meant: Any) -> str:
    """A dataclass with the options that differ from their defaults, or from what else is meant by default."""
    defaults = {f.name: cast(Any, f.default) for f in fields(value)} | meant
    said = [f for f in fields(value) if not np.array_equal(getattr(value, f.name), defaults[f.name])]
    return f"{type(value).__name__}({', '.join(f'{f.name}={getattr(value, f.name)!r}' for f in said)})"


def _known(estimate: str) -> None:
    _require(estimate in ("mean", "mode"), f"the estimate is 'mean' or 'mode', not {estimate!r}")


def _at_least(least: float, **parameters: Any) -> None:
    for name, value in parameters.items():
        lowest = value if isinstance(value, (int, float)) else np.asarray(value, np.float64).min(initial=np.inf)
        if not lowest >= least:
            raise ValueError(f"{name} must be {least} or more, not {lowest}")


def _finite(**parameters: Any) -> None:
    for name, value in parameters.items():
        if not np.isfinite(np.asarray(value, np.float64)).all():
            raise ValueError(f"{name} must be finite, not {value!r}")


def _positive(covariance: Any) -> None:
    """Numbers of 0 or more, or symmetric matrices without a negative direction; in any units."""
    covariance = np.asarray(covariance, np.float64)
    if covariance.ndim < 2:
        _at_least(0, covariance=covariance)
        return
    _require(covariance.shape[-1] == covariance.shape[-2], "the covariance must be symmetric")
    variance = np.abs(np.diagonal(covariance, axis1=-2, axis2=-1))
    deviation = np.sqrt(np.where((variance > 0) & (variance < np.inf), variance, 1.0))
    scaled = np.where(np.isinf(covariance), 0.0, covariance) / (deviation[..., :, None] * deviation[..., None, :])
    symmetric = bool((np.abs(scaled - np.swapaxes(scaled, -1, -2)) <= 1e-9).all())
    _require(symmetric, "the covariance must be symmetric")
    _require(bool((np.linalg.eigvalsh(scaled) >= -1e-9).all()), "the covariance must not be negative in any direction")


def _key(value: Any) -> Any:
    """The same for values that are equal: 1 and 1.0, a list and an array."""
    try:
        return tuple(np.ravel(np.asarray(value, np.float64)).tolist())
    except (TypeError, ValueError):
        return value


def _matrix(covariance: ArrayLike, columns: int, axes: int) -> Array:
    """A covariance as a matrix, or one for each class."""
    given = np.asarray(covariance, np.float64)
    if given.ndim >= 2 and given.ndim == axes:
        _require(given.shape[-1] == columns, f"the covariance is of {given.shape[-1]} columns, not of {columns}")
        return given
    _require(given.ndim == 0 or given.shape[-1] == columns, f"there are {given.size} variances for {columns} columns")
    return np.asarray(np.broadcast_to(given, (*given.shape[:-1], columns))[..., None, :] * np.eye(columns))


def _require(ok: bool, otherwise: str) -> None:
    if not ok:
        raise ValueError(otherwise)
