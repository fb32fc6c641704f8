"""Finitely many hypotheses, weighed by the probability that they give to the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from likely.data import Sample
from likely.families import Block
from likely.families.evidence import of_cells
from likely.models.class_prior import class_probabilities
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned
from likely.priors import Dirichlet
from likely.tabular import Cells, Tabular
from likely.typing import ClassifiersLike, LabelsLike, TableLike, WeightsLike
from likely.validation.curves import named
from likely.validation.learner import ModelLearner, learner


@dataclass(frozen=True, eq=False)
class Weighed(Tabular):
    """Hypotheses compared: the posterior probability, evidence and likelihood of each.

    See Also
    --------
    weigh : makes it.
    """

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
        """The hypothesis with the highest likelihood at its best parameters (maximum likelihood): often the one with
        most parameters."""
        return max(self.log_likelihood, key=self.log_likelihood.__getitem__)

    def cells(self) -> Cells:
        """The hypotheses, the one with the highest evidence first."""
        names = sorted(self.probability, key=lambda name: -self.log_evidence[name])
        figures = {"log evidence": self.log_evidence, "log likelihood": self.log_likelihood}
        figures = {"probability": self.probability, **figures}
        return {"hypothesis": names, **{title: [of[name] for name in names] for title, of in figures.items()}}

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
    models: ClassifiersLike,
    x: TableLike,
    y: LabelsLike,
    *,
    prior: Mapping[str, float] | None = None,
    sample_weight: WeightsLike = None,
) -> Weighed:
    """The posterior probability of each of several naive Bayes models, given the rows.

    The models may differ in families, in priors, or in which columns are read together. Evidence is exact for conjugate
    priors. A density is per unit of the column, so compare densities with densities: do not weigh a Gaussian of whole
    numbers against their categories.

    Parameters
    ----------
    models : classifier, list of them, or dict from name to classifier
        Likely's, or any of scikit-learn's. Their parameters are used, not what they may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    prior : dict from name to number, optional
        The prior probability of each model; all alike by default.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.

    Returns
    -------
    Weighed
        The log evidence, log likelihood and posterior probability of each model.

    See Also
    --------
    relevance : evidence column by column.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> from likely.families import Gaussian, Histogram
    >>> from likely.validation import weigh
    >>> table = animals()
    >>> hypotheses = {"normal": NaiveBayes(Gaussian()), "bins": NaiveBayes(Histogram())}
    >>> weigh(hypotheses, table[["shoulder_cm"]], table["animal"]).map
    'normal'
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
