"""Rows taken from tables of every kind, and parts of rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from likely.data import read
from likely.validation.rows import cut, folds, take

ROWS = np.array([3, 0, 3, 2])
ARRAY = np.arange(8).reshape(4, 2)


@pytest.mark.parametrize(
    ("x", "back"),
    [
        (ARRAY, np.asarray),
        (ARRAY.tolist(), np.asarray),
        (sparse.csc_matrix(ARRAY), lambda x: x.toarray()),
        (pd.DataFrame(ARRAY, index=list("dcba")), lambda x: x.to_numpy()),
        (pl.DataFrame(ARRAY, schema=["a", "b"]), lambda x: x.to_numpy()),
        (pa.table({"a": ARRAY[:, 0], "b": ARRAY[:, 1]}), lambda x: x.to_pandas().to_numpy()),
        (read(ARRAY), lambda x: x.array),
    ],
    ids=["numpy", "list", "scipy", "pandas", "polars", "arrow", "ours"],
)
def test_take(x, back):
    np.testing.assert_array_equal(back(take(x, ROWS)), ARRAY[ROWS])


def test_texts_are_taken():
    assert take(["a", "b", "c", "d"], ROWS) == ["d", "a", "d", "c"]
    assert take(pd.Series(["a", "b", "c", "d"]), ROWS).tolist() == ["d", "a", "d", "c"]
    assert take(pa.chunked_array([["a", "b", "c", "d"]]), ROWS).to_pylist() == ["d", "a", "d", "c"]


Y = np.repeat([0, 1, 2], [50, 30, 20]).astype(np.int32)


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("k", [2, 3, 10, 100])
def test_folds_are_of_equal_size(k):
    sizes = np.bincount(folds(k, Y, rng(), False, None), minlength=k)
    assert sizes.max() - sizes.min() <= 1


def test_stratified_folds_are_of_equal_size_in_each_class_too():
    part = folds(7, Y, rng(), True, None)
    for rows in (slice(None), Y == 0, Y == 1, Y == 2):
        sizes = np.bincount(part[rows], minlength=7)
        assert sizes.max() - sizes.min() <= 1


def test_folds_of_groups_keep_groups_whole_and_are_about_equal():
    group = np.repeat(np.arange(20), rng().integers(1, 10, 20))[:100]
    part = folds(4, Y[: len(group)], rng(), False, group)
    assert all(len(set(part[group == one])) == 1 for one in np.unique(group))
    sizes = np.bincount(part)
    assert sizes.max() - sizes.min() <= 3


@pytest.mark.parametrize("shares", [(0.75, 0.25), (0.6, 0.2, 0.2)])
@pytest.mark.parametrize("stratify", [False, True])
def test_cut_parts_all_rows_in_those_shares(shares, stratify):
    parts = cut(shares, Y, rng(), stratify, None, None)
    assert sorted(np.concatenate(parts)) == list(range(100))
    assert [len(part) for part in parts] == pytest.approx([100 * share for share in shares], abs=1.01)
    if stratify:
        for part, share in zip(parts, shares, strict=True):
            assert np.bincount(Y[part]) == pytest.approx(share * np.array([50, 30, 20]), abs=1)


def test_cut_by_time_puts_the_earlier_first():
    time = rng().permutation(100)
    first, last = cut((0.8, 0.2), Y, rng(), False, None, time)
    assert time[first].max() < time[last].min()
    assert len(last) == 20


def test_cut_by_group_keeps_groups_whole():
    group = np.repeat(np.arange(25), 4)
    parts = cut((0.6, 0.2, 0.2), Y, rng(), False, group, None)
    assert sorted(np.concatenate(parts)) == list(range(100))
    assert not set(group[parts[0]]) & set(group[parts[1]])
    assert [len(part) for part in parts] == [60, 20, 20]
    few = cut((0.9, 0.1), Y, rng(), False, np.arange(100) % 2, None)
    assert [len(part) for part in few] == [50, 50]


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: folds(1, Y, rng(), False, None), "100 rows cannot be split into 1 parts; use from 2 to 100"),
        (lambda: folds(3, Y, rng(), False, np.zeros(100)), "1 groups cannot be split into 3"),
        (lambda: folds(3, Y, rng(), True, np.arange(100)), "use group or stratify"),
        (
            lambda: folds(3, Y, rng(), False, np.arange(9)),
            r"group has shape \(9,\), but one value for each of 100 rows",
        ),
        (lambda: cut((0.5, 0.6), Y, rng(), False, None, None), "must be above 0 and sum to 1, not 0.5, 0.6"),
        (lambda: cut((1.0, 0.0), Y, rng(), False, None, None), "must be above 0 and sum to 1"),
        (lambda: cut((0.5, 0.5), Y, rng(), True, None, np.arange(100)), "but only by one of these"),
        (lambda: cut((0.5, 0.5), Y, rng(), True, np.arange(100), None), "use group or stratify"),
    ],
)
def test_refusals(work, said):
    with pytest.raises(ValueError, match=said):
        work()
