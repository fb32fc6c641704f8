"""The scoring formula of a model: the classes, a start score for each, and terms that are added to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.sample import Array
from likely.data.table import Kind
from likely.families import Block
from likely.families.formula import Lookup, Polynomial, Product, Term
from likely.models.calibration import Calibration
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import Labels
from likely.store import Stored

IMPOSSIBLE = -1e200
"""The score of an impossible row: a finite number, because other formats have no infinity."""


@dataclass(frozen=True, eq=False)
class Scoring:
    """p(y | x) is the softmax of `start` plus all terms, then calibrated. For a row that is impossible in every class
    it is the softmax of `prior`."""

    kind: str
    names: Sequence[Any]
    """The names of the columns; cells refer to columns by position."""
    kinds: Sequence[Kind]
    classes: Labels
    start: Array
    prior: Array
    terms: Sequence[Term]
    calibration: Calibration | None = None
    missing: Any = None
    """A value that marks a missing cell, besides null and NaN."""

    @property
    def columns(self) -> list[int]:
        """The positions of the columns that are read, in order."""
        return sorted({term.cell.column for term in self.terms})

    @property
    def may_be_impossible(self) -> bool:
        tables = [self.start, *(term.scores if isinstance(term, Lookup) else term.weight for term in self.terms)]
        return any(bool((table <= IMPOSSIBLE).any()) for table in tables)


def scoring(stored: Stored) -> Scoring:
    """The scoring formula of a model. Raises ValueError for a model that has none, with a sentence that shows why."""
    model, origin = stored.model, stored.origin
    _refuse_dates(origin.schema)
    if isinstance(model, NaiveBayesModel):
        start = prior = _finite(model.log_prior())
        terms = [*_of_blocks(model.blocks)]
    else:
        prior = np.zeros(len(model.classes))
        start, terms = _of_logistic(model)
    of_table = model.names, model.known.kinds, model.classes
    missing = None if origin.missing != origin.missing else origin.missing  # NaN is always missing
    return Scoring(model.name, *of_table, start, prior, terms, stored.calibration, missing)


def _of_blocks(blocks: Sequence[Block], scale: float = 1.0) -> Iterator[Term]:
    for block in blocks:
        _refuse_unreadable(block)
        for term in block.family.formula(block):
            yield _scaled(term, scale)


def _of_logistic(model: Any) -> tuple[Array, list[Term]]:
    """The start scores and terms of a logistic regression: those of naive Bayes, if weights are shrunk towards it, and
    those of the features."""
    known, size = model.known, len(model.classes)
    if known.design.grids:
        raise ValueError(
            "the model has curves or pairs of columns, which can't be exported; fit it with --interactions 0, or as "
            "--model logistic"
        )
    start, terms = np.zeros(size), list[Term]()
    if known.generative is not None and known.nb_scale:
        start = start + known.nb_scale * known.generative.log_prior()
        terms += _of_blocks(known.generative.blocks, known.nb_scale)
    outputs = len(known.solution.weights)
    start[-outputs:] += known.solution.bias
    at = 0
    for piece in known.design.pieces:
        _refuse_unreadable(piece.block)
        weights = np.zeros((size, piece.size))
        weights[-outputs:] = known.solution.weights[:, at : at + piece.size]
        own = piece.block.family.feature_count(piece.block)
        standard = (np.zeros(own), np.ones(own)) if piece.standard is None else piece.standard
        terms += piece.block.family.feature_terms(piece.block, weights, *standard)
        at += piece.size
    return _finite(start), terms


def _refuse_unreadable(block: Block) -> None:
    for at, name in enumerate(block.frame.columns):
        if not block.family.cells(block, at):
            raise ValueError(f"column {name!r} is read as {type(block.family).__name__}, which can't be exported")


def _refuse_dates(schema: dict[str, Any] | None) -> None:
    """Raises ValueError if the model reads dates: it reads parts of a date, which only Likely's file reader makes."""
    from likely.data.schema import Schema

    for column in () if schema is None else Schema.of_plain(schema).columns:
        if column.type in ("date", "time"):
            raise ValueError(
                f"column {column.name!r} is read as a {column.type}, which can't be exported; fit the model with "
                f"--type {column.name}=ignore, or with its parts as separate columns"
            )


def _scaled(term: Term, scale: float) -> Term:
    if isinstance(term, Lookup):
        return term._replace(scores=_finite(scale * term.scores))
    if isinstance(term, Product):
        return term._replace(weight=scale * term.weight)
    constant, weight, square = (_finite(scale * part) for part in (term.constant, term.weight, term.square))
    return Polynomial(term.cell, term.centre, constant, weight, square)


def _finite(scores: Array) -> Array:
    return np.maximum(scores, IMPOSSIBLE)
