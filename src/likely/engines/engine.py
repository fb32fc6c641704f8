"""The contract of engines: rows lie in parts, work goes to where they lie, and its results are added.

A part is whatever its engine hands out: a partition of a cluster's table, or the files that a worker shall read. Work
gets the number of a part and the part. It is done once or, after a fault, again: so it changes nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

PLACES = 1 << 40
"""Row r of part p has the place p * PLACES + r: no two rows have the same."""

FAN = 8
"""Results that one task adds. Sums of a million words are 35 MB, so that it holds 0.3 GB of them."""


class Addable(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


A = TypeVar("A", bound=Addable)
R = TypeVar("R")
P = TypeVar("P")


class Parts(ABC, Generic[P]):
    """All rows, in parts that have an order."""

    keeps_in_place: ClassVar[bool] = True
    """Whether what is kept stays in the process that made it, and so costs memory alone."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        """The results of some parts, in the order of `at`."""

    @abstractmethod
    def kept(self, work: Callable[[int, P], R]) -> AbstractContextManager["Parts[R]"]:
        """The results of all parts, kept where they were made for as long as the context lasts, or made again where
        that takes less: for work that is done again and again."""

    @abstractmethod
    def total(self, work: Callable[[int, P], A]) -> A:
        """The sum of the results of all parts, added in their order, in a tree that depends on their number alone."""


LabelledRows = tuple[Any, Any, Any]
"""A part as a table, the classes of its rows, and their weights or None; each in any container of one machine."""


def is_collection(x: Any) -> bool:
    """Whether it is a collection of Dask's, by its own protocol."""
    return hasattr(x, "__dask_graph__")


def refuse_elsewhere(x: Any) -> None:
    """Raises for rows that lie on a cluster, where a table in memory is needed."""
    if is_collection(x):
        raise TypeError("a table in memory is needed here, not a collection of Dask's; call its compute()")
    if type(x).__module__.startswith("pyspark."):
        raise TypeError(
            "a table in memory is needed here, not a DataFrame of Spark's; use fit and predict of "
            "likely.engines.spark, or call its toPandas()"
        )


def added(results: Iterable[A]) -> A:
    """The sum of some results, one after the other."""
    iterator = iter(results)
    total = next(iterator)
    for result in iterator:
        total = total + result
    return total


def spread(parts: int) -> list[int]:
    """The numbers of all parts, in an order in which any first few of them are spread over all.

    >>> spread(6)
    [0, 4, 2, 1, 5, 3]
    """
    bits = max(parts - 1, 0).bit_length()
    reversed_ = (int(f"{at:0{bits}b}"[::-1], 2) if bits else at for at in range(1 << bits))
    return [at for at in reversed_ if at < parts]
