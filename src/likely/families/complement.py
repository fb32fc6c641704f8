"""Bags of tokens, scored by how badly they fit all other classes (Rennie, Shih, Teevan and Karger, 2003)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.data.table import Kind
from likely.families.block import Block
from likely.families.cells import Array, Codes, log_share, stored, terms, without
from likely.families.family import Family, Observations, Parameter
from likely.families.multinomial import Multinomial, TokenWeights
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame


@dataclass(frozen=True, repr=False)
class Complement(Multinomial):
    """Score = sum of x_j w_j with w_j = -log q'_j, q' the shares of the tokens outside the class.

    The tokens outside a class are all tokens minus its own, so it counts the same as Multinomial. Its estimates vary
    less when classes differ in size. With `normalise` each class's weights are divided by their sum, as in the paper,
    so that classes with long rows have no advantage. It is a score, not a likelihood: it compares classes and does not
    describe rows.

    Parameters
    ----------
    prior : Prior, default `Laplace()`
        The prior of the shares of the tokens outside a class.
    normalise : bool, default False
        Whether to divide the weights of each class by their sum.

    See Also
    --------
    Multinomial : the likelihood that it is made of.
    TextComplement : raw texts.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Complement
    >>> nb = NaiveBayes(Complement()).fit([[3, 0], [2, 1], [0, 4]], ["a", "a", "b"])
    >>> nb.predict([[2, 0], [0, 2]]).tolist()
    ['a', 'b']
    """

    prior: Prior = Laplace()
    normalise: bool = False
    auto: ClassVar[tuple[Kind, ...]] = ()
    generative: ClassVar[bool] = False

    def for_kind(self, kind: Kind) -> Family:
        from likely.families.text_complement import TextComplement

        return TextComplement.named_as(self) if kind == "text" else self

    def estimate(self, block: Block) -> TokenWeights:
        total = block.statistics.total
        others = total.sum(axis=0) - total + self.pseudocounts(block)
        weights = -log_share(others, others.sum(axis=1, keepdims=True))
        if self.normalise:
            weights = normalised(weights, weights.sum(axis=1, keepdims=True))
        return TokenWeights.of(weights, block.statistics)

    def loo(self, block: Block, seen: Observations) -> Array:
        # A row is not among the rows outside its own class, so nothing changes.
        return terms(np.asarray(seen.cells, np.float64), block.parameters.weights[seen.y])

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        """Only the scores of the other classes change: the row is among the rows outside each of them."""
        rows, y, total = np.arange(len(seen.y)), seen.y, block.statistics.total
        own = out[rows, y]
        own_score = np.zeros_like(out)
        self.score(block.parameters, seen.cells, own_score)
        pseudocounts, others = self.pseudocounts(block), total.sum(axis=0) - total
        if isinstance(seen.cells, np.ndarray):
            row, column = (at.astype(np.int32) for at in np.nonzero(np.nan_to_num(seen.cells)))
            x = np.asarray(seen.cells, np.float64)[row, column]
        else:
            (row, x), column = stored(seen.cells), seen.cells.indices
        counted = seen.weights[row] * x
        lengths = np.bincount(row, counted, len(y))
        for k in range(block.statistics.classes):
            below = without(others[k].sum(), lengths) + pseudocounts.sum()
            above = without(others[k, column], counted) + pseudocounts[column]
            score = np.bincount(row, terms(x, -log_share(above, below[row])), len(y)).astype(np.float64)
            if self.normalise:
                # The sum of all weights -log(above / below): `above` changes for the row's tokens, `below` for all.
                logs = log_share(others[k] + pseudocounts, np.ones(1))
                change = log_share(above, np.ones(1)) - logs[column]
                whole = total.shape[1] * np.log(below) - logs.sum() - np.bincount(row, change, len(y))
                score = normalised(score, whole)
            out[:, k] += score
        out[rows, y] = own + own_score[rows, y]

    def describe(self, parameters: TokenWeights, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "weight", parameters.weights[:, j])

    def sample(self, parameters: TokenWeights, y: Codes, rng: "np.random.Generator") -> Array:
        raise TypeError("Complement compares classes and does not describe rows to sample; use Multinomial")

    def parameter_posterior(self, block: Block, column: int) -> Beta:
        raise TypeError("Complement has weights, not probabilities with a posterior; use Multinomial")

    log_evidence = Family.log_evidence


def normalised(weights: Array, total: Array) -> Array:
    """Weights divided by their sum. The weight of a single token, whose share is always 1, stays 0. An infinite weight
    stays infinite, and the others become 0.
    """
    finite = (np.abs(total) > 1e-12) & np.isfinite(total) & np.isfinite(weights)
    shares = np.divide(weights, total, out=np.zeros(weights.shape), where=finite)
    return np.where(np.isinf(weights), weights, shares)
