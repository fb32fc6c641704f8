"""A model's parameters, class by class, and its linear form, if it has one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.sample import Array
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned
from likely.statistics import Labels
from likely.tabular import Cells, Tabular, by_class


@dataclass(frozen=True, eq=False)
class Description(Tabular):
    """The parameters of a model: lines of column, parameter and a number for each class."""

    classes: Labels
    prior: Array
    lines: list[tuple[Any, str, Array]]
    free_parameters: int
    """The number of estimated parameters, of the class prior and all families."""
    joint_parameters: int | None
    """The number of parameters of the full joint distribution, if all columns are bits: 2^(d+1) - 1 for two classes.
    Otherwise None."""

    def cells(self) -> Cells:
        """The class prior, then a line for each column and parameter: a number for each class."""
        columns, parameters, numbers = zip(("class", "probability", self.prior), *self.lines, strict=True)
        return by_class({"column": columns, "parameter": parameters}, self.classes, numbers)

    @property
    def caption(self) -> str:
        """The number of parameters, as a sentence."""
        count = f"{self.free_parameters} parameters"
        if self.joint_parameters is not None:
            joint = self.joint_parameters
            digits = f"about 2^{joint.bit_length()}" if joint.bit_length() > 64 else joint
            count += f"; the full joint distribution would have {digits}"
        return count

    def __str__(self) -> str:
        lines = [("", "", *map(str, self.classes.tolist())), ("class", "probability", *map(_number, self.prior))]
        lines += [(str(column), name, *map(_number, values)) for column, name, values in self.lines]
        return f"{aligned(lines)}\n{self.caption}"


@dataclass(frozen=True, eq=False)
class LinearForm(Tabular):
    """Scores as weights @ features + bias, so that decision boundaries are linear. Terms that are the same for all
    classes are left out: log x! of Poisson, and the quadratic terms if all classes share one covariance.

    A feature is (column, None) for the number in a column, or (column, value) for the indicator of a value or bin.
    """

    classes: Labels
    weights: Array
    bias: Array
    features: list[tuple[Any, Any]]

    def cells(self) -> Cells:
        """The weight of each feature in the score of each class, and the bias last."""
        columns, values = zip(*self.features, ("bias", None), strict=True)
        return by_class({"column": columns, "value": values}, self.classes, [*self.weights.T, self.bias])

    def __str__(self) -> str:
        features = [
            (str(column), "" if value is None else str(value)) for column, value in (*self.features, ("bias", None))
        ]
        numbers = (*self.weights.T, self.bias)
        lines = [(*feature, *map(_number, row)) for feature, row in zip(features, numbers, strict=True)]
        return aligned([("", "", *map(str, self.classes.tolist())), *lines])


def describe(model: NaiveBayesModel) -> Description:
    model.check_parameters()
    blocks = model.blocks
    lines = [
        ((block.columns[line.column], block.family.marks_missing), (block.frame.columns[line.column], *line[1:]))
        for block in blocks
        for line in block.family.describe(block.parameters, block.frame)
    ]
    lines.sort(key=lambda line: line[0])
    classes = len(model.classes)
    bits = all(block.family.domain == "bit" and not block.family.marks_missing for block in blocks)
    return Description(
        model.classes,
        np.exp(model.log_prior()),
        [line for _, line in lines],
        classes - 1 + sum(block.family.parameter_count(block) for block in blocks),
        classes * 2 ** sum(len(block.columns) for block in blocks) - 1 if bits else None,
    )


def linear(model: NaiveBayesModel) -> LinearForm:
    model.check_parameters()
    weights, features, bias = [], [], model.log_prior()
    for block in model.blocks:
        line = block.family.linear(block.parameters, block.frame)
        if line is None:
            raise ValueError(
                f"the boundary is not linear: column {block.frame.columns[0]!r} is {type(block.family).__name__}, "
                "whose score is no linear function of it"
            )
        bias = bias + line.bias
        weights.append(line.weights)
        features += [(block.frame.columns[at], block.frame.value_of(at, cell)) for at, cell in line.features]
    table = np.hstack(weights)
    if not (np.isfinite(table).all() and np.isfinite(bias).all()):
        raise ValueError("some weights are infinite, as something has probability 0; give the families a prior")
    return LinearForm(model.classes, table, bias, features)


def _number(value: float) -> str:
    return f"{value:.6g}"
