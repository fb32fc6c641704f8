"""Stores logistic regression in a model file: its options and weights, and checks when they are read."""

from dataclasses import fields, replace
from typing import Any, get_args

import numpy as np

from likely.limits import Between, Equal, Falling, Limit, Rising
from likely.models.choosing.pairs import PairEvidence
from likely.models.logistic.design import ChosenReading, Design, pieces_of, sparse_design
from likely.models.logistic.fit import LogisticFit
from likely.models.logistic.grid import Grid, GridAxis
from likely.models.logistic.regression import LogisticModel
from likely.models.logistic.strength import Tried
from likely.optimize.softmax import SoftmaxFit
from likely.store import naive_bayes
from likely.store.naive_bayes import blocks_of, of_block, require
from likely.store.values import Columns

LIMITS: dict[str, type[Limit]] = {limit.__name__: limit for limit in (Between, Rising, Falling, Equal)}


OPTIONS = *naive_bayes.OPTIONS, "missing", "shrink_to", "standardize", "interactions", "time_ordered", "tol"


def parts(model: LogisticModel) -> dict[str, Any]:
    """The complete model, in values that a file can hold. Blocks that the design shares with naive Bayes are stored
    once."""
    known = model.known
    generative = known.generative
    theirs = () if generative is None else generative.blocks
    shared = [at for at, block in enumerate(theirs) if any(block is mine for mine in model.blocks)]
    own = [block for block in model.blocks if not any(block is one for one in theirs)]
    return {
        **{name: getattr(model, name) for name in OPTIONS},
        "c": "auto" if model.candidates is None else model.candidates,
        "limits": [(type(limit).__name__, _arguments(limit), limit.of) for limit in model.limits],
        "names": naive_bayes.names_of(known),
        "kinds": naive_bayes.kinds_of(known),
        "classes": known.classes,
        "counts": known.class_counts,
        "generative": None if generative is None else naive_bayes.parts(generative),
        "shared": shared,
        "blocks": [of_block(block) for block in own],
        "absent": tuple(known.design.absent),
        "grids": [_of_grid(grid) for grid in known.design.grids],
        "dense": known.design.dense,
        "strength": known.c,
        "nb_scale": known.nb_scale,
        "margin_scale": known.margin_scale,
        "reading": known.reading,
        "tried": [tuple(each) for each in known.tried],
        "evidence": [tuple(each) for each in known.evidence],
        "solution": {name: value for name, value in _fields(known.solution).items() if name != "dual"},
        "multipliers": list(known.multipliers),
        "kkt": None if known.kkt is None else {**_fields(known.kkt), "multipliers": tuple(known.kkt.multipliers)},
    }


def _of_grid(grid: Grid) -> dict[str, Any]:
    return {
        "columns": tuple(axis.column for axis in grid.axes),
        "nodes": Columns([axis.nodes for axis in grid.axes]),
        "means": np.array([axis.mean for axis in grid.axes]),
        "deviations": np.array([axis.deviation for axis in grid.axes]),
        "terms": [list(term) for term in grid.terms],
    }


def _grid(part: dict[str, Any], names: Any) -> Grid:
    columns, nodes, means, deviations = part["columns"], tuple(part["nodes"].arrays), part["means"], part["deviations"]
    require(all(type(j) is int and 0 <= j < len(names) for j in columns), "columns go too far")
    require(len(nodes) == len(columns), "each axis has its nodes")
    require(_numbers(means, (len(columns),)) and _numbers(deviations, (len(columns),)), "an axis has a mean")
    require(bool((deviations >= 0).all()), "an axis has a spread")
    axes = [
        GridAxis(j, names[j], own, float(mean), float(deviation))
        for j, own, mean, deviation in zip(columns, nodes, means, deviations, strict=True)
    ]
    for axis in axes:
        numbers = axis.nodes.dtype == np.float64 and bool(np.isfinite(axis.nodes).all())
        enough = len(axis.nodes) > 1 or (axis.numeric and not len(axis.nodes))  # without nodes it has products alone
        ascending = axis.nodes.ndim == 1 and enough and bool(np.all(axis.nodes[1:] > axis.nodes[:-1]))
        require(ascending and (numbers or not axis.numeric), "the nodes of an axis must ascend")
    terms = tuple(tuple(term) for term in part["terms"])
    for term in terms:
        inside = all(type(at) is int and 0 <= at < len(axes) for at in term)
        require(len(term) in (1, 2) and inside, "a term is of one axis or two")
    return Grid(tuple(axes), terms)


