"""Families whose columns can count more or less than once: their score is the sum of w_j log p(x_j | y)."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely import _native
from likely.families.family import Array, Codes, Family
from likely.statistics import Frame


class Weighable(Family):
    """Its parameters have a field `weights`, None where every column counts once. Scores, contributions and lines go by
    it; what is described and what is drawn does not."""

    def parameters(self, statistics: Any, frame: Frame, weights: Array | None) -> Any:
        """What is estimated, to be scored with these weights."""
        found = self.estimate(statistics, frame)
        return found if weights is None else replace(found, weights=weights)

    def score_left_out(
        self,
        statistics: Any,
        block: Any,
        y: Codes,
        weight: Array | None,
        frame: Frame,
        out: Array,
        weights: Array | None = None,
    ) -> None:
        before = out[np.arange(len(y)), y]
        self.score(self.parameters(statistics, frame, weights), block, out)
        _native.put_own_scores(self.left_out(statistics, block, y, weight, frame), weights, y, before, out)

    def contributions_left_out(
        self, statistics: Any, block: Any, y: Codes, weight: Array | None, frame: Frame
    ) -> Array:
        """What each cell adds to each class's score, counted once, as if the row had never been: as `contributions`."""
        parts = np.array(self.contributions(self.estimate(statistics, frame), block))
        parts[np.arange(len(y)), y] = self.left_out(statistics, block, y, weight, frame)
        return parts
