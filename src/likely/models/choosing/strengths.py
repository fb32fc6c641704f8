"""The choice of the strength of priors, the shrinkage of covariances and the scale of words, by leave-one-out."""

from dataclasses import replace

import numpy as np

from likely.data.sample import Sample
from likely.families import Block, Family
from likely.families.block import naming
from likely.priors import Auto

ROWS = 2_000
"""Rows used to choose a strength. (Categories and bins need none: their counts give the leave-one-out likelihood.)"""


def tuned(block: Block, sample: Sample) -> Block:
    """The block, which has counted these rows, with the open options of its family chosen by some of them."""
    rows = block.family.tuning_rows(block.frame)
    if not rows:
        return block
    sampled = sample.at_most(rows)
    with naming(block.frame, 0, max(1, -(-len(sample) // rows))):
        return replace(block, family=block.family.tuned(block, block.observe(sampled)))


def smoothed(block: Block, sample: Sample) -> Block:
    """The block with the prior's strength of the highest leave-one-out likelihood, if the prior is `Auto`. All columns
    of the block share one strength."""
    if not isinstance(block.family.prior, Auto):
        return block
    with naming(block.frame, 0, max(1, -(-len(sample) // ROWS))):
        seen = block.observe(sample.at_most(ROWS))
        trials = [replace(block, family=_with(block, Auto(strength))) for strength in Auto.GRID]
        logs = [trial.family.loo_log_likelihood(trial, seen) for trial in trials]
    prior = Auto(Auto.GRID[int(np.argmax(logs))], tuple(zip(Auto.GRID, logs, strict=True)))
    return replace(block, family=_with(block, prior))


def _with(block: Block, prior: Auto) -> Family:
    return replace(block.family, prior=prior)  # type: ignore[type-var]
