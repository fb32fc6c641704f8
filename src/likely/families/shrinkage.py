"""What a covariance may be, and how far it is shrunk towards simpler ones."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Literal, Self

import numpy as np

from likely.families.block import Block
from likely.families.covariance import Shrinkage
from likely.families.family import Family, Observations
from likely.optimize.grid import downhill
from likely.statistics import Frame

Covariance = Literal["full", "tied", "diagonal", "spherical"]

GRID = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
"""What "auto" tries of each amount that is free."""

UNTUNED = Shrinkage(0.1, 0.1)
"""What "auto" stands for until rows have been seen."""

TUNED_ROWS = 10_000
TUNED_WORK = 2e8
"""Each row costs columns^3 for each pair of amounts, so with many columns shrinkage is tuned by fewer rows."""


@dataclass(frozen=True, repr=False)
class ShrunkCovariance(Family):
    """`covariance` says what each class's may be: "full" of its own, "tied" one for all classes, "diagonal" of
    independent columns, "spherical" the same variance in all columns. `shrinkage` mixes them.
    """

    made_of: ClassVar[tuple[type, ...]] = (Shrinkage,)

    covariance: Covariance = "full"
    shrinkage: float | tuple[float, float] | Literal["auto"] = "auto"
    tuned_to: Shrinkage | None = field(default=None, compare=False, kw_only=True)
    """What "auto" has found; of two models that are merged it may differ, and then it is the first's."""

    def __post_init__(self) -> None:
        if self.covariance not in ("full", "tied", "diagonal", "spherical"):
            raise ValueError(f"the covariance is 'full', 'tied', 'diagonal' or 'spherical', not {self.covariance!r}")
        if isinstance(self.shrinkage, str):
            if self.shrinkage != "auto":
                raise ValueError(f"shrinkage is a number, a pair of numbers or 'auto', not {self.shrinkage!r}")
            return
        given = np.asarray(self.shrinkage, np.float64)
        if given.shape not in ((), (2,)) or not ((given >= 0) & (given <= 1)).all():
            raise ValueError(f"shrinkage is a number from 0 to 1, a pair of them or 'auto', not {self.shrinkage!r}")
        object.__setattr__(self, "shrinkage", tuple(given.tolist()) if given.ndim else given.item())

    @property
    def amounts(self) -> Shrinkage:
        if isinstance(self.shrinkage, str):
            return self._corner(self.tuned_to or UNTUNED)
        if isinstance(self.shrinkage, tuple):
            return self._corner(Shrinkage(*self.shrinkage))
        one = self.shrinkage
        return self._corner(Shrinkage(0.0, one) if self.covariance == "tied" else Shrinkage(one, 0.0))

    def _corner(self, amounts: Shrinkage) -> Shrinkage:
        """Within what the covariance may be."""
        if self.covariance == "tied":
            return Shrinkage(1.0, amounts.diagonal)
        return amounts if self.covariance == "full" else Shrinkage(amounts.tied, 1.0)

    @property
    def matrices(self) -> bool:
        """Whether products of columns are counted, and not squares alone."""
        return self.covariance in ("full", "tied")

    def tuning_rows(self, frame: Frame) -> int:
        if self.shrinkage != "auto":
            return 0
        work = float(len(frame.columns)) ** (3 if self.matrices else 1)
        return int(np.clip(TUNED_WORK / work, 200, TUNED_ROWS))

    @abstractmethod
    def loo_sum(self, block: Block, seen: Observations) -> float:
        """The log probability of these rows given their classes. A row that weighs w is w rows, each left out."""

    def tuned(self, block: Block, seen: Observations) -> Self:
        """With the shrinkage of the highest leave-one-out likelihood of these rows: on the grid, uphill by turns in
        either amount. All 49 pairs chose the same on the tables of `python -m bench accuracy --only tables`, and took
        four times as long."""

        @cache
        def cost(amounts: Shrinkage) -> float:
            return -replace(self, tuned_to=amounts).loo_sum(block, seen)

        best, before = self._corner(UNTUNED), None
        while best != before:
            before = best
            for amount in ("tied", "diagonal"):
                if getattr(best, amount) in GRID:
                    moved = {value: self._corner(best._replace(**{amount: value})) for value in GRID}
                    best = moved[downhill(lambda value, moved=moved: cost(moved[value]), GRID, getattr(best, amount))]  # type: ignore[misc]
        return replace(self, tuned_to=best)
