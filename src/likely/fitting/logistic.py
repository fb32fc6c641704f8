"""Logistic regression of rows in parts. The rows are counted once, to compute their features. The features of a part
stay where the part is; each pass of the solver is a sum over the parts, of the loss and its gradient at fixed weights.

The steps and the duality gap use the Hessian of a random sample of the rows on this machine. But the objective, its
minimum and the gap are those of all rows, however good the sample is.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample
from likely.engines.engine import Parts
from likely.families import Plan
from likely.fitting.over_parts import P, Reader, count_parts, finished, naming, spread_rows
from likely.models.learned import Learned
from likely.models.logistic.choice import feature_plans, rows_with
from likely.models.logistic.design import Design, design, numbers_of_bins
from likely.models.logistic.fit import LogisticFit
from likely.models.logistic.options import must_have_two
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax import SoftmaxRows, solve_elsewhere
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.problem import scale_of, with_ridge
from likely.optimize.softmax.solver import MOST_UNKNOWNS
from likely.statistics import Labels

Array = NDArray[np.float64]

TOL = 1e-6
"""The default tolerance of the duality gap, relative to the objective; the same as on one machine."""


def fit_logistic(model: LogisticModel, parts: Parts[P], as_sample: Reader[P]) -> LogisticModel:
    """The model of all rows. It minimises the same objective as on one machine, if families and the naive Bayes model
    that weights are shrunk towards are the same."""
    refuse_in_parts(model)
    with ExitStack() as held:
        if parts.keeps_in_place:
            rows = held.enter_context(parts.kept(partial(_read, as_sample)))
            return _fit(model, rows, _as_it_is, held)
        return _fit(model, parts, as_sample, held)


def _read(as_sample: Reader[P], number: int, part: P) -> Sample | None:
    with naming(number):
        return as_sample(part)


def _as_it_is(rows: Sample | None) -> Sample | None:
    return rows


def _fit(model: LogisticModel, parts: Parts[P], as_sample: Reader[P], held: ExitStack) -> LogisticModel:
    """The fitted model. `held` keeps the rows in memory until their features are computed."""
    first = spread_rows(parts, as_sample)
    chosen_by = first.sample
    nb = None
    if model.shrink_to:
        families = "auto" if model.families is None else model.families
        nb = NaiveBayesModel(families, model.smoothing, model.class_prior)
        chosen_by = nb.marking_empty(chosen_by)
    names, kinds = chosen_by.table.names, chosen_by.table.kinds
    with first.naming():
        chosen = feature_plans(model, chosen_by) if nb is None else nb.plans(chosen_by)
    plans: dict[str, Sequence[Plan]] = {"": chosen}
    if nb is not None and (numbers := numbers_of_bins(plans[""], names)):
        plans["numbers"] = numbers
    for plan in plans[""]:
        if plan.family.reads == "text" or any(kinds[j] == "sparse" for j in plan.columns):
            raise ValueError(
                f"column {names[plan.columns[0]]!r} holds texts or is sparse, and logistic regression of rows in "
                "partitions reads numbers and categories; use NaiveBayes, or rows in memory"
            )
    totals = count_parts(plans, chosen_by.table, parts, as_sample, first.step)
    counted = replace(totals.counted[""], kinds=kinds)
    must_have_two(counted.classes, counted.class_counts)
    generative = None
    if nb is None:
        counted.refuse_incomplete()
    else:
        generative = finished(nb, counted, totals.rows, chosen_by)
        more = totals.counted["numbers"].blocks if "numbers" in plans else ()
        counted = replace(generative.known, blocks=(*generative.blocks, *more))
    counted.warn_of_empty()
    features = _dense(counted, totals.count, model)
    sample = rows_with(features, generative, totals.rows.sample(counted.classes))
    assert model.candidates is not None
    (c,) = model.candidates
    with parts.kept(partial(_as_rows, features, generative, counted.classes, as_sample)) as kept:
        held.close()
        passes = PartPasses(kept, sample, totals.count, float(counted.class_counts.sum()))
        solution = solve_elsewhere(passes, sample, c, TOL if model.tol is None else model.tol)
    of_rows = names, kinds, counted.classes, counted.class_counts
    return replace(model, learned=LogisticFit(*of_rows, generative, features, c, model.nb_scale, [], solution=solution))


def refuse_in_parts(model: LogisticModel) -> None:
    """Raises ValueError for options that need all rows in the memory of one machine, before any work."""
    if model.candidates is None or len(model.candidates) > 1:
        raise ValueError("C is chosen by rows in memory alone; for rows in partitions, give one value, such as C=1")
    if model.candidates[0] == np.inf:
        raise ValueError("whether weights without a penalty exist is known of rows in memory alone; give a finite C")
    if model.limits:
        raise ValueError("limits are kept by fits of rows in memory alone; leave them out for rows in partitions")
    if not isinstance(model.interactions, str) and model.interactions:
        raise ValueError("interactions are learned of rows in memory alone; leave them out for rows in partitions")


def _dense(counted: Learned, rows: int, model: LogisticModel) -> Design:
    features = design(counted, rows, model.standardize, model.missing)
    outputs = 1 if len(counted.classes) == 2 else len(counted.classes)
    if (unknowns := (features.size + 1) * outputs) > MOST_UNKNOWNS:
        raise ValueError(
            f"there are {unknowns:,} weights and biases, of {features.size:,} features and {len(counted.classes)} "
            f"classes, and rows in partitions allow {MOST_UNKNOWNS:,}; leave out columns of many values, or use "
            "NaiveBayes"
        )
    return replace(features, dense=True)


def _as_rows(
    features: Design,
    generative: NaiveBayesModel | None,
    classes: Labels,
    as_sample: Reader[P],
    number: int,
    part: P,
) -> DenseRows | None:
    """The rows of a part for the solver; None if it has none."""
    with naming(number):
        sample = as_sample(part)
        if sample is None:
            return None
        rows = rows_with(features, generative, sample.among(classes))
    assert isinstance(rows, DenseRows)
    return rows


@dataclass(frozen=True)
class PartPasses:
    """The rows of all parts, in the form that the solver needs (`RowPasses`)."""

    parts: Parts[DenseRows | None]
    sample: SoftmaxRows
    number: int
    total: float

    def scale_of(self, value: float) -> float:
        return scale_of(value, self.total)

    def objective(self, penalty: float) -> Callable[[Array], tuple[float, Array]]:
        return with_ridge(self._passed, self.sample.ridge(penalty))

    def _passed(self, weights: Array, bias: Array) -> tuple[float, Array, Array]:
        sums = self.parts.total(partial(_pass, np.ascontiguousarray(weights), bias))
        return float(sums[-1, 0]), sums[:-2], sums[-2]


def _pass(weights: Array, bias: Array, number: int, rows: DenseRows | None) -> Array:
    """The gradient of one part, (columns + 2) x outputs: by the weights, then by the bias; the last row starts with the
    loss."""
    sums = np.zeros((len(weights) + 2, len(bias)))
    if rows is not None:
        sums[-1, 0], sums[:-2], sums[-2] = rows.passed(weights, bias)
    return sums
