"""The path of a textbook method to the weights of a fit, for teaching. The fit itself uses faster methods."""

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from likely.data.sample import Sample
from likely.models.logistic.choice import rows_with
from likely.models.logistic.honest_loss import scaled
from likely.models.logistic.regression import LogisticModel
from likely.optimize import Function, Trace, gradient_descent, newton
from likely.optimize.softmax.dense import DenseRows
from likely.typing import Objective

Method = Literal["newton", "gradient"]
MOST = 300
"""The most weights and biases: the Hessian is computed by differences of the gradient."""


@dataclass(frozen=True)
class LogisticTrace(Trace):
    """The unknowns at each step: for each class the weights of the standardised columns, then the bias."""

    names: tuple[str, ...]
    """The name of each unknown."""
    objective: Objective
    """The penalty ½ ‖w‖² / C plus the losses, divided by the number of rows."""

    @property
    def plane(self) -> bool:
        """Whether it has two weights, and so a path on contours."""
        return len(self.names) == 3


def trace(model: LogisticModel, sample: Sample, method: Method) -> LogisticTrace:
    """The path from weights of 0, with the biases of the class shares, to the minimum of the model's objective on these
    rows. C and all other options are those that the model has chosen."""
    if method not in ("newton", "gradient"):
        raise ValueError(f"method is 'newton' or 'gradient', not {method!r}")
    if model.limits:
        raise ValueError("a trace is of weights without constraints; likely.optimize.minimize shows its steps")
    known = model.known
    rows = scaled(rows_with(known.design, known.generative, sample), known.nb_scale)
    size = (rows.columns + 1) * rows.outputs
    if not isinstance(rows, DenseRows) or size > MOST:
        raise ValueError(f"a trace is of at most {MOST} weights and biases of a dense table, and there are {size:,}")
    at, shape = rows.objective(1 / known.c), (rows.outputs, rows.columns + 1)
    function = Function(
        lambda w: at(np.reshape(w, shape))[0] / rows.total,
        lambda w: at(np.reshape(w, shape))[1].ravel() / rows.total,
    )
    start = np.column_stack([np.zeros((rows.outputs, rows.columns)), rows.first_bias]).ravel()
    if method == "newton" and rows.outputs == 1:
        path = newton(function, start, backtracking=True)
    elif method == "newton":
        raise ValueError("Newton's method is traced for two classes: of more, a constant added to all changes nothing")
    else:
        path = gradient_descent(function, start)
    features = [column if value is None else f"{column} {value}" for column, value in known.design.features]
    classes = known.classes.tolist() if rows.outputs > 1 else [""]
    names = tuple(f"{name} {label}".strip() for label in classes for name in (*map(str, features), "bias"))
    steps = {each.name: getattr(path, each.name) for each in fields(path)}
    return LogisticTrace(**steps, names=names, objective=function.value)
