"""Odds ratios, with confidence intervals from the observed information."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from likely.data.sample import Sample
from likely.models.logistic.regression import LogisticModel
from likely.printing import aligned
from likely.tabular import Cells, Tabular


class OddsRatio(NamedTuple):
    """The factor by which one unit more of a feature multiplies the odds of a class against the first class."""

    of_class: Any
    column: Any
    value: Any
    """None for a number, else the value that the feature indicates. The bias has the column None."""
    weight: float
    standard_error: float
    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class OddsRatios(Tabular):
    lines: list[OddsRatio]
    level: float

    def cells(self) -> Cells:
        return {name: [getattr(line, name) for line in self.lines] for name in OddsRatio._fields}

    def __str__(self) -> str:
        many = len({line.of_class for line in self.lines}) > 1
        share = f"{self.level:.0%}"
        table: list[tuple[str, ...]] = [("", "", "weight", "std. error", "odds ratio", f"{share} from", "to")]
        for line in self.lines:
            name = "bias" if line.column is None else str(line.column)
            name = f"{line.of_class}: {name}" if many else name
            value = "" if line.value is None else str(line.value)
            numbers = (line.weight, line.standard_error, line.ratio, line.low, line.high)
            table.append((name, value, *(f"{number:.4g}" for number in numbers)))
        return aligned(table)


def odds_ratios(model: LogisticModel, sample: Sample, level: float = 0.95) -> OddsRatios:
    """The odds ratios of a model that has learned this sample. The standard errors are those of penalised weights: with
    a small C they reflect the penalty more than the data.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is a share between 0 and 1, not {level}")
    covariance = model.information(sample).covariance
    if covariance is None:
        raise ValueError(
            f"{model.design.size} features of {len(model.classes)} classes are too many for the covariance of their "
            "weights, or some are collinear and there is no penalty; give fewer columns"
        )
    size = model.design.size + 1
    units = np.zeros((size, size))
    units[:, :-1], units[:, -1] = model.design.original(np.eye(size)[:, :-1], np.eye(size)[:, -1])
    outputs = len(covariance) // size
    blocks = covariance.reshape(outputs, size, outputs, size)
    of_units = np.einsum("ai,kalb,bj->kilj", units, blocks, units, optimize=True)
    weights, bias = model.weights
    both = np.column_stack([weights[:, : model.design.size], bias])
    variances = np.einsum("kiki->ki", of_units)
    if outputs > 1:
        across = np.stack([np.diag(of_units[k, :, 0]) for k in range(outputs)])
        both, variances = (both - both[0])[1:], (variances + variances[0] - 2 * across)[1:]
    wide = ndtri(0.5 + level / 2)
    lines = []
    for of_class, own, errors in zip(model.classes.tolist()[1:], both, np.sqrt(np.maximum(variances, 0)), strict=True):
        for (column, value), w, error in zip([*model.design.features, (None, None)], own, errors, strict=True):
            with np.errstate(over="ignore"):  # an interval may reach from 0 to infinity
                ends = np.exp([w, w - wide * error, w + wide * error])
            lines.append(OddsRatio(of_class, column, value, float(w), float(error), *map(float, ends)))
    return OddsRatios(lines, level)
