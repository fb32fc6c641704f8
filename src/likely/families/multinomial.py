"""How often each word occurs: a row is a bag of tokens drawn with the probabilities of its class."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from likely import _native
from likely.families.family import (
    Array,
    Codes,
    Family,
    Line,
    Parameter,
    check,
    csr,
    log_share,
    per_row,
    stored,
    terms,
    without,
)
from likely.families.poisson import totals
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame, Statistics, Totals

NEEDS = "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more"


@dataclass(frozen=True, eq=False)
class Weights:
    """What one more of each token adds to the score, and the mean length of a row."""

    weights: Array
    length: Array

    @cached_property
    def by_token(self) -> Array:
        return np.ascontiguousarray(self.weights.T)

    @cached_property
    def none(self) -> Array:
        return np.zeros_like(self.weights)


@dataclass(frozen=True, repr=False)
class Multinomial(Family):
    """log p(x | y) = sum of x_j log q_j, without the coefficient that is the same for all classes.

    Maximum likelihood is q_j = total_j / total; with Dirichlet(a), (total_j + a) / (total + a V) for V tokens.
    """

    prior: Prior = Laplace()
    sparse: ClassVar[bool] = True

    def count(self, block: Any, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Totals:
        return totals(block, y, classes, weight, _native.NON_NEGATIVE, NEEDS)

    def estimate(self, statistics: Totals, frame: Frame) -> Weights:
        above = statistics.total + self.prior.proportions(statistics.total.shape[1])
        return Weights(log_share(above, above.sum(axis=1, keepdims=True)), mean_length(statistics))

    def score(self, parameters: Weights, block: Any, out: Array) -> None:
        if isinstance(block, np.ndarray):
            none, kind = parameters.none, _native.NON_NEGATIVE
            check(_native.score_linear(block, kind, none, none, parameters.weights, None, out), block, NEEDS)
        else:
            check(_native.csr_scores(*csr(block), _native.NON_NEGATIVE, parameters.by_token, out), block, NEEDS)

    def contributions(self, parameters: Weights, block: Any) -> Array:
        return terms(np.asarray(block, np.float64)[:, None, :], parameters.weights)

    def left_out(self, statistics: Totals, block: Any, y: Codes, weight: Array | None, frame: Frame) -> Array:
        x, w = np.asarray(block, np.float64), per_row(weight)
        imagined = self.prior.proportions(statistics.total.shape[1])
        above = without(statistics.total[y], w * np.nan_to_num(x)) + imagined
        return terms(x, log_share(above, above.sum(axis=1, keepdims=True)))

    def score_left_out(
        self, statistics: Totals, block: Any, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        if isinstance(block, np.ndarray):
            super().score_left_out(statistics, block, y, weight, frame, out)
            return
        rows = np.arange(len(y))
        own = out[rows, y]
        self.score(self.estimate(statistics, frame), block, out)
        imagined = self.prior.proportions(statistics.total.shape[1])
        row, x, w = stored(block, weight)
        above = without(statistics.total[y[row], block.indices], w * x) + imagined[block.indices]
        below = without(statistics.total.sum(axis=1)[y], np.bincount(row, w * x, len(y))) + imagined.sum()
        out[rows, y] = own + np.bincount(row, terms(x, log_share(above, below[row])), len(y))

    def sample(self, parameters: Weights, y: Codes, rng: "np.random.Generator") -> Array:
        """Rows of a length drawn about the mean length of the class."""
        share = self._shares(parameters)
        drawn = [rng.multinomial(rng.poisson(parameters.length[k]), share[k]) for k in y]
        return np.array(drawn, np.float64).reshape(len(y), share.shape[1])

    def describe(self, parameters: Weights, frame: Frame) -> Iterator[Parameter]:
        share = self._shares(parameters)
        for j in range(len(frame.columns)):
            yield Parameter(j, "share of tokens", share[:, j])

    def free(self, statistics: Statistics, frame: Frame) -> int:
        return statistics.classes * (len(frame.columns) - 1)

    def linear(self, parameters: Weights, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        return Line(parameters.weights, np.zeros(len(parameters.weights)), columns)

    def posterior(self, statistics: Totals, frame: Frame, column: int) -> Beta:
        """Of the share of one token: the Dirichlet of all, seen from that token."""
        prior = self.prior.dirichlet(statistics.total.shape[1])
        own, alpha = statistics.total[:, column], prior.alpha[column]
        rest = statistics.total.sum(axis=1) - own
        return Beta(alpha, prior.alpha.sum() - alpha, prior.estimate).posterior(own, rest)

    def _shares(self, parameters: Weights) -> Array:
        share = np.exp(parameters.weights)
        share[~share.any(axis=1)] = 1.0  # nothing is known: all alike
        return np.asarray(share / share.sum(axis=1, keepdims=True))


def mean_length(statistics: Totals) -> Array:
    rows = statistics.seen.max(axis=1)
    return np.asarray(np.divide(statistics.total.sum(axis=1), rows, out=np.zeros(len(rows)), where=rows > 0))
