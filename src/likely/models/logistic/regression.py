"""Logistic regression of a table: p(y | x) from scores that are linear in T(x), shrunk to zero or to naive Bayes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.sample import Array, Sample
from likely.data.table import Kind, Table
from likely.engines import threads
from likely.families import Block, Family, Number
from likely.limits import Limit
from likely.models.choosing.families import read_by
from likely.models.choosing.named import named_columns, names_none, position
from likely.models.choosing.pairs import PairEvidence
from likely.models.class_prior import ClassPrior, settled
from likely.models.learned import count
from likely.models.logistic.blend import NODES, ROWS, Candidates, Chosen, choose_blend, remembered
from likely.models.logistic.design import (
    READINGS,
    ChosenReading,
    Design,
    Feature,
    IndicatesMissing,
    design,
    read_as,
    sparse_design,
)
from likely.models.logistic.grid import GridAxis, axes_of, surfaces
from likely.models.logistic.information import Information, information
from likely.models.logistic.strength import NB_SCALES, Mask, Tried, choose, scaled
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax import SoftmaxFit, SoftmaxRows, rows_of, solve
from likely.priors import Prior
from likely.statistics import Labels
from likely.statistics.sums import exact

if TYPE_CHECKING:
    from likely.optimize import Certificate

CHUNK = 1 << 26
"""Bytes of features that are held at a time while rows are scored."""


IMPOSSIBLE = 50.0
"""By how much a score is below all others that would be infinitely so."""

FEW = 1 << 20
"""Numbers that are scored as an array, so that an answer of one row does not wait for scipy.sparse."""


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """What was learned: the features, the weights of them, and what was chosen on the way."""

    names: Sequence[Any]
    kinds: Sequence[Kind]
    classes: Labels
    class_counts: NDArray[Any]
    """The rows of each class, or their weight."""
    generative: NaiveBayesModel | None
    """What weights are shrunk towards."""
    design: Design
    c: float
    nb_scale: float
    """The scale of the naive Bayes log-odds towards which weights are shrunk: other than 1 only where C is "auto"."""
    tried: list[Tried]
    reading: ChosenReading = "family"
    """How numbers are read."""
    evidence: Sequence[PairEvidence] = ()
    """Of all pairs of columns, the most first, where pairs were looked for."""
    solution: SoftmaxFit = None  # type: ignore[assignment]
    multipliers: Sequence[Any] = ()
    """Of each limit; and how far the conditions of Karush, Kuhn and Tucker are from holding."""
    kkt: "Certificate | None" = None


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """The model behind `likely.LogisticRegression`, where its parameters are described. A value: learning gives
    another."""

    candidates: tuple[float, ...] | None = (1.0,)
    """Values of C to choose from; None for those that are tried by default."""
    shrink_to: Literal["naive_bayes"] | None = None
    families: Any = None
    smoothing: Prior | None = None
    class_prior: ClassPrior = "frequencies"
    missing: IndicatesMissing = "indicate"
    standardize: bool = True
    limits: Sequence[Limit] = ()
    interactions: Any = "auto"
    """Pairs of columns that have a term of their own, by name or position; "auto" to look for them in a blend."""
    time_ordered: bool = False
    tol: float = 1e-6
    nb_scale: float = 1.0
    reading: ChosenReading = "family"
    """Both where C is not chosen."""
    learned: LogisticFit | None = None

    name: ClassVar[str] = "LogisticRegression"
    counts_rows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_prior", settled(self.class_prior))
        if not (isinstance(self.tol, (int, float)) and 0 < self.tol < np.inf):
            raise ValueError(f"tol is a number above 0, not {self.tol!r}")
        if self.shrink_to not in (None, "naive_bayes"):
            raise ValueError(f"shrink_to is None or 'naive_bayes', not {self.shrink_to!r}")
        if self.missing not in ("indicate", "refuse"):
            raise ValueError(f"missing is 'indicate' or 'refuse', not {self.missing!r}")
        object.__setattr__(self, "candidates", _candidates(self.candidates))
        object.__setattr__(self, "limits", _listed(self.limits))
        object.__setattr__(self, "interactions", _pairs(self.interactions))

    # Learning

    @property
    def unlearned(self) -> Self:
        """The same model before it has learned anything."""
        return replace(self, learned=None)

    @property
    def fixed(self) -> Self:
        """The same with all that was chosen as it is."""
        known = self.known
        model = replace(self, candidates=(known.c,), nb_scale=known.nb_scale, reading=known.reading)
        return replace(model, interactions=known.design.pairs)

    @property
    def known(self) -> LogisticFit:
        if self.learned is None:
            raise ValueError("nothing has been learned yet")
        return self.learned

    def learn(self, sample: Sample) -> Self:
        """The model of these rows and no others."""
        if np.count_nonzero(sample.class_weights) < 2:
            raise ValueError("y has one class with any weight; two or more are needed")
        families = "auto" if self.families is None else self.families
        generative = NaiveBayesModel(families, self.smoothing, self.class_prior).fit(sample) if self.shrink_to else None
        found = self._chosen(sample, generative)
        rows = _rows(found.design, generative, sample)
        of_table = sample.table.names, sample.table.kinds, sample.classes
        counts = exact(sample.class_weights, sample.weight is None)
        best = found.best
        fit = LogisticFit(
            *of_table,
            counts,
            generative,
            found.design,
            best.c,
            best.nb_scale,
            found.tried,
            reading=best.reading,
            evidence=found.evidence,
        )
        return replace(self, learned=self._solved(fit, scaled(rows, best.nb_scale), found.start))

    fit = learn

    def _chosen(self, sample: Sample, generative: NaiveBayesModel | None) -> Chosen:
        """The features, C and the scale of naive Bayes, with all that is left open of them chosen."""
        named_pairs = [] if isinstance(self.interactions, str) else [_pair(sample.table, p) for p in self.interactions]
        left_open = generative is not None and self.candidates is None and not self.limits and not self.time_ordered
        paired = {j for pair in named_pairs for j in pair}
        axes = axes_of(sample, range(len(sample.table.names)) if left_open else sorted(paired), NODES)
        given = [(a, b) for a, b in named_pairs if a in axes and b in axes]  # one value alone acts with nothing
        if generative is not None and left_open and axes:
            some = sample.at_most(ROWS)
            return choose_blend(
                sample,
                Candidates(
                    lambda reading, pairs: self._design(sample, generative, reading, axes, [*given, *pairs]),
                    lambda features: _rows(features, generative, some),
                    remembered(_nb_without(generative, some)),
                    READINGS
                    if names_none(self.families) and any(axis.numeric for axis in axes.values())
                    else ("family",),
                    axes if self.interactions == "auto" else {},
                ),
            )
        features = self._design(sample, generative, self.reading, axes, given)
        rows = _rows(features, generative, sample)
        if self.limits:  # what can't be satisfied is refused before C is chosen
            from likely.models.logistic.constraints import dense_of, named

            rows = dense_of(rows)
            named(self.limits, features.features, sample.classes.tolist())
        if self.candidates is not None and len(self.candidates) == 1:
            return Chosen(features, Tried(self.candidates[0], np.nan, self.nb_scale, self.reading), [])
        nb_scales = NB_SCALES if self.shrink_to and self.candidates is None else NB_SCALES[:1]
        without = None if generative is None else _nb_without(generative, sample)
        best, start, tried = choose(rows, self.candidates, nb_scales, without, self.time_ordered)
        return Chosen(features, best, tried, start)

    def _design(
        self,
        sample: Sample,
        generative: NaiveBayesModel | None,
        reading: ChosenReading,
        axes: dict[int, GridAxis],
        pairs: Sequence[tuple[int, int]],
    ) -> Design:
        table, grids = sample.table, [surfaces(axes, pairs)] if pairs else []
        if generative is not None:
            counted, more = read_as(reading, generative.known, sample)
            return design(counted, sample, self.standardize, self.missing, [*more, *grids])
        if self.families is None and set(table.kinds) == {"sparse"}:
            return sparse_design(table.names)
        counted = count(read_by(sample, _of_numbers(table, self.families), self.smoothing), sample)
        counted.refuse_incomplete()
        counted.warn_of_empty()
        return design(counted, sample, self.standardize, self.missing, grids)

    def _solved(self, fit: LogisticFit, rows: SoftmaxRows, start: SoftmaxFit | None) -> LogisticFit:
        if not self.limits:
            return replace(fit, solution=replace(solve(rows, fit.c, start=start, tol=self.tol), dual=None))
        from likely.models.logistic.constraints import Terms, dense_of, solve_constrained

        size = fit.design.size
        units = fit.design.original(np.eye(size), np.zeros(size))[0]
        shrunk_to = fit.nb_scale * _nb_terms(fit.generative, fit.design, len(fit.classes)).weights
        terms = Terms(fit.design.features, fit.classes.tolist(), units, shrunk_to)
        found = solve_constrained(dense_of(rows), fit.c, self.limits, terms, self.tol)
        return replace(fit, **found._asdict())

    # What was learned

    @property
    def names(self) -> Sequence[Any]:
        return self.known.names

    @property
    def classes(self) -> Labels:
        return self.known.classes

    @property
    def class_counts(self) -> NDArray[Any]:
        return self.known.class_counts

    @property
    def generative(self) -> NaiveBayesModel | None:
        return self.known.generative

    @property
    def design(self) -> Design:
        return self.known.design

    @property
    def solution(self) -> SoftmaxFit:
        return self.known.solution

    @property
    def c(self) -> float:
        return self.known.c

    @property
    def tried(self) -> list[Tried]:
        return self.known.tried

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What was counted of the rows learned, by which features are made."""
        return self.design.blocks

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weights and bias of the features in their own units, with those of naive Bayes where they are shrunk towards
        it.
        """
        weights, bias = self.design.original(self.solution.weights, self.solution.bias)
        scale, terms = self.known.nb_scale, self._nb_terms
        return np.hstack([weights + scale * terms.weights, scale * terms.own]), bias + scale * terms.bias

    @property
    def features(self) -> list[Feature]:
        """What the weights are of: the features of the design, then those that only naive Bayes has."""
        return self.design.features + self._nb_terms.features

    @cached_property
    def _nb_terms(self) -> "_NaiveBayesTerms":
        return _nb_terms(self.generative, self.design, len(self.classes))

    @property
    def chosen_families(self) -> dict[Any, Family]:
        """The family by which each column is read: a binned number has that of its bins."""
        found = {j: block.family for block in reversed(self.blocks) for j in block.columns}
        return {name: found.get(j, Number()) for j, name in enumerate(self.names)}

    def information(self, sample: Sample) -> Information:
        """Of the rows that were learned."""
        known, change = self.known, None
        if known.generative is not None:
            loo, all_ = known.generative.loo_scores(sample), known.generative.score(sample.table)
            loo = np.where(np.isfinite(loo), loo, all_)  # a row that is alone in its class changes nothing
            change = known.nb_scale * (_log_odds(loo) - _log_odds(all_))
        rows = scaled(_rows(known.design, known.generative, sample), known.nb_scale)
        return information(rows, known.solution, known.c, change)

    def loo_scores(self, sample: Sample, exact: bool = False) -> Array:
        """Scores of each row and class as if the row had not been learned, by a step of Newton's; or, if `exact`, by
        another fit where that step is doubtful.
        """
        found = self.information(sample).loo()
        scores = np.zeros((len(sample), len(self.classes)))
        scores[:, -found.scores.shape[1] :] = found.scores
        for row in np.flatnonzero(found.doubtful) if exact else ():
            one = np.array([row])
            scores[row] = self.fixed.learn(sample.without(one)).score(sample.table.take(one))[0]
        return scores

    # Answers

    def score(self, table: Table) -> Array:
        """Scores of each row and class; of two classes, what they differ by is that of the second."""
        known = self.known
        table.must_have(known.names)
        if known.generative is None or known.nb_scale == 0:
            out = np.zeros((table.rows, len(known.classes)))
        else:
            out = known.generative.score(table)
            out *= known.nb_scale
        row_bytes = table.row_bytes + (8 * known.design.size if known.design.dense else 0)
        weights = known.solution.weights.T
        for rows in _chunks(table.rows, row_bytes):
            x, means, scales = known.design.matrix(table, rows, few=FEW)
            part = rows_of(x, np.zeros(x.shape[0], np.int32), len(known.classes), None, means, scales)
            out[rows, -part.outputs :] += part.scores(weights, known.solution.bias)[:, : part.outputs]
        return out

    def predict(self, table: Table) -> Labels:
        """The most probable class of each row."""
        return np.asarray(self.classes[self.score(table).argmax(axis=1)])

    def predict_proba(self, table: Table, log: bool = False) -> Array:
        """p(y | x) of each row and class."""
        out = self.score(table)
        none = np.zeros(len(self.classes))
        threads.run(lambda rows: _native.normalise(out[rows], none, log), threads.pieces(len(out), out.shape[1] * 8))
        return out


def _rows(features: Design, generative: NaiveBayesModel | None, sample: Sample) -> SoftmaxRows:
    """Rows as the solver takes them, with the log-odds of naive Bayes as their offset."""
    x, means, scales = features.matrix(sample.table, slice(0, len(sample)))
    offset = None if generative is None else _log_odds(generative.score(sample.table))
    return rows_of(x, sample.y, len(sample.classes), sample.weight, means, scales, offset, offset is not None)


def _log_odds(scores: Array) -> Array:
    """Scores of naive Bayes, as what weights are learned with: one of two classes, else about their mean."""
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores).all(axis=1)))
        raise ValueError(
            f"row {row} is impossible in some class under naive Bayes, which leaves nothing to shrink to; give the "
            "families a prior"
        )
    if scores.shape[1] == 2:
        return np.asarray(scores[:, 1:] - scores[:, :1])
    return np.asarray(scores - scores.mean(axis=1, keepdims=True))


def _nb_without(generative: NaiveBayesModel, sample: Sample) -> Callable[[Mask], Array]:
    """The log-odds of naive Bayes without some of the rows. A class whose rows are all hidden has finite log-odds too:
    as good as impossible."""

    def log_odds(hidden: Mask) -> Array:
        left = count(generative.blocks, sample.weighing(np.where(hidden, 0.0, sample.weights)))
        scores = replace(generative, learned=left).score(sample.table)
        there = np.isfinite(scores)
        least = np.min(scores, axis=1, keepdims=True, where=there, initial=0.0)
        return _log_odds(np.where(there, scores, least - IMPOSSIBLE))

    return log_odds


class _NaiveBayesTerms(NamedTuple):
    """Naive Bayes as weights and bias: of the features of a design, and of those that only naive Bayes has."""

    weights: Array
    own: Array
    features: list[Feature]
    bias: Array


def _nb_terms(generative: NaiveBayesModel | None, features: Design, classes: int) -> _NaiveBayesTerms:
    """0 where nothing is shrunk towards it."""
    outputs = 1 if classes == 2 else classes
    if generative is None:
        return _NaiveBayesTerms(np.zeros((outputs, features.size)), np.zeros((outputs, 0)), [], np.zeros(outputs))
    weights, own, bias = np.zeros((classes, features.size)), [np.zeros((classes, 0))], generative.log_prior()
    names: list[Feature] = []
    for block in generative.blocks:
        line = block.family.natural(block.parameters, block.frame)
        assert line is not None, "design refuses families that have none"
        start, bias = features.start(block), bias + line.bias
        if start is None:
            own.append(line.weights)
            names += [(block.frame.columns[j], block.frame.value_of(j, cell)) for j, cell in line.features]
        else:
            weights[:, start : start + line.weights.shape[1]] = line.weights
    apart = np.hstack(own)
    if classes == 2:
        weights, apart, bias = weights[1:] - weights[:1], apart[1:] - apart[:1], bias[1:] - bias[:1]
    return _NaiveBayesTerms(weights, apart, names, bias)


def _candidates(c: Any) -> tuple[float, ...] | None:
    """The values of C to choose from; None for those that are tried by default."""
    if c is None or (isinstance(c, str) and c == "auto"):
        return None
    if isinstance(c, str):
        raise ValueError(f"C is a number above 0, several of them, or 'auto', not {c!r}")
    several = tuple(np.atleast_1d(np.asarray(c, np.float64)).tolist())
    if not several or not all(each > 0 for each in several):
        raise ValueError(f"C must be above 0, not {c}")
    return several


def _pairs(interactions: Any) -> Any:
    """ "auto", or pairs of columns."""
    if isinstance(interactions, str):
        if interactions != "auto":
            raise ValueError(f"interactions is 'auto', 0, or a list of pairs of columns, not {interactions!r}")
        return interactions
    if interactions is None or interactions is False or (isinstance(interactions, int) and interactions == 0):
        return ()
    if isinstance(interactions, int) or not all(isinstance(p, (tuple, list)) and len(p) == 2 for p in interactions):
        raise ValueError(f"interactions is 'auto', 0, or a list of pairs of columns, not {interactions!r}")
    return tuple(tuple(pair) for pair in interactions)


def _pair(table: Table, pair: tuple[Any, Any]) -> tuple[int, int]:
    """The positions of both columns."""
    a, b = (position(table.names, column, "interactions") for column in pair)
    for j in (a, b):
        if table.kinds[j] in ("text", "sparse"):
            raise ValueError(
                f"interactions pairs column {table.names[j]!r}, which holds texts or is sparse; name another"
            )
    if a == b:
        raise ValueError(f"interactions pairs column {table.names[a]!r} with itself")
    return a, b


def _listed(limits: Any) -> tuple[Limit, ...]:
    found = (limits,) if isinstance(limits, Limit) else tuple(limits or ())
    for limit in found:
        if not isinstance(limit, Limit):
            raise TypeError(
                f"limits is a list of Between, Rising, Falling or Equal, of likely.limits; {limit!r} is none"
            )
    return found


def _of_numbers(table: Table, families: Any) -> Any:
    """The families that were named, with numbers of no named family read as they are."""
    if families is not None and not isinstance(families, dict):
        return families
    named = named_columns(table.names, families)
    numbers: dict[Any, Family] = {
        name: Number()
        for j, (name, kind) in enumerate(zip(table.names, table.kinds, strict=True))
        if j not in named and j not in table.periods and kind in ("int", "float", "bool", "sparse")
    }
    return numbers | (families or {})


def _chunks(rows: int, row_bytes: int) -> list[slice]:
    size = max(1, CHUNK // max(row_bytes, 1))
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
