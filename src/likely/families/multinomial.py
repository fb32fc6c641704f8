"""How often each word occurs: a row is a bag of tokens drawn with the probabilities of its class."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from likely import _native
from likely.data.table import Kind
from likely.families import evidence
from likely.families.block import Block, Plan
from likely.families.cells import Array, Codes, check, csr, log_share, ratio, stored, terms, without
from likely.families.family import Domain, Family, Line, Observations, Parameter, Picture
from likely.families.formula import Cell, Polynomial, line
from likely.families.totals import totals
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame, Statistics, Totals

NEEDS = "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more"


@dataclass(frozen=True, eq=False)
class TokenWeights:
    """What one token more adds to the score, classes x tokens; and the mean length of a row of each class."""

    weights: Array
    length: Array

    @classmethod
    def of(cls, weights: Array, statistics: Totals) -> "TokenWeights":
        return cls(weights, ratio(statistics.total.sum(axis=1), statistics.seen.max(axis=1)))

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

    Parameters
    ----------
    prior : Prior, default `Laplace()`
        The prior of the shares of the tokens.

    See Also
    --------
    Complement : for classes of very different size.
    TextMultinomial : raw texts.
    Poisson : one count on its own.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Multinomial
    >>> nb = NaiveBayes(Multinomial()).fit([[3, 0], [2, 1], [0, 4]], ["a", "a", "b"])
    >>> nb.predict([[2, 0], [0, 2]]).tolist()
    ['a', 'b']
    """

    prior: Prior = Laplace()
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Totals,)
    auto: ClassVar[tuple[Kind, ...]] = ("sparse",)
    sparse: ClassVar[bool] = True
    independent: ClassVar[bool] = False
    domain: ClassVar[Domain] = "whole"
    lowest: ClassVar[float] = 0.0
    picture: ClassVar[Picture] = "shares"

    def for_kind(self, kind: Kind) -> Family:
        from likely.families.text_multinomial import TextMultinomial

        return TextMultinomial.named_as(self) if kind == "text" else self

    def count(self, seen: Observations, frame: Frame) -> Totals:
        return totals(seen, seen.cells, _native.NON_NEGATIVE, NEEDS)

    def estimate(self, block: Block) -> TokenWeights:
        above = block.statistics.total + self.pseudocounts(block)
        return TokenWeights.of(log_share(above, above.sum(axis=1, keepdims=True)), block.statistics)

    def pseudocounts(self, block: Block) -> Array:
        return self.prior.proportions(block.statistics.total.shape[1])

    def score(self, parameters: TokenWeights, cells: Any, out: Array) -> None:
        if isinstance(cells, np.ndarray):
            none, kind = parameters.none, _native.NON_NEGATIVE
            check(_native.score_linear(cells, kind, none, none, parameters.weights, None, out), cells, NEEDS)
        else:
            check(_native.csr_scores(*csr(cells), _native.NON_NEGATIVE, parameters.by_token, out), cells, NEEDS)

    def contributions(self, parameters: TokenWeights, cells: Any) -> Array:
        return terms(np.asarray(cells, np.float64)[:, None, :], parameters.weights)

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        return (Cell(plan.columns[at], low=0.0, needs=NEEDS),)

    def formula(self, block: Block) -> list[Polynomial]:
        return [line(self.cells(block, j)[0], 0.0, weight) for j, weight in enumerate(block.parameters.weights.T)]

    def loo(self, block: Block, seen: Observations) -> Array:
        x = np.asarray(seen.cells, np.float64)
        own = seen.weights[:, None] * np.nan_to_num(x)
        above = without(block.statistics.total[seen.y], own) + self.pseudocounts(block)
        return terms(x, log_share(above, above.sum(axis=1, keepdims=True)))

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        if isinstance(seen.cells, np.ndarray):
            super().loo_scores(block, seen, out)
            return
        y, total, pseudocounts = seen.y, block.statistics.total, self.pseudocounts(block)
        rows = np.arange(len(y))
        own = out[rows, y]
        self.score(block.parameters, seen.cells, out)
        (row, x), column = stored(seen.cells), seen.cells.indices
        counted = seen.weights[row] * x
        above = without(total[y[row], column], counted) + pseudocounts[column]
        below = without(total.sum(axis=1)[y], np.bincount(row, counted, len(y))) + pseudocounts.sum()
        out[rows, y] = own + np.bincount(row, terms(x, log_share(above, below[row])), len(y))

    def sample(self, parameters: TokenWeights, y: Codes, rng: "np.random.Generator") -> Array:
        """Rows whose length is sampled from a Poisson distribution with the mean length of the class."""
        share = self._shares(parameters)
        rows = [rng.multinomial(rng.poisson(parameters.length[k]), share[k]) for k in y]
        return np.array(rows, np.float64).reshape(len(y), share.shape[1])

    def describe(self, parameters: TokenWeights, frame: Frame) -> Iterator[Parameter]:
        share = self._shares(parameters)
        for j in range(len(frame.columns)):
            yield Parameter(j, "share of tokens", share[:, j])

    def parameter_count(self, block: Block) -> int:
        classes, tokens = block.statistics.total.shape
        return int(classes * (tokens - 1))

    def linear(self, parameters: TokenWeights, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        return Line(parameters.weights, np.zeros(len(parameters.weights)), columns)

    def parameter_posterior(self, block: Block, column: int) -> Beta:
        """The posterior of the share of one token: a marginal of the Dirichlet of all."""
        total = block.statistics.total
        prior = self.prior.dirichlet(total.shape[1])
        own, alpha = total[:, column], prior.alpha[column]
        return Beta(alpha, prior.alpha.sum() - alpha, prior.estimate).posterior(own, total.sum(axis=1) - own)

    def log_evidence(self, block: Block) -> Array:
        """The evidence of each token against all others. With only one token its share is 1, and the evidence 0."""
        total = block.statistics.total
        if total.shape[1] == 1:
            return np.zeros(total.shape)
        each = evidence.proper(self.prior, total.shape[1])
        return evidence.of_bits(total, total.sum(axis=1, keepdims=True) - total, each, each.sum() - each)

    def log_bayes_factor(self, block: Block) -> Array:
        """For each token against all others."""
        return evidence.factor_of_bits(block.statistics.total, block.statistics.total.sum(axis=1, keepdims=True))

    def _shares(self, parameters: TokenWeights) -> Array:
        share = np.exp(parameters.weights)
        share[~share.any(axis=1)] = 1.0  # a class without counts: uniform
        return np.asarray(share / share.sum(axis=1, keepdims=True))
