"""Logistic regression of a table: p(y | x) from scores that are linear in T(x), from nothing or from naive Bayes on."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from likely import _native
from likely.data.table import Table
from likely.engines import threads
from likely.families.family import Array, Codes, Family
from likely.limits import Limit
from likely.models.block import Plan
from likely.models.choose import given, plan
from likely.models.class_prior import ClassPrior
from likely.models.logistic.design import Bag, Design, Missing, Number, Numbers, Others, design
from likely.models.logistic.information import Information, information
from likely.models.logistic.rows import Rows, padded, rows_of
from likely.models.logistic.solver import solve_rows
from likely.models.logistic.strength import TRUSTS, Left, Mask, Tried, chosen
from likely.models.naive_bayes import NaiveBayes, count, refuse_empty
from likely.priors import Prior
from likely.statistics import Frame, Labels

if TYPE_CHECKING:
    from likely.optimize import Certificate

CHUNK = 1 << 26
"""Bytes of features that are held at a time while rows are scored."""


IMPOSSIBLE = 50.0
"""By how much a score is below all others that would be infinitely so."""


class LogisticRegression:
    """The model behind `likely.LogisticRegression`, where its parameters are described."""

    def __init__(
        self,
        c: float | Literal["auto"] | Sequence[float] = 1.0,
        *,
        shrink_to: Literal["naive_bayes"] | None = None,
        families: Any = None,
        smoothing: Prior | None = None,
        class_prior: ClassPrior = "frequencies",
        missing: Missing = "indicate",
        standardize: bool = True,
        limits: Sequence[Limit] | None = None,
        ordered: bool = False,
        tol: float = 1e-6,
    ) -> None:
        if shrink_to not in (None, "naive_bayes"):
            raise ValueError(f"shrink_to is None or 'naive_bayes', not {shrink_to!r}")
        if missing not in ("indicate", "refuse"):
            raise ValueError(f"missing is 'indicate' or 'refuse', not {missing!r}")
        self.candidates = _candidates(c)
        self.shrink_to, self.families, self.missing = shrink_to, families, missing
        self.smoothing, self.class_prior = smoothing, class_prior
        self.standardize, self.ordered = bool(standardize), bool(ordered)
        self.limits, self.tol = _listed(limits), tol
        self.trust = 1.0
        """The share of the log odds of naive Bayes that weights are drawn to: less than all only where C is "auto"."""

    def learn(self, table: Table, classes: Labels, y: Codes, weight: Array | None = None) -> None:
        """Learns these rows and nothing else."""
        counts = np.bincount(y, weight, len(classes))
        if np.count_nonzero(counts) < 2:
            raise ValueError("y has one class with any weight; two or more are needed to tell them apart")
        self.classes, self.names, self.kinds, self.counts = classes, table.names, table.kinds, counts
        self.generative = self._naive_bayes(table, classes, y, weight) if self.shrink_to else None
        self.design = self._design(table, y, weight, float(counts.sum()))
        if not self._given_strength:
            self.trust = 1.0
        rows = self.rows(table, y, weight)
        if self.limits:  # what they can't be had of is refused before C is chosen
            from likely.models.logistic.limited import dense_of, named

            rows = dense_of(rows)
            named(self.limits, self.design.features, classes.tolist())
        start = None
        if self._given_strength:
            self.c, self.tried = self._given_strength, list[Tried]()
        else:
            left = Left(rows, self._without(table, y, weight), self.ordered)
            trusts = TRUSTS if self.shrink_to and self.candidates is None else TRUSTS[:1]
            best, start, self.tried = chosen(left, self.candidates, trusts)
            self.c, self.trust = best.c, best.trust
            rows = left.trusting(best.trust).rows
        self.multipliers: list[Any] = []
        self.kkt: Certificate | None = None
        if self.limits:
            self._limit(rows)
        else:
            self.solution = solve_rows(rows, self.c, start=start, tol=self.tol)

    def _limit(self, rows: Rows) -> None:
        """Weights within the limits, which are on all of them: those of naive Bayes and those learned beside it."""
        from likely.models.logistic.limited import Terms, dense_of, solve_limited

        size = self.design.size
        units = self.design.original(np.eye(size), np.zeros(size))[0]
        terms = Terms(self.design.features, self.classes.tolist(), units, self._theirs()[0])
        found = solve_limited(dense_of(rows), self.c, self.limits, terms, self.tol)
        self.solution, self.multipliers, self.kkt = found

    @property
    def _given_strength(self) -> float | None:
        return self.candidates[0] if self.candidates is not None and len(self.candidates) == 1 else None

    def _naive_bayes(self, table: Table, classes: Labels, y: Codes, weight: Array | None) -> NaiveBayes:
        families = "auto" if self.families is None else self.families
        model = NaiveBayes(families, self.smoothing, self.class_prior)
        model.learn(table, classes, y, weight)
        refuse_empty(model.known, range(len(table.names)))
        model.check_parameters()
        return model

    def _design(self, table: Table, y: Codes, weight: Array | None, total: float) -> Design:
        if self.generative is not None:
            blocks = self.generative.known.blocks
            binned = sorted(j for block in blocks if block.frame.edges is not None for j in block.plan.columns)
            if binned:  # x beside its bins: a trend costs one weight and not one of each
                by_itself = Plan(Number(), binned, Frame([table.names[j] for j in binned]))
                blocks = (*blocks, *count([by_itself], table, self.classes, y, weight).blocks)
        elif self.families is None and set(table.kinds) == {"sparse"}:
            return Design((Bag(table.names),), dense=False)
        else:
            families = _of_numbers(table, self.families)
            plans = plan(table, y, len(self.classes), weight, families, self.smoothing, "ignore")
            learned = count(plans, table, self.classes, y, weight)
            refuse_empty(learned, range(len(table.names)))
            blocks = learned.blocks
        outputs = 1 if len(self.classes) == 2 else len(self.classes)
        return design(table, blocks, total, outputs, self.standardize, self.missing)

    def rows(self, table: Table, y: Codes, weight: Array | None = None) -> Rows:
        """Rows of a table as the solver takes them."""
        x, means, scales = self.design.matrix(table, slice(0, table.rows))
        offset = None if self.generative is None else self._given(self.generative.score(table))
        return rows_of(x, y, len(self.classes), weight, means, scales, offset, offset is not None)

    def _given(self, scores: Array) -> Array:
        """Scores of naive Bayes, as what weights are learned beside: one of two classes, else about their mean."""
        if not np.isfinite(scores).all():
            row = int(np.argmin(np.isfinite(scores).all(axis=1)))
            raise ValueError(
                f"row {row} is impossible in some class under naive Bayes, which leaves nothing to shrink to; give the "
                "families a prior"
            )
        if scores.shape[1] == 2:
            return np.asarray(self.trust * (scores[:, 1:] - scores[:, :1]))
        return np.asarray(self.trust * (scores - scores.mean(axis=1, keepdims=True)))

    def information(self, table: Table, y: Codes, weight: Array | None = None) -> Information:
        """Of the rows that were learned."""
        rows = self.rows(table, y, weight)
        return information(rows, self.solution, self.c, self._change(table, y, weight))

    def score_left_out(self, table: Table, y: Codes, weight: Array | None = None, exact: bool = False) -> Array:
        """Scores of each row and class as if the row had not been learned, by a step of Newton's; or, if `exact`, by
        another fit where that step is doubtful.
        """
        told = self.information(table, y, weight).left_out()
        scores = np.zeros((table.rows, len(self.classes)))
        scores[:, -told.scores.shape[1] :] = told.scores
        for row in np.flatnonzero(told.doubtful) if exact else ():
            others = np.delete(np.arange(table.rows), row)
            without = copy(self)
            without.candidates = (self.c,)
            without.learn(table.take(others), self.classes, y[others], None if weight is None else weight[others])
            scores[row] = without.score(table.take(np.array([row])))[0]
        return scores

    def _without(self, table: Table, y: Codes, weight: Array | None) -> Callable[[Mask], Array] | None:
        """The scores of naive Bayes once it has not seen some of the rows; what is then impossible, as a class of which
        nothing is left, is as good as that."""
        if self.generative is None:
            return None
        fewer = copy(self.generative)
        plans = [block.plan for block in self.generative.known.blocks]

        def given(held: Mask) -> Array:
            left = np.where(held, 0.0, 1.0 if weight is None else weight)
            fewer.learned = count(plans, table, self.classes, y, left)
            scores = fewer.score(table)
            there = np.isfinite(scores)
            least = np.min(scores, axis=1, keepdims=True, where=there, initial=0.0)
            return self._given(np.where(there, scores, least - IMPOSSIBLE))

        return given

    def _change(self, table: Table, y: Codes, weight: Array | None) -> Array | None:
        """How the scores of naive Bayes change as each row is left out."""
        if self.generative is None:
            return None
        left_out, all_ = self.generative.score_left_out(table, y, weight), self.generative.score(table)
        left_out = np.where(np.isfinite(left_out), left_out, all_)  # a row that is alone in its class tells nothing
        return self._given(left_out) - self._given(all_)

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weights and bias of the features in their own units, with those of naive Bayes where they are drawn to it."""
        weights, bias = self.design.original(self.solution.weights, self.solution.bias)
        theirs, of_bias = self._theirs()
        return weights + theirs, bias + of_bias

    def _theirs(self) -> tuple[Array, Array]:
        """The weights and the bias of naive Bayes, of all features; 0 where nothing is drawn to it."""
        outputs = 1 if len(self.classes) == 2 else len(self.classes)
        if self.generative is None:
            return np.zeros((outputs, self.design.size)), np.zeros(outputs)
        theirs, of_bias = np.zeros((len(self.classes), 0)), self.generative.log_prior()
        for block in self.generative.known.blocks:
            line = block.family.natural(block.parameters, block.frame)
            assert line is not None, "design refuses families of which there is none"
            theirs, of_bias = np.hstack([theirs, line.weights]), of_bias + line.bias
        if len(self.classes) == 2:
            theirs, of_bias = theirs[1:] - theirs[:1], of_bias[1:] - of_bias[:1]
        theirs = np.pad(theirs, ((0, 0), (0, self.design.size - theirs.shape[1])))
        return self.trust * theirs, self.trust * of_bias

    @property
    def chosen(self) -> dict[Any, Family]:
        """The family by which each column is read: a number beside its bins has that of the bins."""
        blocks = [piece.block for piece in self.design.pieces if isinstance(piece, (Numbers, Others))]
        found = {j: block.family for block in reversed(blocks) for j in block.plan.columns}
        return {name: found.get(j, Number()) for j, name in enumerate(self.names)}

    # Answers

    def score(self, table: Table) -> Array:
        """Scores of each row and class; of two classes, what they differ by is that of the second."""
        table.must_have(self.names)
        if self.generative is None or self.trust == 0:
            out = np.zeros((table.rows, len(self.classes)))
        else:
            out = self.generative.score(table)
            out *= self.trust
        row_bytes = table.row_bytes + (8 * self.design.size if self.design.dense else 0)
        weights = self.solution.weights.T
        for rows in _chunks(table.rows, row_bytes):
            x, means, scales = self.design.matrix(table, rows)
            any_class = np.zeros(x.shape[0], np.int32)
            part = rows_of(x, any_class, len(self.classes), None, means, scales)
            found = part.product(padded(weights, part.width))[:, : part.outputs] + self.solution.bias
            out[rows, -part.outputs :] += found
        return out

    def predict(self, table: Table) -> Labels:
        """The most probable class of each row."""
        return np.asarray(self.classes[self.score(table).argmax(axis=1)])

    def posterior(self, table: Table, log: bool = False) -> Array:
        """p(y | x) of each row and class."""
        out = self.score(table)
        none = np.zeros(len(self.classes))
        threads.run(lambda rows: _native.normalise(out[rows], none, log), threads.pieces(len(out), out.shape[1] * 8))
        return out


