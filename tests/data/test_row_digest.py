"""A digest of rows: it adds up, rows can be taken out, its size is bounded, and it is rarely wrong of new rows."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from likely.data import row_digest
from likely.data.row_digest import MARK, OFTEN, RowDigest
from likely.data.row_marks import mixed


def marks(start: int, stop: int) -> np.ndarray:
    """Of made-up rows, as `row_marks` makes them of hashes."""
    hashes = mixed(mixed(np.arange(start, stop, dtype=np.uint64)))
    zeros = np.array([(int(one) & -int(one)).bit_length() - 1 for one in hashes], np.uint32)
    return (hashes >> np.uint64(64 - MARK)).astype(np.uint32) << np.uint32(8) | np.minimum(zeros, 64 - MARK)


def same(one: RowDigest, other: RowDigest) -> bool:
    pairs = ((one.marks, other.marks), (one.times, other.times))
    return one.level == other.level and all(np.array_equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("most", [1 << 15, 300])
def test_parts_add_up_to_the_whole_in_any_order(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_digest, "MOST", most)
    all_marks = np.concatenate([marks(0, 4000), marks(100, 200)])
    whole = RowDigest.of(all_marks)
    assert (whole.level > 0) == (most < 4000)
    assert len(whole.marks) <= most
    rng = np.random.default_rng(0)
    for _ in range(3):
        parts = np.array_split(rng.permutation(all_marks), rng.integers(2, 9))
        assert same(reduce(add, map(RowDigest.of, parts)), whole)


def test_rows_are_taken_out_as_often_as_they_are_forgotten() -> None:
    twice = RowDigest.of(marks(0, 100)) + RowDigest.of(marks(50, 100))
    once = twice - RowDigest.of(marks(50, 100))
    assert same(once, RowDigest.of(marks(0, 100)))
    assert same(once - RowDigest.of(marks(50, 100)), RowDigest.of(marks(0, 50)))
    assert same(once - RowDigest.of(marks(500, 600)), once)


def test_what_was_learned_too_often_to_count_stays() -> None:
    often = RowDigest.of(np.repeat(marks(0, 1), 1000))
    assert often.times.tolist() == [OFTEN]
    assert same(often + often, often)
    assert same(often - often, often)


def test_a_learned_row_is_always_known_again_if_it_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert RowDigest.of(marks(0, 3000)).look_up(marks(0, 3000)).learned.all()
    monkeypatch.setattr(row_digest, "MOST", 500)
    digest = RowDigest.of(marks(0, 3000))
    checked, learned, _ = digest.look_up(marks(0, 3000))
    assert digest.level == 3
    assert checked.mean() == pytest.approx(1 / 8, abs=0.03)
    assert learned.tolist() == checked.tolist()


def test_new_rows_are_taken_for_learned_ones_as_seldom_as_it_says() -> None:
    checked, learned, chance = RowDigest.of(marks(0, 30_000)).look_up(marks(30_000, 230_000))
    assert checked.all()
    assert 0 < learned.mean() < chance < 0.01
    alike = RowDigest.of(np.concatenate([marks(0, 60), marks(0, 20)]))
    assert alike.look_up(marks(0, 1)).chance == pytest.approx(40 / 80, abs=1e-5)
    assert RowDigest.of(marks(0, 0)).look_up(marks(0, 5)).learned.sum() == 0


@pytest.mark.parametrize(
    ("level", "kept", "times"),
    [(0, [2, 1], [1, 1]), (0, [1, 1], [1, 1]), (0, [1, 2], [1, 0]), (0, [1], [1, 1]), (-1, [], []), (99, [], [])],
)
def test_what_is_not_in_order_is_refused(level: int, kept: list[int], times: list[int]) -> None:
    with pytest.raises(ValueError, match="the digest of learned rows is not in order"):
        RowDigest(level, np.array(kept, np.uint32), np.array(times, np.uint8))
