"""Partitions: their results in order, kept, and lost on the way."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from likely.engines import spark
from likely.engines.spark import SparkParts, messages

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own, of pandas and of sockets


def test_values_are_added_in_their_order_whatever_their_number(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = SparkParts(session, list(range(10)))
    assert len(parts) == 10
    assert parts.total(lambda number, part: [(number, part)]) == [(at, at) for at in range(10)]
    monkeypatch.setattr(messages, "COLLECTED", 2)
    assert parts.total(lambda number, part: [part]) == list(range(10))
    assert parts.each(lambda number, part: 10 * part, [7, 3]) == [70, 30]


def test_an_error_of_a_task_is_raised_as_it_was(session: Any) -> None:
    def work(number: int, part: int) -> int:
        if part == 2:
            raise ValueError("part 2 is bad")
        return part

    with pytest.raises(ValueError, match=r"^part 2 is bad$"):
        SparkParts(session, list(range(4))).total(work)


def test_results_are_kept_for_more_work(session: Any, folder: Path) -> None:
    parts = SparkParts(session, list(range(5)))
    with parts.kept(lambda number, part: [part]) as kept:
        assert len(kept) == 5
        assert kept.each(lambda number, part: (number, part), [4, 0]) == [(4, [4]), (0, [0])]
        with kept.kept(lambda number, part: part * 2) as twice:
            assert twice.total(lambda number, part: part) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    files = spark.parts(folder, "y")
    with files.kept(lambda number, rows: [len(rows[0])]) as lengths:
        assert len(lengths) == 4
        assert lengths.each(lambda number, part: (number, part), [2, 0]) == [(2, [150]), (0, [150])]
        with lengths.kept(lambda number, part: part * 2) as twice:
            assert twice.total(lambda number, part: part) == [150] * 8


def test_a_worker_lost_in_the_middle_changes_not_a_bit(session: Any, tmp_path: Path) -> None:
    def work(number: int, part: float, lost: Path) -> float:
        if number == 2 and not lost.exists():
            lost.touch()
            os._exit(1)
        return part

    (tmp_path / "never").touch()
    parts = SparkParts(session, [0.1, 0.2, 0.3, 1e16])
    whole, again = (parts.total(partial(work, lost=tmp_path / name)) for name in ("never", "once"))
    assert (tmp_path / "once").exists()
    assert again == whole
