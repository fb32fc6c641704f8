"""The contract, and that every engine keeps it."""

from collections.abc import Callable, Sequence
from operator import add
from typing import Any

import pytest

from likely.engines.dask import DaskParts
from likely.engines.engine import Parts, added, spread
from likely.engines.threads import ThreadParts

ENGINES: dict[str, Callable[[Sequence[Any]], Parts[Any]]] = {"threads": ThreadParts, "dask": DaskParts}
every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


@every_engine
@pytest.mark.parametrize("count", [1, 7, 8, 9, 100])
def test_results_are_added_in_the_order_of_the_parts(engine: Any, count: int) -> None:
    parts = engine([[at] for at in range(count)])
    assert len(parts) == count
    assert parts.total(lambda number, part: [(number, part[0])]) == [(at, at) for at in range(count)]


@every_engine
def test_the_results_of_some_parts(engine: Any) -> None:
    parts = engine(list("abcde"))
    assert parts.each(lambda number, part: f"{part}{number}", [4, 0, 2]) == ["e4", "a0", "c2"]


@every_engine
def test_results_that_are_kept_are_made_once(engine: Any) -> None:
    made: list[int] = []

    def work(number: int, part: int) -> list[int]:
        made.append(number)
        return [10 * part]

    with engine([1, 2, 3]).kept(work) as kept:
        assert len(kept) == 3
        for _ in range(2):
            assert kept.total(lambda number, part: [(number, *part)]) == [(0, 10), (1, 20), (2, 30)]
    assert sorted(made) == [0, 1, 2]
    assert len(kept) == 0, "nobody holds it any longer"


@every_engine
def test_an_error_in_a_part_is_raised(engine: Any) -> None:
    def work(number: int, part: int) -> int:
        if part == 3:
            raise ValueError("part 3 is bad")
        return part

    with pytest.raises(ValueError, match="part 3 is bad"):
        engine(list(range(5))).total(work)


def test_sums_are_of_one_or_more() -> None:
    assert added([3]) == 3
    assert added(iter("abc")) == "abc"
    assert added(map(add, [1, 2], [3, 4])) == 10


@pytest.mark.parametrize("parts", [1, 2, 5, 16, 100, 1000])
def test_any_first_few_of_all_parts_are_spread(parts: int) -> None:
    order = spread(parts)
    assert sorted(order) == list(range(parts))
    some = sorted(order[:16])
    gaps = [b - a for a, b in zip(some, [*some[1:], parts], strict=True)]
    assert max(gaps) <= 2 * -(-parts // 16)


def test_no_parts() -> None:
    assert spread(0) == [0][:0]
