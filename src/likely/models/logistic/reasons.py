"""Why a row gets its scores: the bias and what each column or word adds, including the part of naive Bayes."""

from dataclasses import replace

import numpy as np

from likely.data.sample import Array
from likely.data.table import Table
from likely.families.effects import Effects, joined
from likely.models.explain import Explanation, Explanations
from likely.models.logistic.regression import LogisticModel


class LogisticExplanation(Explanations):
    """The explanations of logistic regression. A number at its mean adds 0; with two classes, the first has the
    score 0."""

    begins = "bias"

    def __init__(self, model: LogisticModel, table: Table) -> None:
        table.must_have(model.names)
        self.model, self.table, self.classes, known = model, table, model.classes, model.known
        scored = known.generative if known.nb_scale > 0 else None
        self.generative = None if scored is None else Explanation(scored, table)

    def effects(self, rows: slice) -> Effects:
        known, effects = self.model.known, list[Effects]()
        if self.generative is not None:
            theirs = self.generative.effects(rows)
            effects.append(replace(theirs, adds=known.nb_scale * theirs.adds))
        at, alone = 0, len(known.names) == 1
        for piece in known.design.pieces:
            weights = known.solution.weights[:, at : at + piece.size]
            at += piece.size
            theirs = piece.effects(self.table, rows, weights, alone)
            effects.append(replace(theirs, adds=self._of_classes(theirs.adds)))
        return joined(effects)

    @property
    def prior(self) -> Array:
        bias = self._of_classes(self.model.known.solution.bias[None])[0]
        scaled = 0.0 if self.generative is None else self.model.known.nb_scale * self.generative.prior
        return np.asarray(bias + scaled)

    def _of_classes(self, outputs: Array) -> Array:
        """Scores for all classes: with two classes there is one output, the score of the second; the first has 0."""
        return np.column_stack([np.zeros(len(outputs)), outputs]) if outputs.shape[1] == 1 else outputs
