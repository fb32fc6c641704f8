"""Choosing the options that you left open, by leave-one-out likelihood or log loss. No rows are held out for it, and a
choice with many parameters cannot win by memorising.

`plans` chooses before rows are counted: the family, bins or words of each column (`families`), and which columns and
missing cells are informative (`columns`). `strengths` chooses afterwards, from the statistics: priors, shrinkage and
scales (`strengths`), then the weight of each column (`column_weights`). Later rows don't change these choices; `retune`
does.
"""

from typing import TYPE_CHECKING

from likely.data.sample import Sample
from likely.families import Block, Plan
from likely.models.choosing.column_weights import weighted
from likely.models.choosing.columns import informative_missingness, with_evidence
from likely.models.choosing.families import read_by
from likely.models.choosing.strengths import smoothed, tuned
from likely.models.learned import count

if TYPE_CHECKING:
    from likely.models.naive_bayes import NaiveBayesModel

__all__ = ["plans", "strengths"]


def plans(model: "NaiveBayesModel", sample: Sample) -> tuple[Plan, ...]:
    """The plans by which a table is counted."""
    chosen = read_by(sample, model.families, model.smoothing)
    chosen += informative_missingness(sample, model.missing, model.smoothing)
    return with_evidence(chosen, sample) if model.select == "auto" else tuple(chosen)


def strengths(model: "NaiveBayesModel", blocks: tuple[Block, ...], sample: Sample) -> tuple[Block, ...]:
    """The blocks, which have counted these rows, with their open options chosen."""
    blocks = tuple(smoothed(tuned(block, sample), sample) for block in blocks)
    return weighted(blocks, sample, model, lambda some: _chosen(model, some)) if model.weighs_columns else blocks


def _chosen(model: "NaiveBayesModel", sample: Sample) -> list[Block]:
    """The blocks that these rows choose of a model that has learned nothing, all weights 1."""
    sample = model.unlearned.marking_empty(sample)
    return [smoothed(tuned(block, sample), sample) for block in count(plans(model, sample), sample).blocks]