def _arguments(limit: Any) -> tuple[Any, ...]:
    if isinstance(limit, Equal):
        return limit.features
    return tuple(argument for name, argument in _fields(limit).items() if name != "of")


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def logistic(parts: dict[str, Any]) -> LogisticModel:
    """The model made of these parts. Raises ValueError if they do not fit together."""
    flags = [parts[name] for name in ("standardize", "dense", "time_ordered")]
    require(all(isinstance(flag, bool) for flag in flags), "an option is yes or no")
    require(parts["tol"] is None or (isinstance(parts["tol"], float) and parts["tol"] > 0), "tol is above 0")
    return LogisticModel(
        parts["c"],
        **{name: parts[name] for name in OPTIONS},
        limits=[LIMITS[name](*arguments, of=of) for name, arguments, of in parts["limits"]],
        learned=_learned(parts),
    )


def _learned(parts: dict[str, Any]) -> LogisticFit:
    (names, kinds), classes, counts = naive_bayes.columns(parts), naive_bayes.classes(parts["classes"]), parts["counts"]
    require(len(classes) > 1, "there is but one class")
    require(_numbers(counts, (len(classes),)) and not (counts < 0).any(), "a class has rows")
    generative = None if parts["generative"] is None else naive_bayes.naive_bayes(parts["generative"])
    require((generative is None) == (parts["shrink_to"] is None), "weights are shrunk to what is not there")
    if generative is not None:
        same = generative.names == names and generative.kinds == kinds
        require(same and np.array_equal(generative.classes, classes), "naive Bayes is of another table")
    naive_bayes.check_options(parts, names, classes, counts)
    c, nb_scale = parts["strength"], parts["nb_scale"]
    require(isinstance(c, float) and c > 0, "C is above 0")
    require(isinstance(nb_scale, float) and 0 <= nb_scale <= 1, "naive Bayes is scaled from 0 to 1")
    margin_scale = parts.get("margin_scale")  # files of 0.1.0 do not have it
    scaled = isinstance(margin_scale, float) and 0 <= margin_scale < np.inf
    sparse = generative is not None and not parts["dense"]
    require(margin_scale is None or (scaled and sparse), "margins are of texts, and have a scale")
    theirs = () if generative is None else generative.blocks
    shared = parts["shared"]
    require(all(type(at) is int and 0 <= at < len(theirs) for at in shared), "naive Bayes has no such block")
    shared_blocks = tuple(theirs[at] for at in shared)
    blocks = (*shared_blocks, *blocks_of(parts["blocks"], names, len(classes)))
    design = _design(blocks, names, kinds, parts)
    solution = SoftmaxFit(**parts["solution"])
    _check(solution, 1 if len(classes) == 2 else len(classes), design.size)
    kkt = parts["kkt"]
    if kkt is not None:
        from likely.optimize import Certificate, Multipliers  # imported only here: most models have no limits

        kkt = Certificate(**{**kkt, "multipliers": Multipliers(*kkt["multipliers"])})
    tried = [Tried(*each) for each in parts["tried"]]
    evidence = [PairEvidence(*each) for each in parts["evidence"]]
    require(parts["reading"] in get_args(ChosenReading), "there is no such reading")
    found = LogisticFit(
        names, kinds, classes, counts, generative, design, c, nb_scale, tried, parts["reading"], evidence
    )
    fitted = {"solution": solution, "margin_scale": margin_scale, "multipliers": parts["multipliers"], "kkt": kkt}
    return replace(found, **fitted)


def _design(blocks: Any, names: Any, kinds: Any, parts: dict[str, Any]) -> Design:
    absent = parts["absent"]
    if not blocks:
        require(set(kinds) == {"sparse"} and not parts["dense"], "only a sparse matrix is read as it is")
        return sparse_design(names)
    require(all(type(j) is int and 0 <= j < len(names) for j in absent), "columns go too far")
    pieces = pieces_of(blocks, absent, names, parts["standardize"])
    for means, scales in (piece.standard for piece in pieces if piece.standard is not None):
        finite = np.isfinite(means).all() and np.isfinite(scales).all() and (scales > 0).all()
        require(bool(finite), "numbers have no spread")
    return Design((*pieces, *(_grid(part, names) for part in parts["grids"])), parts["dense"])


def _check(solution: SoftmaxFit, outputs: int, size: int) -> None:
    require(_numbers(solution.weights, (outputs, size)), f"weights are not of {outputs} times {size} features")
    require(_numbers(solution.bias, (outputs,)), "a class has one bias")
    for number in (solution.objective, solution.gap):
        require(isinstance(number, float), "the objective is a number")
    require(isinstance(solution.passes, int) and isinstance(solution.message, str), "the solution is not in order")
    active, free = solution.active, max(1, outputs - 1) * (size + 1)
    require(active is None or _numbers(active, (len(active), free)), "constraints are not of the weights")


def _numbers(array: Any, shape: tuple[int, ...]) -> bool:
    """Whether an array has this shape, and finite numbers."""
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype in (np.float64, np.int64)
    return fits and bool(np.isfinite(array).all())
