"""Naive Bayes by the columns that depend on the class."""

from dataclasses import replace

import numpy as np

from likely.data.table import Table
from likely.families import Complement, Multinomial
from likely.families.family import Array, Codes
from likely.models.block import Plan
from likely.models.dependence import log_factors
from likely.models.naive_bayes import Learned, NaiveBayes, count


class Selecting(NaiveBayes):
    """Naive Bayes by the columns that have evidence: what has none is dropped when the first rows are learned."""

    def plans(self, table: Table, y: Codes, classes: int, weight: Array | None) -> tuple[Plan, ...]:
        plans = super().plans(table, y, classes, weight)
        if self.learned is not None:
            return plans
        counted = count(plans, table, np.arange(classes), y, weight)
        return tuple(block.plan for block in selected(counted).blocks)


def selected(known: Learned) -> Learned:
    """Without the columns that have more evidence against than for; one at least is kept, and what belongs together
    stays together.
    """
    factors = [log_factors(block) for block in known.blocks]
    best = max(float(of_block.max()) for of_block in factors)
    blocks = []
    for block, of_block in zip(known.blocks, factors, strict=True):
        together = block.family.joint or isinstance(block.family, (Multinomial, Complement))
        if together or block.statistics.present.shape[1] < block.frame.starts[-1]:
            blocks.append(block)
        elif (kept := (of_block > 0) | (of_block == best)).any():
            blocks.append(block.of(kept))
    return replace(known, blocks=tuple(blocks))
