"""Naive Bayes: p(x, y) = p(y) times the product of p(block | y), each block a family's columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.table import Kind, Table
from likely.engines import threads
from likely.families.family import Array, Codes, Degenerate, Family
from likely.models.block import Block, Plan, no_parameters
from likely.models.choose import Missing, given, names_none, plan, tuned
from likely.models.class_prior import ClassPrior, class_probabilities, left_out_log_prior
from likely.models.smooth import smoothed
from likely.models.weigh import weighed
from likely.priors import Auto, Prior
from likely.statistics import Counts, Labels, NeverLearned, Placement, union
from likely.statistics.sums import exact

_DRAWN_AS = {"bool": np.bool, "int": np.int64}

Weights = Literal["auto"] | bool


@dataclass(frozen=True, eq=False)
class Learned:
    """All that is known: the classes, the rows of each, and the blocks. It adds, subtracts and scales."""

    classes: Labels
    rows: Counts
    blocks: tuple[Block, ...]

    def __add__(self, other: Self) -> Self:
        mine, theirs, classes = self._aligned(other)
        blocks = tuple(a + b for a, b in zip(mine.blocks, theirs.blocks, strict=True))
        return type(self)(classes, mine.rows + theirs.rows, blocks)

    def __sub__(self, other: Self) -> Self:
        mine, theirs, classes = self._aligned(other)
        try:
            rows = mine.rows - theirs.rows
            blocks = tuple(a - b for a, b in zip(mine.blocks, theirs.blocks, strict=True))
        except NeverLearned as error:
            where = "".join(f"{note}, " for note in getattr(error, "__notes__", ()))
            label = classes.tolist()[error.of_class]
            raise ValueError(
                f"some of these rows were never learned: {where}class {label!r} would be left with less than nothing; "
                "nothing was forgotten"
            ) from None
        return type(self)(classes, rows, blocks)

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.classes, self.rows * factor, tuple(block * factor for block in self.blocks))

    def _aligned(self, other: Self) -> tuple[Self, Self, Labels]:
        if len(self.blocks) != len(other.blocks) or any(
            (a.plan.columns is not b.plan.columns and list(a.plan.columns) != list(b.plan.columns))
            or a.plan.absence != b.plan.absence
            for a, b in zip(self.blocks, other.blocks, strict=True)
        ):
            raise ValueError("the models read their columns differently; give both the same families")
        try:
            classes, mine, theirs = union(self.classes, other.classes)
        except TypeError as error:
            raise ValueError(f"classes: {error}") from None
        return self._placed(mine, classes), other._placed(theirs, classes), classes

    def _placed(self, at: Placement | None, classes: Labels) -> Self:
        if at is None:
            return self
        return type(self)(classes, self.rows.placed(at, None), tuple(block.placed(at) for block in self.blocks))


class NaiveBayes:
    """The model behind `likely.NaiveBayes`, where its parameters are described.

    What it has learned is a value that is replaced as a whole, so an error on the way changes nothing.
    """

    def __init__(
        self,
        families: Any = "auto",
        smoothing: Prior | Literal["auto"] | None = None,
        class_prior: ClassPrior = "frequencies",
        missing: Missing = "ignore",
        weights: Weights = "auto",
    ) -> None:
        if isinstance(smoothing, str) and smoothing == "auto":
            smoothing = Auto()
        if smoothing is not None and not isinstance(smoothing, Prior):
            raise TypeError(f"smoothing is a prior, such as likely.priors.Laplace(), or 'auto', not {smoothing!r}")
        if weights not in ("auto", True, False):
            raise ValueError(f"weights is 'auto', True or False, not {weights!r}")
        self.families, self.smoothing, self.class_prior, self.missing = families, smoothing, class_prior, missing
        self.weighs = names_none(families) if weights == "auto" else bool(weights)
        self.learned: Learned | None = None
        self.names: Sequence[Any] = ()
        self.kinds: Sequence[Kind] = ()

    # Learning

    def learn(self, table: Table, classes: Labels, y: Codes, weight: Array | None = None) -> None:
        """Adds these rows to what is known; the first time, also chooses the families."""
        counted = count(self.plans(table, y, len(classes), weight), table, classes, y, weight)
        self.take_in(counted, table, classes, y, weight)

    def take_in(self, counted: Learned, table: Table, classes: Labels, y: Codes, weight: Array | None) -> None:
        """Adds what has been counted of these rows, by the plans of this model."""
        if self.learned is None and table.untyped:
            said = {j for _, columns in given(table.names, self.families) for j in columns}
            refuse_empty(counted, [j for j in table.untyped if j not in said])
        learned = counted if self.learned is None else self.learned + counted
        seen = learned.rows.table[:, 0]
        class_probabilities(self.class_prior, learned.classes, seen)  # raises if it does not fit
        # What was left open is chosen at first, and again by a batch that outweighs all before it.
        if self.learned is None or counted.rows.table.sum() >= self.learned.rows.table.sum():
            codes = np.searchsorted(learned.classes, classes).astype(np.int32)[y]
            blocks = tuple(
                smoothed(tuned(block, table, codes, weight), table, codes, weight) for block in learned.blocks
            )
            if self.weighs:
                blocks = weighed(blocks, table, codes, weight, learned.classes, seen, self.class_prior)
            learned = replace(learned, blocks=blocks)
        self.learned = learned
        self.names, self.kinds = table.names, table.kinds

    def forget(self, table: Table, classes: Labels, y: Codes, weight: Array | None = None) -> None:
        """Takes these rows out again. What was never learned raises, as far as the counts can tell."""
        known = self.known
        table.must_have(self.names)
        self.learned = known - count([block.plan for block in known.blocks], table, classes, y, weight)

    def decay(self, factor: float) -> None:
        """Lets all that is known count less: after many batches, old rows fade."""
        if not 0 < factor <= 1:
            raise ValueError(f"the factor must be above 0 and at most 1, not {factor}")
        self.learned = self.known * factor

    def merge(self, other: Self) -> None:
        """Adds all that another model has learned."""
        self.learned = self.known + other.known

    def plans(self, table: Table, y: Codes, classes: int, weight: Array | None) -> tuple[Plan, ...]:
        """How a table will be counted: as what is known, or, of nothing yet, as these rows suggest."""
        if self.learned is None:
            return plan(table, y, classes, weight, self.families, self.smoothing, self.missing)
        table.must_have(self.names)
        return tuple(block.plan for block in self.learned.blocks)

    @property
    def known(self) -> Learned:
        if self.learned is None:
            raise ValueError("nothing has been learned yet")
        return self.learned

    # Parameters

    @property
    def classes(self) -> Labels:
        return self.known.classes

    @property
    def counts(self) -> NDArray[Any]:
        """The rows of each class, or their weight."""
        return np.asarray(self.known.rows.table[:, 0])

    @property
    def chosen(self) -> dict[Any, Family]:
        """The family of each column."""
        by_column = {
            j: block.family for block in self.known.blocks if not block.plan.absence for j in block.plan.columns
        }
        return {self.names[j]: by_column[j] for j in sorted(by_column)}

    @property
    def weights(self) -> dict[Any, float]:
        """How often the log probability of each column counts."""
        found: dict[Any, float] = {}
        for block in self.known.blocks:
            each = np.ones(len(block.plan.columns)) if block.plan.weights is None else block.plan.weights
            for at, j in enumerate(block.plan.columns):
                found[f"{self.names[j]} missing" if block.plan.absence else self.names[j]] = float(each[at])
        return found

    def log_prior(self) -> Array:
        """log p(y) of each class."""
        rows = self.known.rows.table[:, 0]
        p = class_probabilities(self.class_prior, self.classes, rows)
        with np.errstate(divide="ignore"):
            return np.log(p)

    def check_parameters(self) -> None:
        """Raises where parameters do not exist, with the column and the class named."""
        for block in self.known.blocks:
            try:
                block.parameters  # noqa: B018 - derived here, and kept
            except Degenerate as error:
                raise no_parameters(error, block.frame, self.classes.tolist()) from None

    def belief(self, column: Any) -> Any:
        """The posterior distribution of the parameters of a column, per class."""
        for block in self.known.blocks:
            if column in block.frame.columns and not block.plan.absence:
                return block.family.posterior(block.statistics, block.frame, block.frame.columns.index(column))
        raise ValueError(f"there is no column {column!r}")

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

    def posterior(self, table: Table, log: bool = False) -> Array:
        """p(y | x) of each row and class. A row that is impossible under every class gets the class prior."""
        out, prior = np.empty((table.rows, len(self.classes))), self.log_prior()
        self._each_piece(table, out, lambda rows, scores: _native.normalise(scores, prior, log))
        return out

    def _each_piece(self, table: Table, out: Array | None, use: Callable[[slice, Array], None]) -> None:
        """Scores the rows in pieces side by side, each in its place in `out` if that is given, and uses them."""
        table.must_have(self.names)
        self.check_parameters()
        prior, blocks = self.log_prior(), self.known.blocks

        def work(rows: slice) -> None:
            scores = np.empty((rows.stop - rows.start, len(prior))) if out is None else out[rows]
            scores[:] = prior
            for block in blocks:
                block.score(table, rows, scores)
            use(rows, scores)

        threads.run(work, threads.pieces(table.rows, table.row_bytes + 8 * len(prior)))

    def score_left_out(self, table: Table, y: Codes, weight: Array | None = None) -> Array:
        """log p(x, y) of each row and class, as if the row had never been learned. `y` are codes of `classes`."""
        table.must_have(self.names)
        known = self.known
        out = left_out_log_prior(self.class_prior, known.classes, known.rows.table[:, 0], y, weight)
        row_bytes = table.row_bytes + 64 * len(self.names)  # it works cell by cell in float64

        def work(rows: slice) -> None:
            part = None if weight is None else weight[rows]
            for block in known.blocks:
                block.score_left_out(table, rows, y[rows], part, out[rows])

        # Each piece works out the parameters of all columns, which may be more than its rows are worth.
        threads.run(work, threads.pieces(table.rows, row_bytes, 64 * len(self.names)))
        return out

    # The generative model

    def sample(self, rows: int, rng: "np.random.Generator") -> tuple[dict[Any, NDArray[Any]], Codes]:
        """Classes drawn from p(y), then columns from p(x | y): the columns by name, and class codes."""
        self.check_parameters()
        y = rng.choice(len(self.classes), rows, p=np.exp(self.log_prior())).astype(np.int32)
        drawn: dict[int, NDArray[Any]] = {}
        absent: dict[int, NDArray[np.bool]] = {}
        for block in self.known.blocks:
            values = block.family.sample(block.parameters, y, rng)
            for at, j in enumerate(block.plan.columns):
                if block.plan.absence:
                    absent[j] = values[:, at] == 1
                elif block.family.reads == "text":
                    drawn[j] = values[:, at]
                elif block.frame.cells is not None:
                    drawn[j] = block.frame.cells[at][values[:, at]]
                else:
                    drawn[j] = values[:, at] if self.kinds[j] in ("float", "sparse") else np.rint(values[:, at])
        for j, values in drawn.items():
            if j in absent:
                drawn[j] = values.astype(object if values.dtype.kind == "O" else np.float64)
                drawn[j][absent[j]] = None if values.dtype.kind == "O" else np.nan
            elif self.kinds[j] in _DRAWN_AS:
                drawn[j] = values.astype(_DRAWN_AS[self.kinds[j]])
        return {self.names[j]: drawn[j] for j in sorted(drawn)}, y


def refuse_empty(learned: Learned, columns: Sequence[int]) -> None:
    """A column without a single value gives nothing to go by, not even which family it should be read by."""
    for block in learned.blocks:
        if len(block.plan.columns) > 1 and columns and block.family.joint and not block.statistics.present.any():
            raise ValueError(
                f"no row has a value in each of the columns {', '.join(map(repr, block.frame.columns))}; "
                "leave out what is often missing"
            )
        for at in () if block.plan.absence else block.empty():
            if block.plan.columns[at] in columns:
                raise ValueError(f"column {block.frame.columns[at]!r} has no value present; leave it out")


def count(plans: Any, table: Table, classes: Labels, y: Codes, weight: Array | None) -> Learned:
    """The statistics of a table, its rows counted in pieces side by side."""

    def work(rows: slice) -> Learned:
        codes, part = y[rows], None if weight is None else weight[rows]
        per_class = exact(np.bincount(codes, part, len(classes)).astype(np.float64)[:, None], weight is None)
        blocks = tuple(plan_.count(table, rows, codes, len(classes), part) for plan_ in plans)
        return Learned(classes, Counts(per_class), blocks)

    allocated = sum(plan_.allocates(len(classes)) for plan_ in plans)
    if any(plan_.family.reads == "text" for plan_ in plans):  # two pieces at the least: adding takes a tenth of reading
        allocated = min(allocated, table.rows * table.row_bytes // 16)
    return threads.total(work, threads.pieces(table.rows, table.row_bytes, allocated))
