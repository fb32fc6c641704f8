"""Choosing what the user left open, by leave-one-out likelihood or log loss: no row is held back for it, and what has
many parameters cannot win by memorising.

Before rows are counted, `plans`: which family reads which column, in which bins or words (`families`), and which
columns and missing cells are informative (`columns`). Once they are counted, from the sums, `strengths`: priors,
shrinkage and scales (`strengths`), then how much each column counts (`column_weights`). What was chosen stays, whatever
is learned later, until `retune` is called.
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
    """The blocks in which a table will be counted."""
    found = read_by(sample, model.families, model.smoothing)
    found += informative_missingness(sample, model.missing, model.smoothing)
    return with_evidence(found, sample) if model.select == "auto" else tuple(found)


def strengths(model: "NaiveBayesModel", blocks: tuple[Block, ...], sample: Sample) -> tuple[Block, ...]:
    """The blocks, which have counted these rows, with all that is left open of them chosen."""
    blocks = tuple(smoothed(tuned(block, sample), sample) for block in blocks)
    return weighted(blocks, sample, model, lambda some: _chosen(model, some)) if model.weighs_columns else blocks


def _chosen(model: "NaiveBayesModel", sample: Sample) -> list[Block]:
    """The blocks that these rows choose of a model that has learned nothing, all weights 1."""
    sample = model.unlearned.marking_empty(sample)
    return [smoothed(tuned(block, sample), sample) for block in count(plans(model, sample), sample).blocks]
