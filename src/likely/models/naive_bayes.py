"""Naive Bayes: p(x, y) = p(y) times the product of p(block | y). A block is the columns of one family."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.sample import Array, Codes, Sample
from likely.data.table import Table
from likely.engines import threads
from likely.families import Block, Family, Plan
from likely.limits import Within
from likely.models import choosing
from likely.models.choosing.columns import MissingCells
from likely.models.choosing.named import named_columns, names_none
from likely.models.class_prior import ClassPrior, class_probabilities, limited, loo_log_prior, settled
from likely.models.learned import Learned, count
from likely.priors import Auto, Prior
from likely.statistics import Labels

NOTHING = "no column has a value present; there is nothing to learn from"

Counting = Callable[[Sequence[Plan], Sample], Learned]
"""A function that counts the rows of a sample by plans."""

_SAMPLED_AS = {"bool": np.bool, "int": np.int64}


@dataclass(frozen=True, eq=False)
class NaiveBayesModel:
    """The model behind `likely.NaiveBayes`, which describes its parameters. It is immutable: learning returns another
    model."""

    families: Any = "auto"
    smoothing: Prior | None = None
    class_prior: ClassPrior = "frequencies"
    missing: MissingCells = "ignore"
    column_weights: Literal["auto"] | bool = "auto"
    select: Literal["auto"] | None = None
    learned: Learned | None = None
    """None if nothing has been learned yet."""

    name: ClassVar[str] = "NaiveBayes"
    title: ClassVar[str] = "naive Bayes"
    """Its name in `likely fit --model`."""
    counts_rows: ClassVar[bool] = True
    """Whether it can learn and forget rows, with leave-one-out in closed form."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "class_prior", settled(self.class_prior))
        if isinstance(self.smoothing, str) and self.smoothing == "auto":
            object.__setattr__(self, "smoothing", Auto())
        if self.smoothing is not None and not isinstance(self.smoothing, Prior):
            raise TypeError(f"smoothing is a prior, such as likely.priors.Laplace(), or 'auto', not {self.smoothing!r}")
        if self.column_weights not in ("auto", True, False):
            raise ValueError(f"column_weights is 'auto', True or False, not {self.column_weights!r}")
        if self.select not in (None, "auto"):
            raise ValueError(f"select is 'auto' or None, not {self.select!r}")

    @property
    def weighs_columns(self) -> bool:
        """Whether it chooses column weights."""
        return names_none(self.families) if self.column_weights == "auto" else self.column_weights

    # Learning

    def fit(self, sample: Sample, counted: Counting = count) -> Self:
        """The model of these rows only. Warns of columns without a value; raises if parameters do not exist.

        `counted` may count more rows than the sample, which then only chooses the options that you left open.
        """
        model = self.unlearned.learn(sample, counted)
        model.known.refuse_incomplete()
        values = [block.seen() for block in model.blocks if not block.family.marks_missing]
        if values and not np.concatenate(values).any():
            raise ValueError(NOTHING)
        model.known.warn_of_empty()
        model.check_parameters()
        return model

    def learn(self, sample: Sample, counted: Counting = count) -> Self:
        """The model with these rows added. The first rows also choose the options that you left open."""
        sample = self.marking_empty(sample)
        model = self if self.learned is None or not self._unread else self._with_empty_blocks(sample)
        return model.take_in(counted(model.plans(sample), sample), sample)

    def marking_empty(self, sample: Sample) -> Sample:
        """The same rows, with columns without a value marked as empty, unless you named their family."""
        empty = set(sample.table.without_values()) - named_columns(sample.table.names, self.families)
        empty = empty if self.learned is None else empty & self._unread
        return replace(sample, table=sample.table.emptied(empty)) if empty else sample

    @property
    def _unread(self) -> set[int]:
        """The columns without a value so far, for which no family was chosen."""
        read = {j for block in self.blocks if not block.family.marks_missing for j in block.columns}
        return {j for j, kind in enumerate(self.kinds) if kind == "empty" and j not in read}

    def _with_empty_blocks(self, sample: Sample) -> Self:
        """The model with an empty block for each column of `_unread` that has a value in these rows."""
        sample.table.must_have(self.names)
        kinds = sample.table.kinds
        back = [j for j in self._unread if kinds[j] != "empty"]
        if not back:
            return self
        plans = [plan.of(np.isin(plan.columns, back)) for plan in choosing.plans(self, sample)]
        nothing = Sample(sample.table.take(np.empty(0, np.intp)), np.empty(0, np.int32), self.classes)
        blocks = (*self.blocks, *count([plan for plan in plans if plan.columns], nothing).blocks)
        known = tuple(now if j in back else was for j, (was, now) in enumerate(zip(self.kinds, kinds, strict=True)))
        return replace(self, learned=replace(self.known, kinds=known, blocks=blocks))

    def take_in(self, counted: Learned, sample: Sample) -> Self:
        """The model with `counted` added: statistics counted by its plans. The first ones also choose options, by
        `sample`."""
        if self.learned is not None:
            return self._with(self.learned + counted)
        return self._with(counted).retuned(sample)

    def retuned(self, sample: Sample) -> Self:
        """The model with priors, shrinkage, scales and column weights chosen again by these rows, which it has learned.
        Families and bins stay, since rows were counted in them."""
        blocks = choosing.strengths(self, self.blocks, sample.among(self.classes))
        return replace(self, learned=replace(self.known, blocks=blocks))

    def forget(self, sample: Sample) -> Self:
        """The model without these rows. Raises NeverLearned if the counts show that it never learned them."""
        return replace(self, learned=self.known - count(self.plans(sample), sample))

    def decay(self, factor: float) -> Self:
        """The model with all statistics multiplied by `factor`, so that older rows weigh less with every batch."""
        if not 0 < factor <= 1:
            raise ValueError(f"the factor must be above 0 and at most 1, not {factor}")
        return replace(self, learned=self.known * factor)

    def merge(self, other: Self) -> Self:
        """The model with all rows that another model has learned added."""
        return replace(self, learned=self.known + other.known)

    def plans(self, sample: Sample) -> Sequence[Plan]:
        """How to count rows: like those learned before; the plans for the first rows are chosen by looking at them."""
        if self.learned is None:
            if plans := choosing.plans(self, sample):
                return plans
            raise ValueError(NOTHING)
        sample.table.must_have(self.names)
        return self.learned.blocks

    def _with(self, learned: Learned) -> Self:
        class_probabilities(self.class_prior, learned.classes, learned.class_counts)  # raises if it does not fit
        return replace(self, learned=learned)

    @property
    def unlearned(self) -> Self:
        """The same model without anything learned."""
        return replace(self, learned=None)

    @property
    def known(self) -> Learned:
        """What it has learned. Raises ValueError if that is nothing."""
        if self.learned is None:
            raise ValueError("nothing has been learned yet")
        return self.learned

    # Parameters

    @property
    def names(self) -> Sequence[Any]:
        return self.known.names

    @property
    def kinds(self) -> Sequence[Any]:
        return self.known.kinds

    @property
    def classes(self) -> Labels:
        return self.known.classes

    @property
    def class_counts(self) -> NDArray[Any]:
        return self.known.class_counts

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.known.blocks

    @property
    def chosen_families(self) -> dict[Any, Family]:
        """The family of each column, by name: the family of its values, where missing cells have a block too."""
        blocks = sorted(self.blocks, key=lambda block: not block.family.marks_missing)
        by_column = {j: block.family for block in blocks for j in block.columns}
        return {self.names[j]: by_column[j] for j in sorted(by_column)}

    @property
    def chosen_weights(self) -> dict[Any, float]:
        """The weight of each column, by name: the factor of its log probability."""
        by_name: dict[Any, float] = {}
        for block in self.blocks:
            weights = np.ones(len(block.columns)) if block.column_weights is None else block.column_weights
            by_name |= zip(block.frame.columns, weights.tolist(), strict=True)
        return by_name

    def log_prior(self) -> Array:
        """log p(y) of each class."""
        with np.errstate(divide="ignore"):
            return np.log(class_probabilities(self.class_prior, self.classes, self.class_counts))

    def loo_log_prior(self, sample: Sample) -> Array:
        """Leave-one-out log p(y) for each row of a sample: rows x classes."""
        return loo_log_prior(self.class_prior, self.classes, self.class_counts, sample.y, sample.weight)

    def check_parameters(self) -> None:
        """Raises Degenerate if parameters do not exist, and names the column and the class."""
        for block in self.blocks:
            block.check_parameters(self.classes.tolist())

    def block_of(self, column: Any) -> tuple[Block, int]:
        """The block that reads a column, and its position there."""
        for block in self.blocks:
            if column in block.frame.columns:
                return block, list(block.frame.columns).index(column)
        raise ValueError(f"there is no column {column!r}")

    def parameter_posterior(self, column: Any) -> Any:
        """The posterior distribution of the parameters of a column, for each class."""
        block, at = self.block_of(column)
        return block.family.parameter_posterior(block, at)

    def multipliers(self, column: Any = None) -> Any:
        """The Lagrange multipliers of the constraints on a column, or on the class prior if `column` is None: in
        log-likelihood per unit of probability."""
        if column is not None:
            block, at = self.block_of(column)
            return block.family.multipliers(block, at)
        if not isinstance(self.class_prior, Within):
            raise ValueError("the class prior has no limits; give class_prior=likely.limits.Within(...)")
        return limited(self.class_prior, self.classes, self.class_counts).limits

    # Scores

    def score(self, table: Table) -> Array:
        """log p(x, y) of each row and class."""
        out = np.empty((table.rows, len(self.classes)))
        self._each_piece(table, out, lambda rows, scores: None)
        return out

    def predict(self, table: Table) -> Labels:
        """The most probable class of each row."""
        labels, prior = np.empty(table.rows, self.classes.dtype), self.log_prior()

        def use(rows: slice, scores: Array) -> None:
            codes = np.empty(len(scores), np.int64)
            _native.best(scores, prior, codes)
            labels[rows] = self.classes[codes]

        self._each_piece(table, None, use)
        return labels

    def predict_proba(self, table: Table, log: bool = False) -> Array:
        """p(y | x) of each row and class. A row that is impossible under every class gets the class prior."""
        out, prior = np.empty((table.rows, len(self.classes))), self.log_prior()
        self._each_piece(table, out, lambda rows, scores: _native.normalise(scores, prior, log))
        return out

    def _each_piece(self, table: Table, out: Array | None, use: Callable[[slice, Array], None]) -> None:
        """Scores the rows in pieces, in parallel, and calls `use` with the rows and scores of each. The scores are
        written to `out` if it is not None."""
        table.must_have(self.names)
        self.check_parameters()
        prior, blocks = self.log_prior(), self.blocks

        def work(rows: slice) -> None:
            scores = np.empty((rows.stop - rows.start, len(prior))) if out is None else out[rows]
            scores[:] = prior
            for block in blocks:
                block.score(table, rows, scores)
            use(rows, scores)

        threads.run(work, threads.pieces(table.rows, table.row_bytes + 8 * len(prior)))

    def loo_scores(self, sample: Sample) -> Array:
        """Leave-one-out log p(x, y) of each row and class, for rows that the model has learned."""
        table, out = sample.table, self.loo_log_prior(sample)
        table.must_have(self.names)
        row_bytes = table.row_bytes + 64 * len(self.names)  # each cell needs several float64

        def work(rows: slice) -> None:
            for block in self.blocks:
                block.loo_scores(sample, rows, out[rows])

        # Each piece computes the parameters of all columns, which may cost more than scoring its rows.
        threads.run(work, threads.pieces(table.rows, row_bytes, 64 * len(self.names)))
        return out

    def loo_proba(self, sample: Sample, scores: Array, log: bool = False) -> Array:
        """p(y | x) from leave-one-out scores. A row that is impossible in every class gets the leave-one-out prior."""
        p, impossible = scores.copy(), np.isneginf(scores).all(axis=1)
        p[impossible] = self.loo_log_prior(sample)[impossible]
        _native.normalise(p, self.log_prior(), log)
        return p

    def unlearn_own_categories(self, sample: Sample, scores: Array) -> int:
        """Corrects the leave-one-out scores of rows with a category that no other row has. Returns their number."""
        blocks = self.blocks
        alone = [block.family.unlearn_own_categories(block, block.observe(sample), scores) for block in blocks]
        return int(np.any(alone, axis=0).sum())

    # The generative model

    def sample(self, rows: int, rng: "np.random.Generator") -> tuple[dict[Any, NDArray[Any]], Codes]:
        """Classes sampled from p(y), then columns from p(x | y): the columns by name, and class codes."""
        self.check_parameters()
        y = rng.choice(len(self.classes), rows, p=np.exp(self.log_prior())).astype(np.int32)
        sampled: dict[int, NDArray[Any]] = {}
        absent: dict[int, NDArray[np.bool]] = {}
        for block in self.blocks:
            cells = block.family.sample(block.parameters, y, rng)
            for at, j in enumerate(block.columns):
                values = block.family.values(cells, block.frame, at)
                if block.family.marks_missing:
                    absent[j] = values == 1
                else:
                    rounded = values.dtype.kind == "f" and self.kinds[j] in _SAMPLED_AS
                    sampled[j] = block.family.whole(values) if rounded else values
        for j, values in sampled.items():
            if j in absent:
                sampled[j] = values.astype(object if values.dtype.kind == "O" else np.float64)
                sampled[j][absent[j]] = None if values.dtype.kind == "O" else np.nan
            elif self.kinds[j] in _SAMPLED_AS:
                sampled[j] = values.astype(_SAMPLED_AS[self.kinds[j]])
        return {self.names[j]: sampled[j] for j in sorted(sampled)}, y
