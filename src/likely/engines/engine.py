"""The contract of engines: rows are stored in parts, work is sent to the parts, and its results are added.

What a part is depends on the engine: a partition of a cluster's table, or files that a worker reads. Work is a function
of the number of a part and the part. After a fault it is repeated, so it must have no side effects.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

PLACES = 1 << 40
"""Row r of part p has the place p * PLACES + r, which is unique."""

FAN = 8
"""The number of results that one task adds. Sums of a million words are 35 MB, so eight of them take 0.3 GB."""


class Addable(Protocol):
    def __add__(self, other: Self, /) -> Self: ...


A = TypeVar("A", bound=Addable)
R = TypeVar("R")
P = TypeVar("P")


class Parts(ABC, Generic[P]):
    """All rows, as an ordered sequence of parts."""

    keeps_in_place: ClassVar[bool] = True
    """Whether results of `kept` stay in the process that computed them. Then keeping them costs only memory: they are
    not serialised or copied."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        """The results of some parts, in the order of `at`."""

    @abstractmethod
    def kept(self, work: Callable[[int, P], R]) -> AbstractContextManager["Parts[R]"]:
        """The results of all parts as new parts, for work that is repeated. They stay where they were computed while
        the context lasts; an engine may also compute them again whenever they are needed, if that is faster."""

    @abstractmethod
    def total(self, work: Callable[[int, P], A]) -> A:
        """The sum of the results of all parts, added in order, in a tree that depends only on the number of parts."""


LabelledRows = tuple[Any, Any, Any]
"""A part as a table, the classes of its rows, and their weights or None; each in any in-memory container."""


def is_collection(x: Any) -> bool:
    """Whether `x` is a Dask collection, by Dask's protocol."""
    return hasattr(x, "__dask_graph__")


def refuse_elsewhere(x: Any) -> None:
    """Raises TypeError for a table on a cluster, where a table in memory is needed."""
    if is_collection(x):
        raise TypeError("a table in memory is needed here, not a collection of Dask's; call its compute()")
    if type(x).__module__.startswith("pyspark."):
        raise TypeError(
            "a table in memory is needed here, not a DataFrame of Spark's; use fit and predict of "
            "likely.engines.spark, or call its toPandas()"
        )


def added(results: Iterable[A]) -> A:
    """The sum of some results, added in order."""
    iterator = iter(results)
    total = next(iterator)
    for result in iterator:
        total = total + result
    return total


def spread(parts: int) -> list[int]:
    """The numbers of all parts, in an order such that the first few are always spread evenly over all.

    >>> spread(6)
    [0, 4, 2, 1, 5, 3]
    """
    bits = max(parts - 1, 0).bit_length()
    reversed_ = (int(f"{at:0{bits}b}"[::-1], 2) if bits else at for at in range(1 << bits))
    return [at for at in reversed_ if at < parts]
