"""The scale of log p(x | y): one weight for all columns that are in the network or have a density."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from likely.families import Plan

P = TypeVar("P", bound=Plan)


def scalable(plans: Sequence[Plan]) -> bool:
    """Whether all these plans can have a weight: a Gaussian of several numbers cannot."""
    return all(plan.family.network is not None or plan.family.independent for plan in plans)


def scale(plans: Sequence[Plan]) -> float:
    """The scale that these plans have."""
    return max((float(plan.column_weights.max()) for plan in plans if plan.column_weights is not None), default=1.0)


def unscaled(plan: P) -> P:
    """The plan with weights of 0 and 1 alone."""
    if plan.column_weights is None:
        return plan
    used = (plan.column_weights > 0).astype(np.float64)
    return replace(plan, column_weights=None if used.all() else used)


def scaled(plan: P, scale: float) -> P:
    """The plan with this scale; it has none before."""
    if scale == 1:
        return plan
    weights = np.ones(len(plan.columns)) if plan.column_weights is None else plan.column_weights
    return replace(plan, column_weights=scale * weights)
