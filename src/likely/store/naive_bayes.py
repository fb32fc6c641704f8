"""Naive Bayes and Gaussian classifiers in a model file: options, what was learned, and what must hold of it."""

from itertools import groupby
from typing import Any, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Kind
from likely.families import Family, Text
from likely.families.multivariate_gaussian import MultivariateGaussian
from likely.models.block import Block, Plan
from likely.models.class_prior import class_probabilities
from likely.models.gaussian import Gaussian
from likely.models.naive_bayes import Learned, NaiveBayes
from likely.models.selecting import Selecting
from likely.statistics import Counts, Frame, Labels, Scatter, Statistics, Tallies, Totals
from likely.store.values import Columns
from likely.text import Texts

Made = TypeVar("Made", bound=NaiveBayes)


def parts(model: NaiveBayes) -> dict[str, Any]:
    """All that the model is, in values that a file holds."""
    known = model.known
    return {
        "families": model.families,
        "smoothing": model.smoothing,
        "class_prior": model.class_prior,
        "missing": model.missing,
        "weighs": model.weighs,
        "names": names_of(model),
        "kinds": kinds_of(model),
        "classes": known.classes,
        "rows": known.rows,
        "blocks": [of_block(block) for block in known.blocks],
    }


def names_of(model: Any) -> Any:
    return model.names if isinstance(model.names, range) else tuple(model.names)


def kinds_of(model: Any) -> list[Any]:
    return [[kind, len(list(run))] for kind, run in groupby(model.kinds)]


def of_block(block: Block) -> dict[str, Any]:
    return {
        "family": block.family,
        "columns": _positions(block.plan.columns),
        "absence": block.plan.absence,
        "weights": block.plan.weights,
        "cells": None if block.frame.cells is None else Columns(block.frame.cells),
        "edges": None if block.frame.edges is None else Columns(block.frame.edges),
        "statistics": block.statistics,
    }


def _positions(columns: Any) -> Any:
    return columns if isinstance(columns, range) else tuple(int(j) for j in columns)


def naive_bayes(parts: dict[str, Any]) -> NaiveBayes:
    """The model of these parts. Raises ValueError where they do not fit each other."""
    return _of_options(NaiveBayes, parts)


def selecting(parts: dict[str, Any]) -> Selecting:
    return _of_options(Selecting, parts)


def _of_options(kind: type[Made], parts: dict[str, Any]) -> Made:
    require(isinstance(parts["weighs"], bool), "columns are weighed or not")
    model = kind(parts["families"], parts["smoothing"], parts["class_prior"], parts["missing"], parts["weighs"])
    _learn(model, parts)
    return model


def gaussian(parts: dict[str, Any]) -> Gaussian:
    family = parts["families"]
    require(isinstance(family, MultivariateGaussian), "the family of a Gaussian classifier is MultivariateGaussian")
    model = Gaussian(family, parts["class_prior"])
    _learn(model, parts)
    require(len(model.known.blocks) == 1 and model.family.joint, "a Gaussian classifier has one block")
    return model


def _learn(model: NaiveBayes, parts: dict[str, Any]) -> None:
    labels, rows = classes(parts["classes"]), parts["rows"]
    require(isinstance(rows, Counts) and rows.table.shape == (len(labels), 1), "a class has one number of rows")
    _check_numbers(rows)
    model.names, model.kinds = columns(parts)
    blocks = tuple(block_of(part, model.names, len(labels)) for part in parts["blocks"])
    model.learned = Learned(labels, rows, blocks)
    if rows.table.any():
        class_probabilities(model.class_prior, labels, rows.table[:, 0])  # raises if it does not fit


def classes(labels: Labels) -> Labels:
    require(isinstance(labels, np.ndarray) and _ascending(labels) and len(labels) > 0, "classes must ascend")
    return labels


def columns(parts: dict[str, Any]) -> tuple[Any, tuple[Kind, ...]]:
    """The names and kinds of all columns."""
    names, kinds = parts["names"], parts["kinds"]
    require(isinstance(names, (tuple, range)), "names are a tuple")
    require(sum(size for _, size in kinds) == len(names), "each column has its kind")
    require({kind for kind, _ in kinds} <= set(get_args(Kind)), "there is no such kind of column")
    return names, tuple(kind for kind, size in kinds for _ in range(size))


