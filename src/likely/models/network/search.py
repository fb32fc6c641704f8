"""How bins and a graph are chosen, by the leave-one-out log loss of the class.

Pairs of columns are counted once. From what they show beyond the class come a tree (TAN: Chow and Liu), for each k a
network of k parents (KDB), and the average over one tree for each column (AODE). Of KDB one more pass chooses k and how
many of the columns, the most informative first, the class is to be predicted by; the others get the weight 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely import _native
from likely.data.sample import Array, Sample
from likely.families import Block, Categorical, Family, Histogram, Network, Plan
from likely.families.block import naming
from likely.families.network import MOST_CELLS, MOST_CELLS_IN_ALL
from likely.families.structure import Parents, Structure
from likely.models.choosing.families import ROWS as LOOKED_AT
from likely.models.choosing.families import names_of, read_as_text, read_by
from likely.models.choosing.named import named_families
from likely.models.learned import count
from likely.models.network.pairs import PairInformation, information
from likely.statistics import Frame

if TYPE_CHECKING:
    from likely.models.network.model import NetworkModel

BINS = (4, 8, 16)
"""Numbers of bins that are tried."""

STRENGTHS = (1.0, 4.0, 16.0, 64.0, 256.0)
"""Strengths m of the smoothing that are tried."""

ROWS = 20_000
"""Rows that are counted to choose between bins and between kinds of structure, evenly spaced."""

PAIRED = 200_000
"""Rows in which all pairs are counted to find a tree, or parents."""

JUDGED = 4_000
"""Rows, of these, that are scored leave-one-out."""

TEMPERATURES = tuple(2.0 ** (-at / 2) for at in range(9))
"""By which log p(x | y) is multiplied where structures are compared: that one is over-confident, which `calibrate` can
mend, does not make it the worse."""

MOST_PARENTS = 4
"""Parents of a column in a graph that is given, besides the class."""

PARENTS_TRIED = (1, 2, 3)
"""Numbers of parents that are tried by KDB."""

IN_NETWORK = ("bool", "int", "float", "category")
"""Kinds of columns that are in the network. Texts and sparse columns depend on the class alone, as in naive Bayes."""


def plans(model: "NetworkModel", sample: Sample) -> tuple[Plan, ...]:
    """The block of the network, and those of other columns."""
    table = sample.table
    named = {j for _, at in named_families(table.names, model.families) for j in at}
    columns = [j for j, kind in enumerate(table.kinds) if kind in IN_NETWORK]
    for kind in IN_NETWORK:
        of_kind = [j for j in columns if table.kinds[j] == kind and j not in named]
        texts = read_as_text(sample, kind, of_kind) if of_kind else set()  # type: ignore[arg-type]
        columns = [j for j in columns if j not in texts]
    found = [] if len(columns) == len(table.names) else _others(model, sample, columns)
    if columns:
        found.insert(0, _Search(model, sample, columns).best())
    return tuple(found)


def _others(model: "NetworkModel", sample: Sample, columns: Sequence[int]) -> list[Plan]:
    named = {j: family for family, at in named_families(sample.table.names, model.families) for j in at}
    families = {j: family for j, family in named.items() if j not in columns}
    read = read_by(sample, {**families, **dict.fromkeys(columns, Categorical())}, model.smoothing)
    return [plan for plan in read if not set(plan.columns) & set(columns)]


@dataclass
class _Search:
    model: "NetworkModel"
    sample: Sample
    columns: Sequence[int]

    def best(self) -> Plan:
        kind, few = self.model.structure, self.sample.at_most(ROWS)
        bins = self._bins(few)
        if kind == "auto":
            plan = min(self._kinds(few, bins), key=lambda tried: tried[0])[1]
            if few is self.sample:
                return plan
            structure = _structure(plan)
            kind = f"kdb{structure.most_parents}" if structure.kind == "kdb" else structure.kind
        return self._plan(kind, self.sample, bins)

    def _bins(self, sample: Sample) -> int:
        """The number of bins of the least loss, of a tree; 0 where no column is cut."""
        tried = BINS if self.model.bins == "auto" else (self.model.bins,)
        if len(tried) == 1 or not any(isinstance(one, Histogram) for one in self.readings(sample, tried[0])):
            return tried[0]
        plans = {bins: self._plan("tan", sample, bins) for bins in tried}
        return min(plans, key=lambda bins: self._least(plans[bins], sample)[0])

    def _kinds(self, sample: Sample, bins: int) -> Iterator[tuple[float, Plan]]:
        for kind in ("naive", "tan", "kdb", "aode"):
            if kind != "aode" or self._fits(Structure.aode(len(self.columns)), sample, bins):
                plan = self._plan(kind, sample, bins)
                yield self._least(plan, sample)[0], plan

    def _least(self, plan: Plan, sample: Sample) -> tuple[float, Block]:
        block = count([plan], sample).blocks[0]
        return min(((loss(one, self.model, sample), one) for one in strengths(block)), key=lambda pair: pair[0])

    def _fits(self, structure: Structure, sample: Sample, bins: int) -> bool:
        sizes = np.array(self._base(sample, bins)[2]) + 1
        cells = np.array([np.prod(sizes[list(clique)]) for clique in structure.cliques] or [0]) * len(sample.classes)
        return bool(cells.max() <= MOST_CELLS and cells.sum() <= MOST_CELLS_IN_ALL // 4)

    # One structure

    def _plan(self, kind: Any, sample: Sample, bins: int) -> Plan:
        """The plan of a kind of structure, or of a graph that is given, which these rows choose."""
        some = sample.at_most(PAIRED)
        naive, codes, sizes = self._base(some, bins)
        if kind == "naive":
            return naive
        if kind == "aode":
            return _with(naive, Structure.aode(len(self.columns)))
        found = information(codes, some.y, len(some.classes), some.weight, sizes)
        if kind == "tan":
            return _with(naive, Structure("tan", (tree(found),)))
        if isinstance(kind, str):
            tried = PARENTS_TRIED if kind == "kdb" else (int(kind[3:]),)
            return self._selective(naive, sample, found, tried, sizes)
        return _with(naive, Structure("given", (self._given(kind, found),)))

    def readings(self, sample: Sample, bins: int) -> list[Family]:
        """How each column is read: as it is named, numbers in bins, all else as categories."""
        named = {j: family for family, at in named_families(sample.table.names, self.model.families) for j in at}
        kinds, found = sample.table.kinds, list[Family]()
        for j in self.columns:
            family = named.get(j, Histogram(bins=bins) if kinds[j] in ("int", "float") else Categorical())
            if type(family) not in (Categorical, Histogram):
                name = sample.table.names[j]
                raise ValueError(
                    f"a network reads columns as Categorical or Histogram, and column {name!r} is {family!r}"
                )
            found.append(family)
        return found

    def _base(self, sample: Sample, bins: int) -> tuple[Plan, Any, list[int]]:
        """The plan of naive Bayes over cells, the codes of the rows (columns x rows), and how many values there are."""
        looked, step = self.sample.at_most(LOOKED_AT), -(-len(self.sample) // LOOKED_AT)
        families = self.readings(sample, bins)
        for at, (family, j) in enumerate(zip(families, self.columns, strict=True)):
            if isinstance(family, Histogram) and not isinstance(family.bins, tuple):
                plan = Plan(family, [j], Frame(names_of(looked.table, [j])))
                with naming(plan.frame, 0, step):
                    cut = family.frame(plan.frame.columns, plan.observe(looked)).edges
                assert cut is not None
                families[at] = replace(family, bins=tuple(cut[0].tolist()))
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
        """KDB of the number of parents, and with the columns, of the least loss."""
        order = np.argsort(-found.of_class, kind="stable")
        best: tuple[float, Plan] | None = None
        for k in tried:
            plan = _with(naive, Structure("kdb", (dependent(found, order, k, sizes, len(sample.classes)),)))
            for block in strengths(count([plan], sample).blocks[0]):
                losses = _by_column(block, self.model, sample, order)
                used = int(losses.argmin())
                if best is None or losses[used] < best[0]:
                    weights = np.zeros(len(order))
                    weights[order[: used + 1]] = 1.0
                    best = losses[used], replace(plan, column_weights=None if weights.all() else weights)
        assert best is not None
        return best[1]

    def _given(self, edges: Any, found: PairInformation) -> Parents:
        names = list(names_of(self.sample.table, self.columns))
        parents: list[list[int]] = [[] for _ in names]
        for edge in edges:
            for name in edge:
                if name not in names:
                    raise ValueError(f"an edge of the structure names {name!r}, but the columns are {_some(names)}")
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
    assert isinstance(plan.family, Network)
    family = replace(plan.family, structure=structure)
    return replace(plan, family=family, frame=family.framed(plan.frame.columns, None))


def _structure(plan: Plan) -> Structure:
    assert isinstance(plan.family, Network)
    return plan.family.structure


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


def strengths(block: Block) -> list[Block]:
    """The block with each strength of smoothing that is tried; itself where nothing is smoothed by parents."""
    family = block.family
    assert isinstance(family, Network)
    if not family.structure.cliques:
        return [block]
    return [replace(block, family=replace(family, strength=m)) for m in STRENGTHS]


def loss(block: Block, model: "NetworkModel", sample: Sample) -> float:
    """The leave-one-out log loss of the class, of some of these rows, which were counted."""
    some = sample.at_most(JUDGED)
    scores = np.zeros((len(some), len(some.classes)))
    block.loo_scores(_one_of_each(some), slice(None), scores)
    return _least_loss(_log_prior(model, sample, some), scores, some)[0]


def _one_of_each(sample: Sample) -> Sample:
    """A row that weighs w counts as w rows: leave-one-out leaves out one of them."""
    return sample if sample.weight is None else sample.weighing(np.minimum(sample.weight, 1.0))


def _log_prior(model: "NetworkModel", sample: Sample, some: Sample) -> Array:
    from likely.models.class_prior import loo_log_prior

    rows = sample.class_weights if sample.weight is not None else sample.class_weights.astype(np.int64)
    return loo_log_prior(model.class_prior, sample.classes, rows, some.y, _one_of_each(some).weight)


def _by_column(block: Block, model: "NetworkModel", sample: Sample, order: Any) -> Array:
    """The same with the first, the first two ... columns in this order."""
    some = sample.at_most(min(JUDGED, max(200, 8_000_000 // (len(order) * len(sample.classes)))))
    prior, scores, at = _log_prior(model, sample, some), np.zeros((len(some), len(some.classes))), 0
    parts = block.family.loo_contributions(block, block.observe(_one_of_each(some)))
    found = []
    for j in order:
        scores += parts[:, :, j]
        least, at = _least_loss(prior, scores, some, at)
        found.append(least)
    return np.array(found)


def _least_loss(prior: Array, scores: Array, sample: Sample, start: int = 0) -> tuple[float, int]:
    """The log loss at the best of TEMPERATURES, and which that is. It is sought from `start` on, as far as it falls."""
    at = start
    best = _log_loss(prior + TEMPERATURES[at] * scores, sample)
    for step in (1, -1):
        while 0 <= at + step < len(TEMPERATURES):
            tried = _log_loss(prior + TEMPERATURES[at + step] * scores, sample)
            if tried >= best:
                break
            best, at = tried, at + step
    return best, at


def _log_loss(scores: Array, sample: Sample) -> float:
    """Of scores, which are overwritten. What is certain and wrong costs as much as e^-100."""
    often = sample.class_weights + 1e-300
    _native.normalise(scores, np.log(often / often.sum()), True)
    own = np.maximum(scores[np.arange(len(sample)), sample.y], -100.0)
    return float(-(own * sample.weights).sum() / sample.weights.sum())


def _some(names: Sequence[Any]) -> str:
    return ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
