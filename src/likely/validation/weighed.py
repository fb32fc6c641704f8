"""Finitely many hypotheses, weighed by the probability that they give to the rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data import Sample
from likely.families import Block
from likely.families.evidence import of_cells
from likely.models.class_prior import class_probabilities
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned
from likely.priors import Dirichlet
from likely.validation.curves import named
from likely.validation.learner import ModelLearner, learner


@dataclass(frozen=True, eq=False)
class Weighed:
    """Of each hypothesis, by name."""

    log_evidence: dict[str, float]
    """log p of the rows and their classes, whatever the parameters are."""
    log_likelihood: dict[str, float]
    """log p of them under the parameters learned."""
    probability: dict[str, float]
    """Of the hypothesis, given the rows: its prior times its evidence, over the sum of all."""

    @property
    def map(self) -> str:
        """The most probable hypothesis (maximum a posteriori)."""
        return max(self.probability, key=lambda name: (self.probability[name], self.log_evidence[name]))

    @property
    def ml(self) -> str:
        """The one under which the rows are most probable at its best (maximum likelihood): the largest one, often."""
        return max(self.log_likelihood, key=self.log_likelihood.__getitem__)

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [("hypothesis", "", "probability", "log evidence", "log likelihood")]
        for name in sorted(self.probability, key=lambda name: -self.log_evidence[name]):
            numbers = (
                f"{self.probability[name]:.4f}",
                f"{self.log_evidence[name]:.1f}",
                f"{self.log_likelihood[name]:.1f}",
            )
            lines.append((name, "", *numbers))
        return aligned(lines)


def weigh(
    models: Any, x: Any, y: Any, *, prior: Mapping[str, float] | None = None, sample_weight: Any = None
) -> Weighed:
    """Weighs naive Bayes models of one table, given by name or in a list: other families, other priors, other columns
    read together. `prior` is how probable each is beforehand; all alike if none is given.

    Evidence is exact for conjugate priors. A density is one per unit of the column, and so must its rival's be: do not
    weigh a Gaussian of whole numbers against their categories.
    """
    of = named(models)
    before = dict.fromkeys(of, 1.0) if prior is None else dict(prior)
    if set(before) != set(of) or not all(p >= 0 for p in before.values()) or not sum(before.values()) > 0:
        raise ValueError(f"prior is a number of 0 or more for each of {', '.join(of)}, not all of them 0")
    evidence, likelihood = dict[str, float](), dict[str, float]()
    for name, model in of.items():
        bound = learner(model, x, y, sample_weight)
        sample, w = bound.sample, bound.sample.weights
        learned = bound.learn(np.arange(len(sample))) if isinstance(bound, ModelLearner) else None
        if not isinstance(learned, NaiveBayesModel):
            raise TypeError(f"{name} has no evidence in closed form: only naive Bayes has")
        parts = [_of_block(block, sample, name) for block in learned.known.blocks]
        evidence[name] = sum(parts) + _of_classes(learned)
        own = learned.score(sample.table)[np.arange(len(sample)), sample.y]
        likelihood[name] = float((w[w > 0] * own[w > 0]).sum())
    with np.errstate(divide="ignore"):
        logs = np.array([np.log(before[name]) + evidence[name] for name in of])
    p = np.exp(logs - logs.max())
    return Weighed(evidence, likelihood, dict(zip(of, (p / p.sum()).tolist(), strict=True)))


def _of_block(block: Block, sample: Sample, name: str) -> float:
    try:
        logs = float(block.family.log_evidence(block).sum())
    except TypeError as error:
        raise TypeError(f"{name} reads {block.frame.columns[0]!r} as {error}") from None
    return logs + block.family.log_base(block.observe(sample))


def _of_classes(learned: NaiveBayesModel) -> float:
    """Of the classes themselves: where the prior is the frequencies, with a uniform prior over these."""
    prior, rows = learned.class_prior, learned.class_counts.astype(np.float64)
    if isinstance(prior, str) and prior == "frequencies":
        prior = Dirichlet(1.0)
    if isinstance(prior, Dirichlet):
        return float(of_cells(rows, prior.dirichlet(len(rows)).alpha))
    p = class_probabilities(prior, learned.classes, rows)
    return float((rows[rows > 0] * np.log(p[rows > 0])).sum())
