"""Values that depend on the class and on the values of a few other columns: a Bayes network."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Labels, Table
from likely.families import evidence
from likely.families.block import Block
from likely.families.categorical import Categorical
from likely.families.cells import Array, Codes
from likely.families.conditionals import Conditionals, Smoothing
from likely.families.effects import Effects
from likely.families.family import Domain, Family, Observations, Parameter, Picture, Reads
from likely.families.histogram import Histogram
from likely.families.own_categories import unlearn_own_categories
from likely.families.structure import Structure, topological
from likely.priors import Dirichlet, Laplace, Prior
from likely.statistics import Frame, JointCounts, JointFrame, Statistics

MOST_CELLS = 1 << 22
"""The most combinations of values and classes that one factor may have."""

MOST_CELLS_IN_ALL = 1 << 26
"""The most combinations of values and classes that all factors together may have."""


@dataclass(frozen=True, repr=False)
class Network(Family):
    """log p(x | y) = the sum over columns of log p(x_j | parents of j, y). Each factor is estimated from counts, by the
    formula in `families/conditionals.py`. AODE is the log of the mean of several networks: one for each column, with
    that column as the parent of all others.

    Numbers are cut into bins, within which they are uniform. A missing cell is marginalised out exactly if no column
    has more than one parent besides the class. Otherwise the columns that depend on it back off to the parents before
    it. AODE averages over the columns that are not missing.

    See Also
    --------
    likely.BayesNetwork : makes it, and shows its graph.
    """

    readings: tuple[Family, ...]
    """How each column is read: Categorical, or Histogram with the edges of its bins."""
    structure: Structure
    strength: float = 10.0
    """m: the estimate from fewer parents counts as this many rows."""
    prior: Prior = Laplace()
    reads: ClassVar[Reads] = "categories"
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (JointCounts,)
    made_of: ClassVar[tuple[type, ...]] = (Structure,)
    joint: ClassVar[bool] = True
    independent: ClassVar[bool] = False
    unseen: ClassVar[bool] = True
    domain: ClassVar[Domain] = "category"
    picture: ClassVar[Picture] = "bars"

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", tuple(self.readings))
        networks = self.structure.networks
        if not networks or any(len(parents) != len(self.readings) for parents in networks):
            raise ValueError("a network has one set of parents for each column")
        if not all(self.cut_at(j) is not None or type(read) is Categorical for j, read in enumerate(self.readings)):
            raise ValueError("a network reads columns as Categorical, or as Histogram with the edges of its bins")
        if not 0 < self.strength < np.inf:
            raise ValueError(f"the strength of the smoothing is a number above 0, not {self.strength!r}")

    def __repr__(self) -> str:
        return f"Network({self.structure.kind!r}, strength={self.strength:g}, prior={self.prior!r})"

    @property
    def network(self) -> "Network":
        return self

    def cut_at(self, column: int) -> tuple[float, ...] | None:
        """The edges of the bins of a column; None if it is read as categories."""
        return getattr(self.readings[column], "bins", None)

    def framed(self, columns: Sequence[Any], cells: tuple[Labels, ...] | None, edges: Any = None) -> JointFrame:
        if cells is None:
            cells = tuple(
                np.zeros(0) if (at := self.cut_at(j)) is None else np.array(at[:-1]) for j in range(len(columns))
            )
        bins = tuple(self.cut_at(j) is not None for j in range(len(columns)))
        return JointFrame(columns, cells, None, self.structure.cliques, bins)

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Codes, tuple[Labels, ...] | None]:
        labels_of: list[Any] = [None] * len(columns)
        codes = np.empty((len(columns), len(range(*rows.indices(table.rows)))), np.int32)
        for cut in (False, True):
            at = [j for j in range(len(columns)) if (self.cut_at(j) is not None) == cut]
            of_table = [columns[j] for j in at]
            if cut and at:
                edges = [np.array(self.cut_at(j)) for j in at]
                frame = Frame([table.names[j] for j in of_table], edges=tuple(edges))
                with_edges = Histogram().codes(table.numbers(of_table, rows), frame)
                codes[at], labels = with_edges.T, [of_column[:-1] for of_column in edges]
            elif at:
                of_values, labels = table.categories(of_table, rows, None if known is None else [known[j] for j in at])
                codes[at] = of_values.T
            for j, of_column in zip(at, labels if at else (), strict=True):
                labels_of[j] = of_column
        return codes.T, tuple(labels_of) if known is None else None

    def check_counted(self, statistics: Statistics, frame: Frame, classes: int) -> None:
        if not isinstance(statistics, JointCounts) or not isinstance(frame, JointFrame):
            raise ValueError(f"a network counts JointCounts, not {type(statistics).__name__}")
        for j, labels in enumerate(frame.cells or ()):
            if (edges := self.cut_at(j)) is not None and labels.tolist() != list(edges[:-1]):
                raise ValueError("the bins of a column are not those of its edges")
        statistics.check_joint(classes, frame)

    # Counting and scoring

    def count(self, seen: Observations, frame: Frame) -> JointCounts:
        assert isinstance(frame, JointFrame)
        self.check_size(frame, seen.classes)
        codes, joint = np.ascontiguousarray(seen.cells.T), frame.joint
        singly = Categorical().count(seen, frame).table
        return JointCounts(singly, joint.count(codes, seen.y, seen.classes, seen.weight))

    def check_size(self, frame: JointFrame, classes: int) -> None:
        """Raises ValueError if there are more combinations of values than the limits above."""
        sizes = np.diff(frame.joint.starts) * classes
        if len(sizes) and sizes.max() > MOST_CELLS:
            columns = [frame.columns[j] for j in frame.cliques[int(sizes.argmax())]]
            raise ValueError(
                f"columns {', '.join(map(repr, columns))} have {int(sizes.max()):,} combinations of values and classes "
                f"and a network counts {MOST_CELLS:,}; group rare values, or leave out the edge between them"
            )
        if sizes.sum() > MOST_CELLS_IN_ALL:
            raise ValueError(
                f"the columns have {int(sizes.sum()):,} combinations of values and classes, and a network counts "
                f"{MOST_CELLS_IN_ALL:,}; group rare values, leave out columns, or give structure='tan'"
            )

    def piece_bytes(self, classes: int, columns: int) -> int:
        return 8 * classes * (columns + 64 * len(self.structure.cliques))

    def estimate(self, block: Block) -> Conditionals:
        assert isinstance(block.frame, JointFrame)
        smoothing = Smoothing(block.statistics, block.frame, self.structure, self.prior, self.strength)
        edges = [self.cut_at(j) for j in range(len(self.readings))]
        widths = [
            np.zeros(size) if at is None else np.log(np.diff(at))
            for size, at in zip(block.frame.sizes, edges, strict=True)
        ]
        return Conditionals(smoothing, widths)

    def score(self, parameters: Conditionals, cells: Any, out: Array) -> None:
        parameters.score(np.ascontiguousarray(cells.T), out)

    def contributions(self, parameters: Conditionals, cells: Any) -> Array:
        """For one network, columns are added one by one, each after its parents; the contribution of a cell is the
        change of the score. For AODE it is the mean over the networks, weighted by the share of each network in the
        score; what the averaging itself adds is divided equally among all columns."""
        if self.structure.averaged:
            return parameters.averaged_contributions(np.ascontiguousarray(cells.T))
        parts = np.empty((len(cells), parameters.tables[0].shape[0], cells.shape[1]))
        shown = np.full_like(cells, -1)
        before = np.zeros(parts.shape[:2])
        for j in topological(self.structure.parents):
            shown[:, j] = cells[:, j]
            after = np.zeros_like(before)
            self.score(parameters, shown, after)
            parts[:, :, j] = np.where(
                np.isneginf(after) & np.isneginf(before), 0.0, after - np.where(np.isneginf(before), 0.0, before)
            )
            before = after
        return parts

    def effects(self, parameters: Conditionals, cells: Any, frame: Frame, alone: bool = False) -> Effects:
        def value(row: int, j: int) -> Any:
            own = self.value(cells[row, j], frame, j)
            if own is None or self.structure.averaged:
                return own
            parents = [(frame.columns[p], self.value(cells[row, p], frame, p)) for p in self.structure.parents[j]]
            return " ".join([str(own), *(f"| {parent}={of}" for parent, of in parents if of is not None)])

        return Effects.of_cells(self.contributions(parameters, cells), frame.columns, value)

    def value(self, cell: Any, frame: Frame, column: int) -> Any:
        assert frame.cells is not None
        labels, edges = frame.cells[column], self.cut_at(column)
        if cell < 0 or edges is None:
            return None if cell < 0 else "(new value)" if cell == len(labels) else labels.tolist()[cell]
        return f"{edges[cell]:.6g} to {edges[cell + 1]:.6g}"

    def values(self, cells: Any, frame: Frame, column: int) -> NDArray[Any]:
        """The label of a category; a number as it is, since `sample` returns numbers for columns with bins."""
        assert frame.cells is not None
        edges = self.cut_at(column)
        if edges is None:
            return np.asarray(frame.cells[column][cells[:, column].astype(np.int64)])
        return np.asarray(cells[:, column])

    # Leave-one-out

    def loo(self, block: Block, seen: Observations) -> Array:
        return np.asarray(self.loo_contributions(block, seen)[np.arange(len(seen.y)), seen.y])

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        codes, factors = np.ascontiguousarray(seen.cells.T), len(self.structure.factors)
        for a in range(0, len(seen.y), step := max(64, (1 << 20) // factors)):
            rows = slice(a, a + step)
            piece, y = np.ascontiguousarray(codes[:, rows]), seen.y[rows]
            own = block.parameters.own(piece, y, None if seen.weight is None else seen.weight[rows])
            block.parameters.score(piece, out[rows], y, own)

    def loo_contributions(self, block: Block, seen: Observations) -> Array:
        """One factor per column; where a parent is missing, the factor of the parents before it."""
        unweighted = replace(block, column_weights=None).parameters
        codes = np.ascontiguousarray(seen.cells.T)
        if self.structure.averaged:
            raise TypeError("what AODE adds is not a sum of columns")
        parts: Array = unweighted.contributions(codes)
        own = unweighted.own(codes, seen.y, seen.weight)
        parts[np.arange(len(seen.y)), seen.y] = own
        for j, widths in enumerate(unweighted.log_widths):
            parts[:, :, j] -= np.append(widths, 0.0)[codes[j]][:, None]
        return parts

    def unlearn_own_categories(self, block: Block, seen: Observations, scores: Array) -> NDArray[np.bool]:
        """A value that no other row has backs off to the column alone, however many parents it has."""
        cut = np.array([self.cut_at(j) is not None for j in range(len(self.readings))])
        categories = np.where(cut, -1, seen.cells)
        return unlearn_own_categories(self, block, replace(seen, cells=categories), scores)

    def chosen_by_rows(self, frame: Frame) -> list[str]:
        cut = any(self.cut_at(j) is not None for j in range(len(self.readings)))
        return [*(["the bins of"] if cut else []), "the structure and the smoothing over"]

    # The model itself

    def sample(self, parameters: Conditionals, y: Codes, rng: "np.random.Generator") -> Any:
        """Codes of categories, and numbers within bins. The probability reserved for unseen values is divided among
        the known ones."""
        columns, per_network = len(self.readings), len(self.readings)
        codes = np.full((len(y), columns), -1, np.int64)
        network = rng.integers(len(self.structure.networks), size=len(y))
        for a, parents in enumerate(self.structure.networks):
            rows = np.flatnonzero(network == a)
            of_network = range(a * per_network, (a + 1) * per_network)
            factor = {self.structure.factors[f][-1]: f for f in of_network}
            for j in topological(parents):
                *parent_columns, _ = self.structure.factors[factor[j]]
                p = parameters.tables[factor[j]][y[rows], *(codes[rows, i] + 1 for i in parent_columns)][:, :-1]
                p = np.where(p.any(axis=1, keepdims=True), p, 1.0)
                reached = np.cumsum(p, axis=1)
                uniform = rng.random(len(rows)) * reached[:, -1]
                codes[rows, j] = (reached <= uniform[:, None]).sum(axis=1).clip(max=p.shape[1] - 1)
        cells = codes.astype(np.float64)
        for j in range(columns):
            if (edges := self.cut_at(j)) is not None:
                at = np.array(edges)
                cells[:, j] = rng.uniform(at[codes[:, j]], at[codes[:, j] + 1])
        return cells

    def describe(self, parameters: Conditionals, frame: Frame) -> Iterator[Parameter]:
        """For AODE, only the probabilities of each column by itself, given the class."""
        for f, factor in enumerate(self.structure.factors):
            *parents, j = factor
            if self.structure.averaged and parents:
                continue
            table = parameters.tables[f]
            for at in np.ndindex(*(frame.sizes[i] for i in parents)):
                of = ", ".join(
                    f"{frame.columns[i]}={self.value(a, frame, i)}" for i, a in zip(parents, at, strict=True)
                )
                for cell in range(frame.sizes[j]):
                    value = self.value(cell, frame, j)
                    name = f"probability of {value if self.cut_at(j) is not None else repr(value)}"
                    yield Parameter(j, f"{name} given {of}" if of else name, table[:, *(a + 1 for a in at), cell])

    def parameter_count(self, block: Block) -> int:
        """One probability for each value but one, for each combination of parent values and each class. A column of
        categories has one more value, which stands for unseen ones."""
        sizes = block.frame.sizes
        of_factor = [
            (sizes[j] - (self.cut_at(j) is not None)) * int(np.prod([sizes[i] for i in parents], dtype=np.int64))
            for *parents, j in set(self.structure.factors)
        ]
        return int(block.statistics.classes * sum(of_factor))

    def parameter_posterior(self, block: Block, column: int) -> Dirichlet:
        if any(parents[column] for parents in self.structure.networks):
            raise ValueError(
                f"column {block.frame.columns[column]!r} depends on others, and what is smoothed by them has no "
                "posterior in closed form"
            )
        start, end = block.frame.starts[column : column + 2]
        more = int(self.cut_at(column) is None)
        counts = np.pad(block.statistics.table[:, start:end].astype(np.float64), ((0, 0), (0, more)))
        return self.prior.dirichlet(counts.shape[1]).posterior(counts)

    def log_bayes_factor(self, block: Block) -> Array:
        """For each column by itself, without its parents."""
        factors = []
        for j, (a, b) in enumerate(pairwise(block.frame.starts)):
            counts, sizes = block.statistics.table[:, a:b].astype(np.float64), np.array([b - a])
            of = evidence.factor_of_cells if self.cut_at(j) is None else evidence.factor_of_bins
            factors.append(of(counts, sizes))
        return np.concatenate(factors)
