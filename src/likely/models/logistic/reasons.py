"""Why a row gets its scores: the bias and what each column or word adds, with what naive Bayes adds."""

from typing import Any

import numpy as np

from likely.data.sample import Array
from likely.data.table import Table
from likely.families.family import Reason
from likely.models.explain import Explanation, Explanations, Reasons
from likely.models.logistic.regression import LogisticModel


class LogisticExplanation(Explanations):
    """Of logistic regression. A number adds nothing at its mean, and of two classes the first has the score 0."""

    def __init__(self, model: LogisticModel, table: Table) -> None:
        table.must_have(model.names)
        self.model, self.table, known = model, table, model.known
        scored = known.generative if known.nb_scale > 0 else None
        self.generative = None if scored is None else Explanation(scored, table)

    def _of(self, row: int) -> Reasons:
        known, found = self.model.known, dict[Any, Reason]()
        bias = self._of_classes(known.solution.bias)
        if self.generative is not None:
            theirs = self.generative[row]
            bias = bias + known.nb_scale * theirs.prior
            for reason in theirs.reasons:
                found[reason.column] = reason._replace(contributions=known.nb_scale * reason.contributions)
        at, alone = 0, len(known.names) == 1
        for piece in known.design.pieces:
            weights = known.solution.weights[:, at : at + piece.size]
            at += piece.size
            for name, value, outputs in piece.reasons(self.table, row, weights, alone):
                parts, before = self._of_classes(outputs), found.get(name)
                if before is not None:
                    value, parts = before.value, parts + before.contributions
                found[name] = Reason(name, value, parts)
        return Reasons(self.model.classes, bias, list(found.values()), "bias")

    def _of_classes(self, outputs: Array) -> Array:
        """One score of two classes as that of the second."""
        return np.array([0.0, outputs[0]]) if len(outputs) == 1 else outputs
