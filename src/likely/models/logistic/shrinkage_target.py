"""Naive Bayes as the target of shrinkage: its log-odds as an offset of the scores, learned from all or some of the
rows; and its weights and bias."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from likely.data.sample import Array, Sample
from likely.limits import Feature
from likely.models.learned import count
from likely.models.logistic.design import Design
from likely.models.logistic.honest_loss import Mask
from likely.models.naive_bayes import NaiveBayesModel

IMPOSSIBLE = 50.0
"""A score of minus infinity becomes the least finite score of the row minus this."""


def scores_to_learn_from(generative: NaiveBayesModel, sample: Sample) -> Array:
    """Scores of naive Bayes for the rows that weights are learned from. If it has as many parameters as rows, as with
    texts, scores are leave-one-out: otherwise a row's own counts leave no loss to learn from. (Reuters R52 at C = 10:
    accuracy 0.93, and 0.90 with each row in its own counts; `python -m bench accuracy --only many_classes`.) The only
    row of a class is scored with its own counts.
    """
    return left_out_scores(generative, sample) if knows_rows(generative) else generative.score(sample.table)


def loo_change(generative: NaiveBayesModel, sample: Sample) -> Array:
    """The change of the log-odds that weights were learned with, if naive Bayes leaves each row out."""
    return log_odds(left_out_scores(generative, sample)) - log_odds(scores_to_learn_from(generative, sample))


def left_out_scores(generative: NaiveBayesModel, sample: Sample) -> Array:
    """Leave-one-out scores; the only row of a class is scored with its own counts."""
    scores = generative.loo_scores(sample)
    alone = np.flatnonzero(~np.isfinite(scores).all(axis=1))
    if len(alone):
        with_itself = generative.score(sample.table.take(alone))
        scores[alone] = np.where(np.isfinite(scores[alone]), scores[alone], with_itself)
    return scores


def knows_rows(generative: NaiveBayesModel) -> bool:
    """Whether naive Bayes has as many parameters as it has learned rows."""
    parameters = sum(block.family.parameter_count(block) for block in generative.blocks)
    return parameters >= float(np.sum(generative.class_counts))


def log_odds(scores: Array) -> Array:
    """The scores of naive Bayes as an offset: with two classes their difference, rows x 1; else minus their mean."""
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores).all(axis=1)))
        raise ValueError(
            f"row {row} is impossible in some class under naive Bayes, which leaves nothing to shrink to; give the "
            "families a prior"
        )
    if scores.shape[1] == 2:
        return np.asarray(scores[:, 1:] - scores[:, :1])
    return np.asarray(scores - scores.mean(axis=1, keepdims=True))


def log_odds_without(generative: NaiveBayesModel, sample: Sample) -> Callable[[Mask], Array]:
    """A function that gives the log-odds of naive Bayes when it has not learned the hidden rows. If all rows of a class
    are hidden, its log-odds are very low, but finite."""

    def without(hidden: Mask) -> Array:
        visible = sample.weighing(np.where(hidden, 0.0, sample.weights))
        scores = scores_to_learn_from(replace(generative, learned=count(generative.blocks, visible)), visible)
        there = np.isfinite(scores)
        least = np.min(scores, axis=1, keepdims=True, where=there, initial=0.0)
        return log_odds(np.where(there, scores, least - IMPOSSIBLE))

    return without


class NaiveBayesTerms(NamedTuple):
    """Naive Bayes as weights and bias: `weights` of the features of a design, `own` of the `features` that only naive
    Bayes has."""

    weights: Array
    own: Array
    features: list[Feature]
    bias: Array


def naive_bayes_terms(generative: NaiveBayesModel | None, features: Design, classes: int) -> NaiveBayesTerms:
    """The terms of naive Bayes; all 0 if `generative` is None."""
    outputs = 1 if classes == 2 else classes
    if generative is None:
        return NaiveBayesTerms(np.zeros((outputs, features.size)), np.zeros((outputs, 0)), [], np.zeros(outputs))
    weights, own, bias = np.zeros((classes, features.size)), [np.zeros((classes, 0))], generative.log_prior()
    names: list[Feature] = []
    for block in generative.blocks:
        line = block.family.natural(block.parameters, block.frame)
        assert line is not None, "design refuses families that have none"
        start, bias = features.start(block), bias + line.bias
        if start is None:
            own.append(line.weights)
            names += [(block.frame.columns[j], block.frame.value_of(j, cell)) for j, cell in line.features]
        else:
            weights[:, start : start + line.weights.shape[1]] = line.weights
    apart = np.hstack(own)
    if classes == 2:
        weights, apart, bias = weights[1:] - weights[:1], apart[1:] - apart[:1], bias[1:] - bias[:1]
    return NaiveBayesTerms(weights, apart, names, bias)
