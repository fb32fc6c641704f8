"""Positive numbers with a normally distributed logarithm in each class: incomes, sizes, durations."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from likely.data.table import Kind
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check
from likely.families.family import Observations, Parameter
from likely.families.formula import Cell
from likely.families.gaussian import Gaussian, Normals, moments
from likely.priors import NormalInverseGamma, Prior
from likely.statistics import Frame, Moments

NEEDS = "LogNormal needs finite numbers above 0"


@dataclass(frozen=True, repr=False)
class LogNormal(Gaussian):
    """log p(x | y) = -log x - 1/2 log(2 pi v) - (log x - m)^2 / 2v: a Gaussian of log x.

    A number of 0 or less can't be learned. In a prediction it is impossible in every class, so it is evidence for none:
    it scores as a missing cell.

    Parameters
    ----------
    prior : Prior, default `NormalInverseGamma()`
        The prior of the mean and the variance of log x.

    See Also
    --------
    Gaussian : the same without the logarithm.
    Exponential : waiting times.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import LogNormal
    >>> nb = NaiveBayes(LogNormal()).fit([[1.0], [2.0], [40.0], [90.0]], ["low", "low", "high", "high"])
    >>> nb.predict([[1.5], [60.0]]).tolist()
    ['low', 'high']
    """

    prior: Prior = NormalInverseGamma()
    auto: ClassVar[tuple[Kind, ...]] = ("float", "int")
    lowest: ClassVar[float] = 5e-324

    def count(self, seen: Observations, frame: Frame) -> Moments:
        if (bad := np.asarray(seen.cells) <= 0).any():
            check(int(np.argmax(bad)), seen.cells, NEEDS)
        return moments(seen, _logs(seen.cells), NEEDS)

    def score(self, parameters: Normals, cells: Array, out: Array) -> None:
        logs = _logs(cells)
        super().score(parameters, logs, out)
        out -= _summed(logs, parameters.column_weights)

    def score_by(self, parameters: "list[Normals]", which: Codes, cells: Array, out: Array) -> None:  # type: ignore[override]
        logs = _logs(cells)
        super().score_by(parameters, which, logs, out)
        out -= _summed(logs, parameters[0].column_weights)

    def contributions(self, parameters: Normals, cells: Array) -> Array:
        logs = _logs(cells)
        weights = 1.0 if parameters.column_weights is None else parameters.column_weights
        return super().contributions(parameters, logs) - np.nan_to_num(logs * weights)[:, None, :]

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        most = float(np.finfo(np.float64).max)
        return (Cell(plan.columns[at], "log", low=self.lowest, high=most, needs=NEEDS, lenient=True),)

    def loo(self, block: Block, seen: Observations) -> Array:
        logs = _logs(seen.cells)
        return super().loo(block, replace(seen, cells=logs)) - np.nan_to_num(logs)

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        logs = _logs(seen.cells)
        super().loo_scores(block, replace(seen, cells=logs), out)
        out -= _summed(logs, block.column_weights)

    def loo_contributions(self, block: Block, seen: Observations) -> Array:
        logs = _logs(seen.cells)
        return super().loo_contributions(block, replace(seen, cells=logs)) - np.nan_to_num(logs)[:, None, :]

    def sample(self, parameters: Normals, y: Codes, rng: "np.random.Generator") -> Array:
        return np.exp(super().sample(parameters, y, rng))

    def describe(self, parameters: Normals, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "median", np.exp(parameters.mean[:, j]))
            yield Parameter(j, "standard deviation of the log", np.sqrt(parameters.variance[:, j]))

    def log_base(self, seen: Observations) -> float:
        """-log x of every cell."""
        return -float(_summed(_logs(seen.cells), None)[:, 0] @ seen.weights)

    def features(self, block: Block, cells: Array) -> Array:
        return _logs(cells)


def _logs(cells: Array) -> Array:
    """log x; NaN where x is 0 or less, or missing."""
    x = np.asarray(cells, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(x)
    if not np.isfinite(logs.sum()):
        if (bad := np.isinf(x)).any():
            check(int(np.argmax(bad)), np.asarray(cells), NEEDS)
        logs[x <= 0] = np.nan
    return logs


def _summed(logs: Array, column_weights: Array | None) -> Array:
    """The weighted sum of log x of each row, the same for all classes: rows x 1."""
    there = np.nan_to_num(logs)
    return (there.sum(axis=1) if column_weights is None else there @ column_weights)[:, None]
