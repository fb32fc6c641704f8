"""Which columns are informative, and in which columns missing cells are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from likely.data.sample import Sample
from likely.families import Missing, Plan
from likely.models.choosing.families import ROWS
from likely.models.learned import count
from likely.priors import Prior
from likely.statistics import Frame

MissingCells = Literal["ignore", "value", "auto"]


def informative_missingness(sample: Sample, missing: MissingCells, smoothing: Prior | None) -> list[Plan]:
    """A plan for the columns whose missing cells are informative. "value" takes all columns, "ignore" none. "auto"
    takes those where missing cells have a higher leave-one-out likelihood with a probability for each class than with
    one for all.
    """
    if missing not in ("ignore", "value", "auto"):
        raise ValueError(f"missing is 'ignore', 'value' or 'auto', not {missing!r}")
    kinds, names = sample.table.kinds, sample.table.names
    columns = [j for j, kind in enumerate(kinds) if kind != "sparse"]
    if missing == "ignore" or not columns:
        return []
    plan = Plan(Missing.smoothed_by(smoothing), columns, Frame([f"{names[j]} missing" for j in columns]))
    if missing == "value":
        return [plan]
    sampled = sample.at_most(ROWS)
    together = replace(sampled, classes=sampled.classes[:1], y=np.zeros_like(sampled.y))
    blocks = [(plan.count(each), each) for each in (sampled, together)]
    apart, alike = (block.family.loo_total(block, block.observe(each)) for block, each in blocks)
    kept = apart > alike
    return [plan.of(kept)] if kept.any() else []


def with_evidence(plans: Sequence[Plan], sample: Sample) -> tuple[Plan, ...]:
    """The plans without the columns that have more evidence against than for a dependence on the class. At least one
    column is kept, and blocks of columns that vary together are kept whole.
    """
    blocks = count(plans, sample).blocks
    factors = [block.family.log_bayes_factor(block) for block in blocks]
    best = max(float(of_block.max()) for of_block in factors)
    informative = []
    for block, plan, of_block in zip(blocks, plans, factors, strict=True):
        kept = (of_block > 0) | (of_block == best)
        if not plan.family.independent or block.statistics.present.shape[1] < block.frame.starts[-1]:
            informative.append(plan)
        elif kept.any():
            informative.append(plan.of(kept))
    return tuple(informative)