def _candidates(c: Any) -> tuple[float, ...] | None:
    """The strengths to choose from; None for those that are tried by default."""
    if isinstance(c, str):
        if c != "auto":
            raise ValueError(f"C is a number above 0, several of them, or 'auto', not {c!r}")
        return None
    several = tuple(np.atleast_1d(np.asarray(c, np.float64)).tolist())
    if not several or not all(each > 0 for each in several):
        raise ValueError(f"C must be above 0, not {c}")
    return several


def _listed(limits: Any) -> list[Limit]:
    given = [limits] if isinstance(limits, Limit) else list(limits or [])
    for limit in given:
        if not isinstance(limit, Limit):
            raise TypeError(
                f"limits is a list of Between, Rising, Falling or Equal, of likely.limits; {limit!r} is none"
            )
    return given


def _of_numbers(table: Table, families: Any) -> Any:
    """What is said of columns, with numbers of which nothing is said read as they are."""
    if families is not None and not isinstance(families, dict):
        return families
    said = {j for _, columns in given(table.names, families) for j in columns}
    numbers: dict[Any, Family] = {
        name: Number()
        for j, (name, kind) in enumerate(zip(table.names, table.kinds, strict=True))
        if j not in said and kind in ("int", "float", "bool", "sparse")
    }
    return numbers | (families or {})


def _chunks(rows: int, row_bytes: int) -> list[slice]:
    size = max(1, CHUNK // max(row_bytes, 1))
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
