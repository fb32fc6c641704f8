"""Constraints on a covariance, and shrinkage towards simpler ones."""

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
"""The values that "auto" tries for each free amount."""

UNTUNED = Shrinkage(0.1, 0.1)
"""What "auto" means before rows are seen."""

TUNED_ROWS = 10_000
TUNED_WORK = 2e8
"""Each row costs columns^3 operations for each pair of amounts, so with many columns shrinkage is tuned by fewer rows
than `TUNED_ROWS`."""


@dataclass(frozen=True, repr=False)
class ShrunkCovariance(Family):
    """`covariance` constrains the covariance of a class: "full" is one for each class, "tied" one for all classes,
    "diagonal" has independent columns, "spherical" the same variance in all columns. `shrinkage` mixes them.
    """

    made_of: ClassVar[tuple[type, ...]] = (Shrinkage,)

    covariance: Covariance = "full"
    shrinkage: float | tuple[float, float] | Literal["auto"] = "auto"
    tuned_to: Shrinkage | None = field(default=None, compare=False, kw_only=True)
    """What "auto" chose. If two merged models differ in it, the first model's is kept."""

    def __post_init__(self) -> None:
        if self.covariance not in ("full", "tied", "diagonal", "spherical"):
            raise ValueError(f"the covariance is 'full', 'tied', 'diagonal' or 'spherical', not {self.covariance!r}")
        if isinstance(self.shrinkage, str):
            if self.shrinkage != "auto":
                raise ValueError(f"shrinkage is a number, a pair of numbers or 'auto', not {self.shrinkage!r}")
            return
        amounts = np.asarray(self.shrinkage, np.float64)
        if amounts.shape not in ((), (2,)) or not ((amounts >= 0) & (amounts <= 1)).all():
            raise ValueError(f"shrinkage is a number from 0 to 1, a pair of them or 'auto', not {self.shrinkage!r}")
        object.__setattr__(self, "shrinkage", tuple(amounts.tolist()) if amounts.ndim else amounts.item())

    @property
    def amounts(self) -> Shrinkage:
        if isinstance(self.shrinkage, str):
            return self._corner(self.tuned_to or UNTUNED)
        if isinstance(self.shrinkage, tuple):
            return self._corner(Shrinkage(*self.shrinkage))
        amount = self.shrinkage
        return self._corner(Shrinkage(0.0, amount) if self.covariance == "tied" else Shrinkage(amount, 0.0))

    def _corner(self, amounts: Shrinkage) -> Shrinkage:
        """These amounts, except those that `covariance` fixes."""
        if self.covariance == "tied":
            return Shrinkage(1.0, amounts.diagonal)
        return amounts if self.covariance == "full" else Shrinkage(amounts.tied, 1.0)

    @property
    def matrices(self) -> bool:
        """Whether products of columns are counted, and not only squares."""
        return self.covariance in ("full", "tied")

    def tuning_rows(self, frame: Frame) -> int:
        if self.shrinkage != "auto":
            return 0
        work = float(len(frame.columns)) ** (3 if self.matrices else 1)
        return int(np.clip(TUNED_WORK / work, 200, TUNED_ROWS))

    @abstractmethod
    def loo_sum(self, block: Block, seen: Observations) -> float:
        """The leave-one-out log likelihood of these rows, given their classes. A row of weight w counts as w rows, and
        leave-one-out subtracts one of them."""

    def tuned(self, block: Block, seen: Observations) -> Self:
        """This family with the shrinkage of the highest leave-one-out likelihood of these rows: a search on the grid,
        in one amount and then the other. Trying all 49 pairs chose the same on the tables of `python -m bench accuracy
        --only tables`, and took four times as long."""

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
