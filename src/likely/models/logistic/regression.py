"""Logistic regression of a table: p(y | x) from scores that are linear in T(x), with weights shrunk towards zero or
towards naive Bayes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.sample import Array, Sample
from likely.data.table import Table
from likely.engines import threads
from likely.families import Block, Family, Number
from likely.limits import Feature, Limit
from likely.models.class_prior import ClassPrior, settled
from likely.models.logistic.blend import Chosen
from likely.models.logistic.choice import Choice, rows_with
from likely.models.logistic.design import ChosenReading, Design, IndicatesMissing
from likely.models.logistic.fit import LogisticFit
from likely.models.logistic.honest_loss import scaled
from likely.models.logistic.information import Information, information
from likely.models.logistic.options import candidates_of, limits_of, must_have_two, pairs_of
from likely.models.logistic.shrinkage_target import NaiveBayesTerms, loo_change, naive_bayes_terms
from likely.models.logistic.stacking import reads_margins, scores_held_out, stacked
from likely.models.logistic.strength import Tried
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax import NotFinite, SoftmaxFit, SoftmaxRows, rows_of, solve
from likely.priors import Prior
from likely.statistics import Labels
from likely.statistics.sums import exact

CHUNK = 1 << 26
"""Bytes of features in memory at a time while rows are scored."""

FEW = 1 << 20
"""Up to this many numbers are scored as a dense array, so that predicting one row does not import scipy.sparse."""


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """The model behind `likely.LogisticRegression`, which describes its parameters. It is immutable: learning returns
    another model."""

    candidates: tuple[float, ...] | None = (1.0,)
    """Values of C to choose from; None for the default grid."""
    shrink_to: Literal["naive_bayes"] | None = None
    families: Any = None
    smoothing: Prior | None = None
    class_prior: ClassPrior = "frequencies"
    missing: IndicatesMissing = "indicate"
    standardize: bool = True
    limits: Sequence[Limit] = ()
    interactions: Any = "auto"
    """Pairs of columns with an interaction term, by name or position; "auto" to look for them in a blend."""
    time_ordered: bool = False
    tol: float | None = None
    """None: the tolerance with which candidates were compared; 1e-6 if nothing was chosen."""
    nb_scale: float = 1.0
    reading: ChosenReading = "family"
    products: bool = False
    """These three are used only if C is a number; otherwise they are chosen with it."""
    by_margins: bool = False
    """Whether weights of texts are learned by margins if C is a number, as they are if C is chosen (`stacking`)."""
    learned: LogisticFit | None = None

    name: ClassVar[str] = "LogisticRegression"
    counts_rows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_prior", settled(self.class_prior))
        if not (self.tol is None or (isinstance(self.tol, (int, float)) and 0 < self.tol < np.inf)):
            raise ValueError(f"tol is a number above 0, or None, not {self.tol!r}")
        if self.shrink_to not in (None, "naive_bayes"):
            raise ValueError(f"shrink_to is None or 'naive_bayes', not {self.shrink_to!r}")
        if self.missing not in ("indicate", "refuse"):
            raise ValueError(f"missing is 'indicate' or 'refuse', not {self.missing!r}")
        object.__setattr__(self, "candidates", candidates_of(self.candidates))
        object.__setattr__(self, "limits", limits_of(self.limits))
        object.__setattr__(self, "interactions", pairs_of(self.interactions))

    # Learning

    @property
    def unlearned(self) -> Self:
        """The same model without anything learned."""
        return replace(self, learned=None)

    @property
    def title(self) -> str:
        """Its name in `likely fit --model`."""
        return "blend" if self.shrink_to else "logistic regression"

    @property
    def fixed(self) -> Self:
        """The model with everything that was chosen as a fixed option."""
        known = self.known
        model = replace(self, candidates=(known.c,), nb_scale=known.nb_scale, reading=known.reading)
        model = replace(model, interactions=known.design.pairs, products=known.design.products)
        return replace(model, by_margins=known.margin_scale is not None)

    @property
    def known(self) -> LogisticFit:
        if self.learned is None:
            raise ValueError("nothing has been learned yet")
        return self.learned

    def learn(self, sample: Sample) -> Self:
        """The model of these rows only."""
        must_have_two(sample.classes, sample.class_weights)
        families = "auto" if self.families is None else self.families
        generative = NaiveBayesModel(families, self.smoothing, self.class_prior).fit(sample) if self.shrink_to else None
        of_table = sample.table.names, sample.table.kinds, sample.classes
        fitted = partial(LogisticFit, *of_table, exact(sample.class_weights, sample.weight is None), generative)
        if generative is not None and self._by_margins and reads_margins(generative):
            return replace(self, learned=self._stacked(sample, generative, fitted))
        chosen = Choice(self, sample, generative).made()
        rows = rows_with(chosen.design, generative, sample)
        best = chosen.best
        fit = fitted(
            chosen.design,
            best.c,
            best.nb_scale,
            chosen.tried,
            reading=best.reading,
            evidence=chosen.evidence,
        )
        return replace(self, learned=self._solved(fit, scaled(rows, best.nb_scale), chosen))

    fit = learn

    @property
    def _by_margins(self) -> bool:
        """Whether weights of texts may be learned by margins."""
        return (self.candidates is None or self.by_margins) and not self.limits and not self.time_ordered

    def _stacked(self, sample: Sample, generative: NaiveBayesModel, fitted: Callable[..., LogisticFit]) -> LogisticFit:
        stack = stacked(sample, generative, self.candidates, self.missing, self.tol)
        scales = stack.calibration
        fit = fitted(stack.design, stack.c, scales.nb_scale, stack.tried)
        return replace(fit, margin_scale=scales.margin_scale, solution=stack.solution)

    def _solved(self, fit: LogisticFit, rows: SoftmaxRows, chosen: Chosen) -> LogisticFit:
        tol = chosen.tol if self.tol is None else self.tol
        if not self.limits:
            return replace(fit, solution=replace(solve(rows, fit.c, start=chosen.start, tol=tol), dual=None))
        from likely.models.logistic.constraints import Terms, dense_of, solve_constrained

        size = fit.design.size
        units = fit.design.original(np.eye(size), np.zeros(size))[0]
        shrunk_to = fit.nb_scale * naive_bayes_terms(fit.generative, fit.design, len(fit.classes)).weights
        terms = Terms(fit.design.features, fit.classes.tolist(), units, shrunk_to)
        constrained = solve_constrained(dense_of(rows), fit.c, self.limits, terms, tol)
        return replace(fit, **constrained._asdict())

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
        """The blocks of the rows learned, from which features are computed."""
        return self.design.blocks

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weights and bias for features in their original units, including the part of naive Bayes if weights are
        shrunk towards it.
        """
        weights, bias = self.design.original(self.solution.weights, self.solution.bias)
        scale, terms = self.known.nb_scale, self._nb_terms
        return np.hstack([weights + scale * terms.weights, scale * terms.own]), bias + scale * terms.bias

    @property
    def features(self) -> list[Feature]:
        """The features of `weights`: those of the design, then those that only naive Bayes has."""
        return self.design.features + self._nb_terms.features

    @cached_property
    def _nb_terms(self) -> NaiveBayesTerms:
        return naive_bayes_terms(self.generative, self.design, len(self.classes))

    @property
    def chosen_families(self) -> dict[Any, Family]:
        """The family that reads each column, by name; for a binned number that of its bins."""
        by_column = {j: block.family for block in reversed(self.blocks) for j in block.columns}
        return {name: by_column.get(j, Number()) for j, name in enumerate(self.names)}

    @property
    def curved(self) -> bool:
        """Whether the weights minimise the log loss, so that its curvature gives standard errors."""
        return self.known.margin_scale is None

    def information(self, sample: Sample) -> Information:
        """The Fisher information of the rows that were learned. Raises ValueError for weights learned by margins."""
        known = self.known
        if not self.curved:
            raise ValueError(
                "the weights of these texts were learned by margins, which have no standard errors; give C as a number "
                "to learn them by log loss"
            )
        change = None if known.generative is None else known.nb_scale * loo_change(known.generative, sample)
        rows = scaled(rows_with(known.design, known.generative, sample), known.nb_scale)
        return information(rows, known.solution, known.c, change)

    def loo_scores(self, sample: Sample, exact: bool = False) -> Array:
        """Leave-one-out scores of each row and class, by one Newton step; if `exact`, by another fit where that step is
        doubtful. For weights learned by margins, by five folds.
        """
        if not self.curved:
            return self._of_classes(scores_held_out(self.known, sample, self.tol))
        left_out_rows = self.information(sample).loo()
        scores = self._of_classes(left_out_rows.scores)
        for row in np.flatnonzero(left_out_rows.doubtful) if exact else ():
            left_out = np.array([row])
            scores[row] = self.fixed.learn(sample.without(left_out)).score(sample.table.take(left_out))[0]
        return scores

    def _of_classes(self, outputs: Array) -> Array:
        """Scores for all classes: with two classes there is one output, the score of the second; the first has 0."""
        scores = np.zeros((len(outputs), len(self.classes)))
        scores[:, -outputs.shape[1] :] = outputs
        return scores

    # Predictions

    def score(self, table: Table) -> Array:
        """Scores of each row and class. With two classes, the linear predictor is added to the score of the second."""
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
            try:
                out[rows, -part.outputs :] += part.scores(weights, known.solution.bias)[:, : part.outputs]
            except NotFinite:
                for piece in known.design.pieces:  # raises with the column's name and the row of the table
                    piece.read(table, rows)
                raise
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


def _chunks(rows: int, row_bytes: int) -> list[slice]:
    size = max(1, CHUNK // max(row_bytes, 1))
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
