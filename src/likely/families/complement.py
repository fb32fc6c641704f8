"""A bag of tokens judged by how badly it fits all other classes (Rennie, Shih, Teevan and Karger, 2003)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.families.family import Array, Codes, Parameter, log_share, per_row, stored, terms, without
from likely.families.multinomial import Multinomial, Weights, mean_length
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame, Totals


@dataclass(frozen=True, repr=False)
class Complement(Multinomial):
    """Score = sum of x_j w_j with w_j = -log q'_j, q' the shares of the tokens outside the class.

    What is outside a class is everything less its own, so nothing more is counted than for Multinomial. Steadier where
    classes differ in size. With `normalise` each class's weights are divided by their sum, as the paper does against
    classes with long rows. A score, not a likelihood: it compares classes, and a block of it does not describe data.
    """

    prior: Prior = Laplace()
    normalise: bool = False
    draws: ClassVar[bool] = False

    def estimate(self, statistics: Totals, frame: Frame) -> Weights:
        total = statistics.total
        others = total.sum(axis=0) - total + self.prior.proportions(total.shape[1])
        weights = -log_share(others, others.sum(axis=1, keepdims=True))
        if self.normalise:
            weights = normalised(weights, weights.sum(axis=1, keepdims=True))
        return Weights(weights, mean_length(statistics))

    def left_out(self, statistics: Totals, block: Any, y: Codes, weight: Array | None, frame: Frame) -> Array:
        # A row is no part of what lies outside its own class.
        weights = self.estimate(statistics, frame).weights[y]
        return terms(np.asarray(block, np.float64), weights)

    def score_left_out(
        self, statistics: Totals, block: Any, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        """Only the other classes change: the row was a part of what lies outside each of them."""
        rows, total = np.arange(len(y)), statistics.total
        own = out[rows, y]
        own_score = np.zeros_like(out)
        self.score(self.estimate(statistics, frame), block, own_score)
        imagined = self.prior.proportions(total.shape[1])
        others = total.sum(axis=0) - total
        if isinstance(block, np.ndarray):
            row, column = (at.astype(np.int32) for at in np.nonzero(np.nan_to_num(block)))
            x = np.asarray(block, np.float64)[row, column]
            w = np.broadcast_to(per_row(weight), (len(y), 1))[row, 0]
        else:
            row, x, w = stored(block, weight)
            column = block.indices
        lengths = np.bincount(row, w * x, len(y))
        for k in range(statistics.classes):
            below = without(others[k].sum(), lengths) + imagined.sum()
            above = without(others[k, column], w * x) + imagined[column]
            score = np.bincount(row, terms(x, -log_share(above, below[row])), len(y)).astype(np.float64)
            if self.normalise:
                # The sum of all weights, -log of each share: those of the row's own tokens change, and all by `below`.
                logs = log_share(others[k] + imagined, np.ones(1))
                change = log_share(above, np.ones(1)) - logs[column]
                whole = total.shape[1] * np.log(below) - logs.sum() - np.bincount(row, change, len(y))
                score = normalised(score, whole)
            out[:, k] += score
        out[rows, y] = own + own_score[rows, y]

    def describe(self, parameters: Weights, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "weight", parameters.weights[:, j])

    def sample(self, parameters: Weights, y: Codes, rng: "np.random.Generator") -> Array:
        raise TypeError("Complement compares classes and says nothing of rows to draw; use Multinomial")

    def posterior(self, statistics: Totals, frame: Frame, column: int) -> Beta:
        raise TypeError("Complement has weights, not probabilities with a posterior; use Multinomial")


def normalised(weights: Array, total: Array) -> Array:
    """Weights over their sum. Those of a single token, whose share is always 1, are 0 and stay so; one that is
    infinite stays so, and the others are nothing beside it.
    """
    finite = (np.abs(total) > 1e-12) & np.isfinite(total) & np.isfinite(weights)
    shares = np.divide(weights, total, out=np.zeros(weights.shape), where=finite)
    return np.where(np.isinf(weights), weights, shares)
