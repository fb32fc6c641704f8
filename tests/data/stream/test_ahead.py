"""Reading ahead changes nothing but the time."""

from collections.abc import Iterator

import pytest

from likely.data.stream.ahead import ahead


def test_all_come_in_their_order() -> None:
    assert list(ahead(range(100))) == list(range(100))
    assert list(ahead([])) == []
    assert list(ahead([None, None])) == [None, None]


def test_an_error_comes_in_its_place() -> None:
    def until_three() -> Iterator[int]:
        yield from range(3)
        raise ValueError("three")

    found = []
    with pytest.raises(ValueError, match="three"):
        found.extend(ahead(until_three()))
    assert found == [0, 1, 2]
    assert [number for number, _ in zip(ahead(until_three()), range(2), strict=False)] == [0, 1]
