"""Numbers that have a density given the class, in place of bins in the network: which of them, by leave-one-out.

A density is that of the number's family, given the class alone, or one Gaussian of several numbers given the class:
there each is a linear function of those before it, with a normal error. What is counted are the families' own sums, so
these numbers add, subtract and are left out as in naive Bayes. They depend on no column of the network.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from likely.data.sample import Array, Sample
from likely.engines import threads
from likely.errors import Degenerate
from likely.families import Block, Categorical, Histogram, MultivariateGaussian, Plan
from likely.models.choosing.column_weights import unit_weights
from likely.models.choosing.families import names_of, read_by
from likely.models.choosing.named import named_families
from likely.models.choosing.strengths import smoothed, tuned
from likely.models.learned import count
from likely.models.network.loss import least_loss, loo_parts
from likely.statistics import Frame

if TYPE_CHECKING:
    from likely.models.network.model import NetworkModel

MOST_TOGETHER = 100
"""Numbers that one Gaussian is tried for, at the most: it counts the products of all pairs."""

WORST = -1e3
"""Of what one cell adds to a score, where columns are exchanged: infinity less infinity is not a number."""


@dataclass(frozen=True, eq=False)
class Densities:
    """Blocks of numbers that depend on the class and not on the network, which counted the rows that choose."""

    blocks: tuple[Block, ...] = ()
    _known: dict[int, Array] = field(default_factory=dict)

    @property
    def columns(self) -> set[int]:
        return {j for block in self.blocks for j in block.columns}

    def loo(self, some: Sample) -> Array:
        """The leave-one-out scores of some of these rows, as many as `at_most` gives: kept, as every network that is
        tried adds its own."""
        if len(some) not in self._known:
            scores, rows = np.zeros((len(some), len(some.classes))), unit_weights(some)

            def work(part: slice) -> None:
                for block in self.blocks:
                    block.loo_scores(rows, part, scores[part])

            threads.run(work, threads.parts(len(some)))
            self._known[len(some)] = scores
        return self._known[len(some)].copy()

    @classmethod
    def counted(cls, plans: Sequence[Plan], sample: Sample) -> "Densities":
        blocks = count(plans, sample).blocks if plans else ()
        return cls(tuple(smoothed(tuned(block, sample), sample) for block in blocks))


def free_numbers(model: "NetworkModel", sample: Sample, columns: Sequence[int]) -> list[int]:
    """The columns of numbers that may be read by a family: those for which nothing else is asked for."""
    if model.bins != "auto":
        return []
    table = sample.table
    asked = {j for _, at in named_families(table.names, model.families) for j in at}
    if not isinstance(model.structure, str):
        asked |= {j for j in columns if any(table.names[j] in edge for edge in model.structure)}
    return [j for j in columns if table.kinds[j] in ("int", "float") and j not in asked]


def read_as_in_naive_bayes(model: "NetworkModel", sample: Sample, others: Sequence[int]) -> list[Plan]:
    """The plans of all columns but `others`."""
    named = {j: family for family, at in named_families(sample.table.names, model.families) for j in at}
    families = {j: family for j, family in named.items() if j not in others}
    read = read_by(sample, {**families, **dict.fromkeys(others, Categorical())}, model.smoothing)
    return [plan for plan in read if not set(plan.columns) & set(others)]


def parted(plans: Sequence[Plan], columns: Sequence[int]) -> tuple[list[Plan], list[Plan]]:
    """The plans of these columns, and those of all others."""
    inside, outside = list[Plan](), list[Plan]()
    for plan in plans:
        kept = np.isin(plan.columns, columns)
        inside += [] if not kept.any() else [plan if kept.all() else plan.of(kept)]
        outside += [] if kept.all() else [plan if not kept.any() else plan.of(~kept)]
    return inside, outside


def tried(
    model: "NetworkModel", sample: Sample, families: Sequence[Plan], cut: Plan, together: bool
) -> Iterator[tuple[Sequence[Plan], Densities]]:
    """Densities that may be better than bins, of numbers by their families: of all but those whose family is bins too,
    and of those that are better for it one by one, in naive Bayes. If `together`, also one Gaussian of all numbers,
    and of these. `cut` has them in bins."""
    smooth = [plan for plan in families if not plan.family.has_edges]
    better = parted(smooth, _better(model, sample, smooth, cut))[0]
    ways: list[Sequence[Plan]] = [smooth, better]
    if together:
        ways += [_together(sample, families), _together(sample, better)]
    for at, plans in enumerate(ways):
        if plans and not any(_columns(plans) == _columns(other) for other in ways[at // 2 * 2 : at]):
            found = Densities.counted(plans, sample)
            with suppress(Degenerate):
                for block in found.blocks:
                    block.check_parameters(sample.classes.tolist())
                yield plans, found


def _columns(plans: Sequence[Plan]) -> list[int]:
    return sorted(j for plan in plans for j in plan.columns)


def _better(model: "NetworkModel", sample: Sample, families: Sequence[Plan], cut: Plan) -> list[int]:
    """The numbers, one after the other, whose family in place of their bins lowers the loss of naive Bayes."""
    (in_bins,) = count([cut], sample).blocks
    prior, some, parts = loo_parts(in_bins, model, sample)
    parts = np.maximum(parts, WORST)
    scores, at = parts.sum(axis=2), 0
    least, at = least_loss(prior, scores, some)
    found = []
    for block in Densities.counted(families, sample).blocks:
        by_family = block.family.loo_contributions(block, block.observe(unit_weights(some)))
        for position, j in enumerate(block.columns):
            own = parts[:, :, list(cut.columns).index(j)]
            exchanged = scores - own + np.maximum(by_family[:, :, position], WORST)
            loss, temperature = least_loss(prior, exchanged, some, at)
            if loss < least:
                scores, least, at = exchanged, loss, temperature
                found.append(j)
    return sorted(found)


def _together(sample: Sample, plans: Sequence[Plan]) -> list[Plan]:
    """One Gaussian for the numbers without a missing cell, and the plans of the others; none where there are fewer than
    two. It counts whole rows alone."""
    numbers = _columns(plans)
    if len(numbers) < 2:
        return []
    holes = np.isnan(sample.table.numbers(numbers, slice(None))).any(axis=0)
    whole = [j for j, missing in zip(numbers, holes.tolist(), strict=True) if not missing]
    if not 2 <= len(whole) <= MOST_TOGETHER:
        return []
    gaussian = Plan(MultivariateGaussian(), whole, Frame(names_of(sample.table, whole)))
    return [gaussian, *parted(plans, whole)[1]]


def is_density(block: Plan, kinds: Sequence[str]) -> bool:
    """Whether the block is one of numbers that have a density in the graph: no texts, no sparse columns."""
    return block.family.network is None and all(kinds[j] in ("bool", "int", "float") for j in block.columns)


def in_bins_or_categories(family: object) -> bool:
    """Whether a column that is read so can be part of the network."""
    return type(family) in (Categorical, Histogram)
