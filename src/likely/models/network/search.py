"""Chooses bins and a graph by the leave-one-out log loss of the class.

Pairs of columns are counted once. Their conditional mutual information gives a tree (TAN: Chow and Liu), for each k a
network with k parents (KDB), and the average over one tree for each column (AODE). For KDB, one more pass chooses k and
how many columns predict the class, the most informative first; the others get the weight 0. Numbers may have a density
and no place in the network (`numbers`); then the other columns are searched again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely.data.sample import Sample
from likely.families import Block, Categorical, Family, Histogram, Network, Plan
from likely.families.block import naming
from likely.families.network import MOST_CELLS, MOST_CELLS_IN_ALL
from likely.families.structure import Parents, Structure
from likely.models.choosing.families import ROWS as LOOKED_AT
from likely.models.choosing.families import names_of, read_as_text
from likely.models.choosing.named import named_families
from likely.models.learned import count
from likely.models.network.few_rows import Way, chosen_by_folds, few
from likely.models.network.loss import Beside, by_column, loss, strengths
from likely.models.network.numbers import (
    Densities,
    free_numbers,
    in_bins_or_categories,
    is_density,
    parted,
    read_as_in_naive_bayes,
    tried,
)
from likely.models.network.pairs import PairInformation, information
from likely.statistics import Frame

if TYPE_CHECKING:
    from likely.models.network.model import NetworkModel

BINS = (4, 8, 16)
"""The numbers of bins to try."""

ROWS = 20_000
"""The most rows counted to choose bins and the kind of structure; they are evenly spaced."""

PAIRED = 200_000
"""The most rows in which pairs are counted to find a tree, or parents."""

MOST_PARENTS = 4
"""The most parents of a column, besides the class, in a graph that you give."""

PARENTS_TRIED = (1, 2, 3)
"""The numbers of parents that KDB tries."""

MOST_AVERAGED = 100
"""The most columns for which "auto" tries AODE, which has a table for each pair: with 300 columns and 100 rows it took
minutes."""

IN_NETWORK = ("bool", "int", "float", "category")
"""The kinds of columns in the network. Texts and sparse columns depend only on the class, as in naive Bayes."""


def plans(model: "NetworkModel", sample: Sample) -> tuple[Plan, ...]:
    """The plan of the network, if there is one, and the plans of the other columns."""
    table = sample.table
    named = {j: family for family, at in named_families(table.names, model.families) for j in at}
    columns = [
        j
        for j, kind in enumerate(table.kinds)
        if kind in IN_NETWORK and (j not in named or in_bins_or_categories(named[j]))
    ]
    for kind in IN_NETWORK:
        of_kind = [j for j in columns if table.kinds[j] == kind and j not in named]
        texts = read_as_text(sample, kind, of_kind) if of_kind else set()  # type: ignore[arg-type]
        columns = [j for j in columns if j not in texts]
    numbers = free_numbers(model, sample, columns)
    cut = [j for j in columns if j not in numbers]
    read = [] if len(cut) == len(table.names) else read_as_in_naive_bayes(model, sample, cut)
    families, others = parted(read, numbers)
    refitted = partial(_refitted, model)
    if not columns:
        return chosen_by_folds(model, sample, [], tuple(others), refitted)
    best = found = _Search(model, sample, columns)
    densities: Sequence[Plan] = ()
    if families:
        together = model.structure == "auto" and not few(sample, len(columns))
        for plans, counted in tried(model, found.few, families, found.in_bins, together):
            rest = _Search(model, sample, [j for j in columns if j not in counted.columns], counted.loo)
            if rest.choice.loss < best.choice.loss:
                best, densities = rest, plans
    beside = (*densities, *others)
    ways = [Way(best.choice.kind, best.choice.bins, plan) for plan in best.plans()]
    if model.structure == "auto" and best.columns and best.choice.kind != "naive":
        ways.append(Way("naive", best.choice.bins, best._plan("naive", sample, best.choice.bins)))
    return chosen_by_folds(model, sample, ways, beside, refitted)


def _refitted(model: "NetworkModel", sample: Sample, way: Way | None) -> Sequence[Block]:
    """The blocks that these rows choose, and have counted."""
    columns = [] if way is None else way.plan.columns
    beside = [] if len(columns) == len(sample.table.names) else read_as_in_naive_bayes(model, sample, columns)
    densities = Densities.counted([plan for plan in beside if is_density(plan, sample.table.kinds)], sample)
    if way is None:
        return densities.blocks
    plan = _Search(model, sample, columns)._plan(way.kind, sample, way.bins)
    tried = strengths(count([plan], sample).blocks[0])
    return (min(tried, key=lambda block: loss(block, model, sample, densities.loo)), *densities.blocks)


class _Choice(NamedTuple):
    """What a search chose."""

    bins: int
    kind: Any
    plan: Plan | None
    """None if there are no columns."""
    loss: float


@dataclass
class _Search:
    model: "NetworkModel"
    sample: Sample
    columns: Sequence[int]
    beside: Beside | None = None
    """The leave-one-out scores of the numbers that are not in the network."""

    @cached_property
    def few(self) -> Sample:
        return self.sample.at_most(ROWS)

    @property
    def in_bins(self) -> Plan:
        """Naive Bayes of the columns."""
        return self._base(self.few, self.bins)[0]

    @cached_property
    def bins(self) -> int:
        """The number of bins with the least loss of a tree; the first if no column is cut."""
        tried = BINS if self.model.bins == "auto" else (self.model.bins,)
        if len(tried) == 1 or not any(one.has_edges for one in self.readings(self.few, tried[0])):
            return int(tried[0])
        plans = {bins: self._plan("tan", self.few, bins) for bins in tried}
        return min(plans, key=lambda bins: self._least(plans[bins]))

    @cached_property
    def choice(self) -> _Choice:
        kind = self.model.structure
        if not self.columns:
            return _Choice(0, kind, None, loss(None, self.model, self.few, self.beside))
        if kind != "auto":
            plan = self._plan(kind, self.few, self.bins)
            return _Choice(self.bins, kind, plan, self._least(plan))
        least, plan = min(self._kinds(self.bins), key=lambda tried: tried[0])
        structure = _structure(plan)
        kind = f"kdb{structure.most_parents}" if structure.kind == "kdb" else structure.kind
        return _Choice(self.bins, kind, plan, least)

    def plans(self) -> list[Plan]:
        """The plan of the chosen network; none if there are no columns."""
        if not self.columns:
            return []
        if self.model.structure != "auto":
            return [self._plan(self.model.structure, self.sample, self.bins)]
        bins, kind, plan, _ = self.choice
        return [plan if plan is not None and self.few is self.sample else self._plan(kind, self.sample, bins)]

    def _kinds(self, bins: int) -> Iterator[tuple[float, Plan]]:
        for kind in ("naive", "tan", "kdb", "aode"):
            if kind != "aode" or self._may_average(bins):
                plan = self._plan(kind, self.few, bins)
                yield self._least(plan), plan

    def _least(self, plan: Plan) -> float:
        block = count([plan], self.few).blocks[0]
        return min(loss(one, self.model, self.few, self.beside) for one in strengths(block))

    def _may_average(self, bins: int) -> bool:
        if len(self.columns) > MOST_AVERAGED:
            return False
        sizes, structure = np.array(self._base(self.few, bins)[2]) + 1, Structure.aode(len(self.columns))
        cells = np.array([np.prod(sizes[list(clique)]) for clique in structure.cliques] or [0]) * len(
            self.sample.classes
        )
        return bool(cells.max() <= MOST_CELLS and cells.sum() <= MOST_CELLS_IN_ALL // 4)

    # One structure

    def _plan(self, kind: Any, sample: Sample, bins: int) -> Plan:
        """The plan that these rows choose for a kind of structure, or for a graph that you give."""
        some = sample.at_most(PAIRED)
        naive, codes, sizes = self._base(some, bins)
        if kind == "naive":
            return naive
        if kind == "aode":
            # If all columns depend on a constant column, the graph is naive Bayes, and would be part of the mean.
            varies = [j for j, of_column in enumerate(codes) if len(np.unique(of_column[of_column >= 0])) > 1]
            return _with(naive, Structure.aode(len(self.columns), varies or None))
        found = information(codes, some.y, len(some.classes), some.weight, sizes)
        if kind == "tan":
            return _with(naive, Structure("tan", (tree(found),)))
        if isinstance(kind, str):
            tried = PARENTS_TRIED if kind == "kdb" else (int(kind[3:]),)
            return self._selective(naive, sample, found, tried, sizes)
        return _with(naive, Structure("given", (self._given(kind, found),)))

    def readings(self, sample: Sample, bins: int) -> list[Family]:
        """The family of each column: the one you named; by default bins for numbers, and categories for the rest."""
        named = {j: family for family, at in named_families(sample.table.names, self.model.families) for j in at}
        kinds, found = sample.table.kinds, list[Family]()
        for j in self.columns:
            family = named.get(j, Histogram(bins=bins) if kinds[j] in ("int", "float") else Categorical())
            found.append(family)
        return found

    def _base(self, sample: Sample, bins: int) -> tuple[Plan, Any, list[int]]:
        """The plan of naive Bayes, the codes of the cells (columns x rows), and the number of values of each column."""
        looked, step = self.sample.at_most(LOOKED_AT), -(-len(self.sample) // LOOKED_AT)
        families = self.readings(sample, bins)
        for at, (family, j) in enumerate(zip(families, self.columns, strict=True)):
            if family.has_edges:
                plan = Plan(family, [j], Frame(names_of(looked.table, [j])))
                with naming(plan.frame, 0, step):
                    cut = family.frame(plan.frame.columns, plan.observe(looked)).edges
                assert cut is not None
                families[at] = Histogram(bins=tuple(cut[0].tolist()))
        network = Network(tuple(families), Structure.naive(len(self.columns)))
        if self.model.smoothing is not None:
            network = replace(network, prior=self.model.smoothing)
        names = names_of(sample.table, self.columns)
        codes, labels = network.read(sample.table, self.columns, slice(None))
        assert labels is not None
        plan = Plan(network, self.columns, network.framed(names, None))
        return plan, np.ascontiguousarray(codes.T), [len(of_column) for of_column in labels]

    def _selective(
        self, naive: Plan, sample: Sample, found: PairInformation, tried: Sequence[int], sizes: Sequence[int]
    ) -> Plan:
        """KDB with the number of parents and the columns of the least loss."""
        order = np.argsort(-found.of_class, kind="stable")
        best: tuple[float, Plan] | None = None
        for k in tried:
            plan = _with(naive, Structure("kdb", (dependent(found, order, k, sizes, len(sample.classes)),)))
            for block in strengths(count([plan], sample).blocks[0]):
                losses = by_column(block, self.model, sample, order, self.beside)
                used = int(losses.argmin())
                if best is None or losses[used] < best[0]:
                    weights = np.zeros(len(order))
                    weights[order[: used + 1]] = 1.0
                    best = losses[used], replace(plan, column_weights=None if weights.all() else weights)
        assert best is not None
        return best[1]

    def _given(self, edges: Any, found: PairInformation) -> Parents:
        table = self.sample.table
        names = list(names_of(table, self.columns))
        empty = [name for name, kind in zip(table.names, table.kinds, strict=True) if kind == "empty"]
        parents: list[list[int]] = [[] for _ in names]
        for edge in edges:
            for name in edge:
                if name in table.names and name not in (*names, *empty):
                    raise ValueError(
                        f"an edge of the structure names {name!r}, which holds texts or is sparse, or has a family "
                        "other than Categorical and Histogram, and depends on the class alone; leave out the edge"
                    )
                if name not in (*names, *empty):
                    raise ValueError(
                        f"an edge of the structure names {name!r}, but the columns are {_some(table.names)}"
                    )
            if not set(edge) & set(empty):  # a column without a value is left out, and fit warns of it
                parent, child = map(names.index, edge)
                parents[child].append(parent)
        for name, of_column in zip(names, parents, strict=True):
            if len(set(of_column)) < len(of_column):
                raise ValueError(f"an edge to {name!r} is given twice")
            if len(of_column) > MOST_PARENTS:
                raise ValueError(
                    f"column {name!r} has {len(of_column)} parents, and a network has {MOST_PARENTS} at most"
                )
        return tuple(
            tuple(of_column[at] for at in np.argsort(-found.of_pairs[j, of_column], kind="stable"))
            for j, of_column in enumerate(parents)
        )


def _with(plan: Plan, structure: Structure) -> Plan:
    family = replace(_network(plan), structure=structure)
    return replace(plan, family=family, frame=family.framed(plan.frame.columns, None))


def _structure(plan: Plan) -> Structure:
    return _network(plan).structure


def _network(plan: Plan | Block) -> Network:
    found = plan.family.network
    assert found is not None
    return found


def tree(found: PairInformation) -> Parents:
    """The forest of the largest conditional mutual information, from the column that shows most of the class on. A pair
    that shows no more than chance is no edge."""
    columns = len(found.of_class)
    parents: list[tuple[int, ...]] = [()] * columns
    left = set(range(columns))
    best = np.zeros(columns)
    nearest = np.full(columns, -1)
    while left:
        j = max(left, key=lambda j: (best[j], found.of_class[j], -j))
        if best[j] > 0:
            parents[j] = (int(nearest[j]),)
        left.remove(j)
        closer = found.of_pairs[j] > best
        best[closer], nearest[closer] = found.of_pairs[j][closer], j
    return tuple(parents)


def dependent(found: PairInformation, order: Any, k: int, sizes: Sequence[int], classes: int) -> Parents:
    """Each column with up to k parents of those before it in order: those of the largest conditional mutual information
    that is more than chance, as far as all combinations of values can be counted."""
    parents: list[tuple[int, ...]] = [()] * len(order)
    for rank, j in enumerate(order.tolist()):
        before = [p for p in order[:rank].tolist() if found.of_pairs[j, p] > 0]
        chosen: list[int] = []
        for p in (before[at] for at in np.argsort(-found.of_pairs[j, before], kind="stable")[:k]):
            if classes * np.prod([sizes[i] + 1.0 for i in (j, *chosen, p)]) <= MOST_CELLS:
                chosen.append(p)
        parents[j] = tuple(chosen)
    return tuple(parents)


def _some(names: Sequence[Any]) -> str:
    return ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
