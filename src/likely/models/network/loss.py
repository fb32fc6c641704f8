"""The leave-one-out log loss of the class, by which networks are compared."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely import _native
from likely.data.sample import Array, Sample
from likely.families import Block
from likely.models.choosing.column_weights import shared_weight, unit_weights
from likely.models.class_prior import loo_log_prior

if TYPE_CHECKING:
    from likely.models.network.model import NetworkModel

Beside = Callable[[Sample], Array]
"""A function that returns the leave-one-out scores of some rows by blocks outside the network, in a new array."""

STRENGTHS = (1.0, 4.0, 16.0, 64.0, 256.0)
"""The strengths m of the smoothing to try."""

JUDGED = 4_000
"""The most rows that are scored leave-one-out."""

TEMPERATURES = tuple(2.0 ** (-at / 2) for at in range(9))
"""Factors of log p(x | y). Structures are compared at the best of them, so that over-confidence, which a scale mends,
does not decide."""


PAYS = 2.0
"""The nats, over all rows, that a scale of log p(x | y) must gain. Otherwise it is 1, and the posteriors of the network
are what it predicts."""


class ScoredRows(NamedTuple):
    """Rows scored without having been learned, or leave-one-out."""

    prior: Array
    """log p(y) of each row and class."""
    scores: Array
    """log p(x | y) of each row and class."""
    rows: Sample


def strengths(block: Block) -> list[Block]:
    """The block with each strength of smoothing to try; only itself if nothing is smoothed by parents."""
    family = block.family.network
    assert family is not None
    if not family.structure.cliques:
        return [block]
    return [replace(block, family=replace(family, strength=m)) for m in STRENGTHS]


def loss(block: Block | None, model: "NetworkModel", sample: Sample, beside: Beside | None = None) -> float:
    """The leave-one-out log loss of the class, on some of these rows. The block has counted all of them."""
    return least_loss(*scores_of(block, model, sample, beside))[0]


def _start(some: Sample, beside: Beside | None) -> Array:
    return np.zeros((len(some), len(some.classes))) if beside is None else beside(some)


def scores_of(block: Block | None, model: "NetworkModel", sample: Sample, beside: Beside | None = None) -> ScoredRows:
    """The leave-one-out scores of some of these rows. The block has counted all of them."""
    some = sample.at_most(JUDGED)
    scores = _start(some, beside)
    if block is not None:
        block.loo_scores(unit_weights(some), slice(None), scores)
    return ScoredRows(_log_prior(model, sample, some), scores, some)


def scale_of(judged: ScoredRows) -> float:
    """The factor of log p(x | y) to predict with; 1 unless another gains `PAYS`."""
    prior, scores, some = judged
    least, scale = scaled_loss(judged)
    gain = _log_loss(prior + scores, some) - least
    return scale if gain * some.weights.sum() > PAYS else 1.0


def scaled_loss(judged: ScoredRows) -> tuple[float, float]:
    """The least loss, and its scale."""
    prior, scores, some = judged
    scale = float(shared_weight(scores[:, :, None], prior, some)[0])
    return _log_loss(prior + scale * scores, some), scale


def _log_prior(model: "NetworkModel", sample: Sample, some: Sample) -> Array:
    rows = sample.class_weights if sample.weight is not None else sample.class_weights.astype(np.int64)
    return loo_log_prior(model.class_prior, sample.classes, rows, some.y, unit_weights(some).weight)


def loo_parts(block: Block, model: "NetworkModel", sample: Sample) -> tuple[Array, Sample, Array]:
    """The log prior of some rows, these rows, and what each column adds to their scores: leave-one-out."""
    some = sample.at_most(min(JUDGED, max(200, 8_000_000 // (len(block.columns) * len(sample.classes)))))
    parts = block.family.loo_contributions(block, block.observe(unit_weights(some)))
    return _log_prior(model, sample, some), some, parts


def by_column(block: Block, model: "NetworkModel", sample: Sample, order: Any, beside: Beside | None = None) -> Array:
    """The loss with the first, the first two ... columns in this order."""
    prior, some, parts = loo_parts(block, model, sample)
    scores, at, found = _start(some, beside), 0, []
    for j in order:
        scores += parts[:, :, j]
        least, at = least_loss(prior, scores, some, at)
        found.append(least)
    return np.array(found)


def least_loss(prior: Array, scores: Array, sample: Sample, start: int = 0) -> tuple[float, int]:
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
