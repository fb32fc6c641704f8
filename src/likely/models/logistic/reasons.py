"""Why a row gets its scores: the bias and what each column or word adds, with what naive Bayes says."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.table import Table
from likely.families.family import Array
from likely.models.explain import Explanation, Explanations, Reason, Reasons
from likely.models.logistic.design import Absences, Numbers, Others, Piece
from likely.models.logistic.regression import LogisticRegression


class LogisticExplanation(Explanations):
    """Of logistic regression. A number adds nothing at its mean, and of two classes the first has the score 0."""

    def __init__(self, model: LogisticRegression, table: Table) -> None:
        table.must_have(model.names)
        self.model, self.table = model, table
        trusted = model.generative if model.trust > 0 else None
        self.generative = None if trusted is None else Explanation(trusted, table)

    def _of(self, row: int) -> Reasons:
        model = self.model
        found: dict[Any, Reason] = {}
        bias = self._of_classes(model.solution.bias)
        if self.generative is not None:
            theirs = self.generative[row]
            bias = bias + model.trust * theirs.prior
            for reason in theirs.reasons:
                found[reason.column] = replace(reason, contributions=model.trust * reason.contributions)
        at = 0
        for piece in model.design.pieces:
            cells = piece.read(self.table, slice(row, row + 1))
            if isinstance(cells, np.ndarray):
                there = np.flatnonzero(cells[0])
                features = zip(there.tolist(), cells[0, there].tolist(), strict=True)
            else:
                features = zip(cells.indices.tolist(), cells.data.tolist(), strict=True)
            weights = model.solution.weights[:, at : at + piece.size]
            at += piece.size
            for j, x in features:
                name, value = self._told(piece, j, x)
                parts = self._of_classes(weights[:, j] * x)
                before = found.get(name)
                if before is not None:
                    value, parts = before.value, parts + before.contributions
                found[name] = Reason(name, value, parts)
        return Reasons(model.classes, bias, list(found.values()), "bias")

    def _told(self, piece: Piece, j: int, x: float) -> tuple[Any, Any]:
        """What a feature is called, and what there is of it."""
        column, value = piece.features[j]
        if isinstance(piece, Absences):
            return f"{column} missing", True
        if isinstance(piece, Numbers):
            at = j % len(piece.means)
            z = x if j < len(piece.means) else np.nan
            return column, float(z * piece.scales[at] + piece.means[at])
        if isinstance(piece, Others) and piece.block.family.reads == "text":
            return value if len(self.model.names) == 1 else f"{column}: {value}", x
        return column, x if value is None else value

    def _of_classes(self, outputs: Array) -> Array:
        """One score of two classes as that of the second."""
        return np.array([0.0, outputs[0]]) if len(outputs) == 1 else outputs
