"""Stores naive Bayes and Gaussian classifiers in a model file: options and statistics, and checks when they are
read."""

from itertools import groupby
from typing import Any, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Kind
from likely.families import Block, Family
from likely.models.choosing.columns import MissingCells
from likely.models.choosing.named import named_families
from likely.models.class_prior import class_probabilities
from likely.models.gaussian import GaussianModel
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import Counts, Frame, Labels, Statistics
from likely.store.values import Columns

Made = TypeVar("Made", bound=NaiveBayesModel)

OPTIONS = "families", "smoothing", "class_prior"
"""The options that every kind of model has."""


def parts(model: NaiveBayesModel) -> dict[str, Any]:
    """The complete model, in values that a file can hold."""
    known = model.known
    return {
        **{name: getattr(model, name) for name in OPTIONS},
        "missing": model.missing,
        "column_weights": model.column_weights,
        "select": model.select,
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
        "columns": _positions(block.columns),
        "names": tuple(block.frame.columns) if block.family.marks_missing else None,
        "column_weights": block.column_weights,
        "cells": None if block.frame.cells is None else Columns(block.frame.cells),
        "edges": None if block.frame.edges is None else Columns(block.frame.edges),
        "statistics": block.statistics,
    }


def _positions(columns: Any) -> Any:
    return columns if isinstance(columns, range) else tuple(int(j) for j in columns)


def naive_bayes(parts: dict[str, Any]) -> NaiveBayesModel:
    """The model made of these parts. Raises ValueError if they do not fit together."""
    return made(NaiveBayesModel, parts)


def gaussian(parts: dict[str, Any]) -> GaussianModel:
    model = made(GaussianModel, parts)
    families = model.families, *(block.family for block in model.blocks)
    require(len(families) == 2, "a Gaussian classifier has one block")
    require(all(type(family) is type(families[0]) and family.joint for family in families), "its family is another")
    require(hasattr(model.families, "covariance"), "the family of a Gaussian classifier is MultivariateGaussian")
    return model


def made(kind: type[Made], parts: dict[str, Any]) -> Made:
    """A model of this kind, made of these parts; see `naive_bayes`."""
    labels, rows = classes(parts["classes"]), parts["rows"]
    require(isinstance(rows, Counts) and rows.table.shape == (len(labels), 1), "a class has one number of rows")
    rows.check(len(labels), 1)
    names, kinds = columns(parts)
    blocks = blocks_of(parts["blocks"], names, len(labels))
    check_options(parts, names, labels, rows.table[:, 0])
    missing = parts["missing"]
    require(missing in get_args(MissingCells), f"missing is 'ignore', 'value' or 'auto', not {missing!r}")
    options = {name: parts[name] for name in (*OPTIONS, "missing", "column_weights", "select")}
    return kind(**options, learned=Learned(names, kinds, labels, rows, blocks))


def check_options(parts: dict[str, Any], names: Any, labels: Labels, rows: NDArray[Any]) -> None:
    """Raises ValueError for options that the model would reject when it learns again."""
    asked = NaiveBayesModel(**{name: parts[name] for name in OPTIONS})
    named_families(names, asked.families)
    if rows.any():
        class_probabilities(asked.class_prior, labels, rows)


def classes(labels: Labels) -> Labels:
    require(isinstance(labels, np.ndarray) and _ascending(labels) and len(labels) > 0, "classes must ascend")
    return labels


def columns(parts: dict[str, Any]) -> tuple[Any, tuple[Kind, ...]]:
    """The names and kinds of all columns."""
    names, kinds = parts["names"], parts["kinds"]
    require(isinstance(names, (tuple, range)), "names are a tuple")
    require(all(type(size) is int and size > 0 for _, size in kinds), "a run of columns has a length")
    require(sum(size for _, size in kinds) == len(names), "each column has its kind")
    require({kind for kind, _ in kinds} <= set(get_args(Kind)), "there is no such kind of column")
    return names, tuple(kind for kind, size in kinds for _ in range(size))


def blocks_of(parts: list[Any], names: Any, classes: int) -> tuple[Block, ...]:
    """The blocks. A column is in one block, and perhaps in another one for its missing cells."""
    require(sum(len(part["columns"]) for part in parts) <= 2 * len(names), "columns are in too many blocks")
    return tuple(_block_of(part, names, classes) for part in parts)


def _block_of(part: dict[str, Any], names: Any, classes: int) -> Block:
    family, columns, statistics = part["family"], part["columns"], part["statistics"]
    require(isinstance(family, Family) and isinstance(statistics, Statistics), "a block is a family and statistics")
    require(isinstance(columns, range) or all(type(j) is int for j in columns), "columns are whole numbers")
    require(0 < len(columns) <= len(names) and min(columns) >= 0 and max(columns) < len(names), "columns go too far")
    whole = len(columns) == len(names)
    cells, edges = (None if part[key] is None else tuple(part[key].arrays) for key in ("cells", "edges"))
    own = part["names"] or (names if whole else tuple(names[j] for j in columns))
    require(len(own) == len(columns), "each column has its name")
    frame = family.framed(own, cells, edges)
    _check_frame(frame)
    family.check_counted(statistics, frame, classes)
    weights = part["column_weights"]
    if weights is not None:
        require(weights.shape == (len(columns),) and weights.dtype == np.float64, "a column has one weight")
        require(bool(np.isfinite(weights).all() and (weights >= 0).all()), "weights are 0 or more")
    return Block(family, columns, frame, weights, statistics)


def _check_frame(frame: Frame) -> None:
    for labels in (*(frame.cells or ()), *(frame.edges or ())):
        require(_ascending(labels), "the cells of a column must ascend")
    for column in (frame.cells, frame.edges):
        require(column is None or len(column) == len(frame.columns), "each column has its cells")
    for edges in frame.edges or ():
        require(len(edges) > 1 and edges.dtype == np.float64 and bool(np.isfinite(edges).all()), "edges are numbers")


def _ascending(labels: Labels | NDArray[Any]) -> bool:
    return labels.ndim == 1 and bool(np.all(labels[1:] > labels[:-1]))


def require(ok: bool, otherwise: str) -> None:
    if not ok:
        raise ValueError(otherwise)
