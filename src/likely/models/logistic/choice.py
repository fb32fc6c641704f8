"""The choice of the open options of a logistic regression: features, C, and the scale of the naive Bayes log-odds."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.data.sample import Sample
from likely.families import Plan
from likely.models.choosing.families import read_by
from likely.models.choosing.named import names_none
from likely.models.learned import count
from likely.models.logistic.blend import NODES, ROWS, Candidates, Chosen, Pairs, choose_blend, remembered
from likely.models.logistic.design import READINGS, ChosenReading, Design, design, read_as, sparse_design
from likely.models.logistic.grid import GridAxis, axes_of, products_of, surfaces
from likely.models.logistic.options import numbers_as_they_are, positions_of
from likely.models.logistic.shrinkage_target import log_odds, log_odds_without, scores_to_learn_from
from likely.models.logistic.strength import NB_SCALES, Tried, choose
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax import SoftmaxRows, rows_of

if TYPE_CHECKING:
    from likely.models.logistic.regression import LogisticModel


@dataclass(frozen=True)
class Choice:
    """The open options of a model, and the sample to choose them by; with a naive Bayes model of the sample, if weights
    are shrunk towards it."""

    model: "LogisticModel"
    sample: Sample
    generative: NaiveBayesModel | None

    def made(self) -> Chosen:
        """The chosen options; options that are not open stay as they are."""
        if self._blends and self._axes:
            return choose_blend(self.sample, self._candidates())
        model, features = self.model, self._design(self.model.reading, (), self.model.products)
        if model.candidates is not None and len(model.candidates) == 1:
            return Chosen(features, Tried(model.candidates[0], np.nan, model.nb_scale, model.reading), [])
        rows = rows_with(features, self.generative, self.sample)
        if model.limits:  # errors in the limits are raised before C is chosen
            from likely.models.logistic.constraints import dense_of, named

            rows = dense_of(rows)
            named(model.limits, features.features, self.sample.classes.tolist())
        nb_scales = NB_SCALES if model.shrink_to and model.candidates is None else NB_SCALES[:1]
        without = None if self.generative is None else log_odds_without(self.generative, self.sample)
        best, start, tried = choose(rows, model.candidates, nb_scales, without, model.time_ordered)
        return Chosen(features, best, tried, start)

    @property
    def _blends(self) -> bool:
        """Whether to choose readings and pairs too."""
        model = self.model
        open_ = model.candidates is None and not model.limits and not model.time_ordered
        return self.generative is not None and open_

    @cached_property
    def _named_pairs(self) -> Pairs:
        pairs = self.model.interactions
        return [] if isinstance(pairs, str) else [positions_of(self.sample.table, pair) for pair in pairs]

    @cached_property
    def _axes(self) -> dict[int, GridAxis]:
        """The axes of the columns that have interactions, or may have them."""
        paired = sorted({j for pair in self._named_pairs for j in pair})
        every = self._blends or self.model.products
        return axes_of(self.sample, range(len(self.sample.table.names)) if every else paired, NODES)

    def _candidates(self) -> Candidates:
        assert self.generative is not None
        generative, sampled = self.generative, self.sample.at_most(ROWS)
        numeric = any(axis.numeric for axis in self._axes.values())
        return Candidates(
            self._design,
            lambda features: rows_with(features, generative, sampled),
            remembered(log_odds_without(generative, sampled)),
            READINGS if names_none(self.model.families) and numeric else ("family",),
            self._axes if self.model.interactions == "auto" else {},
        )

    def _design(self, reading: ChosenReading, pairs: Pairs = (), products: bool = False) -> Design:
        """The features of this reading, of the pairs that you named, of `pairs`, and the products of every two numbers
        if `products`."""
        model, sample, axes = self.model, self.sample, self._axes
        named = [(a, b) for a, b in self._named_pairs if a in axes and b in axes]  # constant columns have no axis
        grids = [surfaces(axes, [*named, *pairs])] if named or pairs else []
        grids += [products_of([axis for axis in axes.values() if axis.numeric])] if products else []
        if self.generative is not None:
            counted, more = read_as(reading, self.generative.known, sample)
            return design(counted, len(sample), model.standardize, model.missing, [*more, *grids])
        if model.families is None and set(sample.table.kinds) == {"sparse"}:
            return sparse_design(sample.table.names)
        counted = count(feature_plans(model, sample), sample)
        counted.refuse_incomplete()
        counted.warn_of_empty()
        return design(counted, len(sample), model.standardize, model.missing, grids)


def feature_plans(model: "LogisticModel", sample: Sample) -> list[Plan]:
    """The plans of columns if weights are not shrunk towards naive Bayes."""
    return read_by(sample, numbers_as_they_are(sample.table, model.families), model.smoothing)


def rows_with(features: Design, generative: NaiveBayesModel | None, sample: Sample) -> SoftmaxRows:
    """The rows for the solver, with the log-odds of naive Bayes as their offset."""
    x, means, scales = features.matrix(sample.table, slice(0, len(sample)))
    offset = None if generative is None else log_odds(scores_to_learn_from(generative, sample))
    return rows_of(x, sample.y, len(sample.classes), sample.weight, means, scales, offset, offset is not None)