def block_of(part: dict[str, Any], names: Any, classes: int) -> Block:
    family, columns, statistics = part["family"], part["columns"], part["statistics"]
    require(isinstance(family, Family) and isinstance(statistics, Statistics), "a block is a family and statistics")
    require(isinstance(columns, range) or all(type(j) is int for j in columns), "columns are whole numbers")
    require(0 < len(columns) <= len(names) and min(columns) >= 0 and max(columns) < len(names), "columns go too far")
    whole = len(columns) == len(names)
    cells, edges = (None if part[key] is None else tuple(part[key].arrays) for key in ("cells", "edges"))
    frame = Frame(names if whole else tuple(names[j] for j in columns), cells, edges)
    _check_frame(family, frame, part["absence"])
    _check_statistics(family, frame, statistics, classes)
    weights = part["weights"]
    if weights is not None:
        require(weights.shape == (len(columns),) and weights.dtype == np.float64, "a column has one weight")
        require(bool(np.isfinite(weights).all() and (weights >= 0).all()), "weights are 0 or more")
    return Block(Plan(family, columns, frame, part["absence"], weights), statistics)


def _check_frame(family: Family, frame: Frame, absence: Any) -> None:
    require(isinstance(absence, bool), "absence is yes or no")
    require((frame.cells is not None) == (family.reads == "categories"), "a family of categories has cells")
    require((frame.edges is not None) == (family.reads == "numbers" and hasattr(family, "bins")), "bins have edges")
    for labels in (*(frame.cells or ()), *(frame.edges or ())):
        require(_ascending(labels), "the cells of a column must ascend")
    for column in (frame.cells, frame.edges):
        require(column is None or len(column) == len(frame.columns), "each column has its cells")
    for edges in frame.edges or ():
        require(len(edges) > 1 and edges.dtype == np.float64 and bool(np.isfinite(edges).all()), "edges are numbers")


def _check_statistics(family: Family, frame: Frame, statistics: Any, classes: int) -> None:
    """They are what the family itself counts, of so many classes and cells."""
    one = Frame((0,), *(None if of is None else of[:1] for of in (frame.cells, frame.edges)))
    empty: Any = np.empty((0, 1), np.int32 if family.reads == "categories" else np.float64)
    block = Texts.of(()) if isinstance(family, Text) else empty
    expected = family.count(block, np.empty(0, np.int32), 1, None, one)
    require(type(statistics) is type(expected), f"{type(family).__name__} does not count {type(statistics).__name__}")
    if isinstance(statistics, Tallies):
        _check_tallies(statistics, family, classes)
    else:
        cells = int(frame.starts[-1])
        for name, array in statistics.arrays().items():
            shape: tuple[int, ...] = (classes, cells)
            if isinstance(statistics, Scatter) and name in ("n", "products"):
                shape = (classes, 1) if name == "n" else (classes, cells, cells)
            one_for_all = isinstance(statistics, Totals) and name == "seen" and array.shape == (classes, 1)
            require(array.shape == shape or one_for_all, f"the shape of {name!r} is {array.shape}, not {shape}")
    _check_numbers(statistics)


def _check_tallies(tallies: Tallies, family: Any, classes: int) -> None:
    starts, at = tallies.starts, tallies.at
    dtypes = starts.dtype == np.int64 and at.dtype == np.int32 and tallies.totals.dtype == np.float64
    require(dtypes and starts.ndim == at.ndim == 1 and at.shape == tallies.totals.shape, "a tally is not in order")
    require(tallies.texts.shape == (classes, 1) and isinstance(tallies.fixed, bool), "a tally is not in order")
    require(len(starts) > 0 and starts[0] == 0 and starts[-1] == len(at), "a tally does not end where it should")
    require(bool((starts[1:] >= starts[:-1]).all()), "a tally is not in order")
    require(not at.size or (at.min() >= 0 and at.max() < classes), "a tally names a class that there is not")
    size = family.how.hashing if tallies.words is None else len(tallies.words)
    require(size == len(starts) - 1, "a tally has words without totals")


def _check_numbers(statistics: Statistics) -> None:
    for name, array in statistics.arrays().items():
        if isinstance(array, np.ndarray):
            require(array.dtype.kind in "if", f"{name!r} are no numbers")
            require(bool(np.isfinite(array).all()), f"{name!r} are not finite")
            require(name in ("mean", "products") or not (array < 0).any(), f"{name!r} are below 0")


def _ascending(labels: Labels | NDArray[Any]) -> bool:
    return labels.ndim == 1 and bool(np.all(labels[1:] > labels[:-1]))


def require(ok: bool, otherwise: str) -> None:
    if not ok:
        raise ValueError(otherwise)
