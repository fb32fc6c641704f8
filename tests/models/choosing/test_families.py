"""Which family reads which column: by its kind, by left-out likelihood, or as the user says."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from likely.data import read
from likely.families import (
    FAMILIES,
    Bernoulli,
    Categorical,
    Gaussian,
    Histogram,
    Multinomial,
    Poisson,
    Text,
)
from likely.models.choosing import families
from likely.models.choosing.families import CLEAR, FIRST, ROWS

from ...samples import sample_of
from .choices import ROWS_HERE, Y, chosen, learned

OF_FLOATS = sum("float" in family.auto for family in FAMILIES.values())
"""Candidates for a column of floats."""

# By kind


def test_bools_are_bernoulli():
    assert chosen(np.array([[True], [False], [True], [True]])) == ["Bernoulli"]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["x", "y", "x", "z"]),
        pa.array(["x", "y", "x", None], pa.large_string()),
        pa.array(["x", "y", "x", "z"]).dictionary_encode(),
    ],
    ids=lambda column: str(column.type),
)
def test_text_is_categorical(column):
    assert chosen(pa.table({"a": column})) == ["Categorical"]


def test_categories_of_pandas_and_polars_are_categorical():
    assert chosen(pd.DataFrame({"a": pd.Categorical([1, 2, 1, 3])})) == ["Categorical"]
    assert chosen(pl.DataFrame({"a": pl.Series(["x", "y", "x"], dtype=pl.Categorical)})) == ["Categorical"]


def test_a_sparse_matrix_of_counts_is_multinomial():
    assert chosen(scipy.sparse.csr_array(np.eye(4))) == ["Multinomial"] * 4


def test_a_sparse_matrix_with_negative_numbers_is_gaussian():
    assert chosen(scipy.sparse.csr_array(-np.eye(4))) == ["Gaussian"] * 4


def test_a_sparse_matrix_with_a_negative_number_in_a_row_that_was_not_looked_at(rng):
    x = rng.poisson(1, (3 * ROWS, 2))
    x[1, 0] = -1
    assert chosen(scipy.sparse.csr_array(x)) == ["Gaussian"] * 2


# By left-out likelihood


def test_a_normal_column_is_gaussian(rng):
    assert chosen(rng.normal(Y, 1)[:, None]) == ["Gaussian"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_normal_column_of_any_precision_and_scale_is_gaussian(rng, dtype):
    x = np.stack([rng.normal(Y, 1), rng.normal(1e6, 1e3, ROWS_HERE), rng.normal(0, 1e-6, ROWS_HERE)], axis=1)
    assert chosen(x.astype(dtype)) == ["Gaussian"] * 3


def test_a_skewed_column_is_histogram(rng):
    assert chosen(-rng.exponential(1 + Y)[:, None]) == ["Histogram"]


def test_a_column_with_two_hills_is_histogram(rng):
    assert chosen((rng.choice([-5, 5], ROWS_HERE) + rng.normal(Y, 1))[:, None]) == ["Histogram"]


def test_a_uniform_column_is_histogram(rng):
    assert chosen(rng.uniform(0, 1, (ROWS_HERE, 1))) == ["Histogram"]


@pytest.mark.parametrize("rate", [0.5, 3.0, 20.0])
def test_counts_are_poisson(rng, rate):
    assert chosen(rng.poisson(rate * (1 + Y))[:, None]) == ["Poisson"]


def test_codes_of_few_categories_are_categorical(rng):
    assert chosen(rng.choice([1, 7, 30, 31], ROWS_HERE, p=[0.5, 0.1, 0.2, 0.2])[:, None]) == ["Categorical"]


def test_large_whole_numbers_about_a_mean_are_gaussian(rng):
    assert chosen(np.rint(rng.normal(1000 * Y, 150)).astype(int)[:, None]) == ["Gaussian"]


@pytest.mark.parametrize("spread", [1500, 5000, 1e6])
def test_whole_numbers_about_a_mean_that_hardly_repeat_are_gaussian(rng, spread):
    assert chosen(np.rint(rng.normal(0, spread, ROWS_HERE)).astype(int)[:, None]) == ["Gaussian"]


@pytest.mark.parametrize("scale", [300, 30_000])
def test_skewed_whole_numbers_that_hardly_repeat_are_histogram(rng, scale):
    assert chosen(-np.rint(rng.exponential(scale, ROWS_HERE)).astype(int)[:, None]) == ["Histogram"]


def test_whole_numbers_that_do_not_repeat_are_histogram(rng):
    x = np.stack([rng.permutation(ROWS_HERE), rng.integers(0, 10**6, ROWS_HERE)], axis=1)
    assert chosen(x) == ["Histogram", "Histogram"]


def test_negative_whole_numbers_are_not_poisson(rng):
    x = rng.poisson(3, (ROWS_HERE, 1))
    x[5] = -1
    assert chosen(x) != ["Poisson"]


def test_a_negative_number_in_a_row_that_was_not_looked_at(rng):
    x = rng.poisson(3, (3 * ROWS, 1))
    x[1] = -1
    assert chosen(x) != ["Poisson"]


def test_columns_are_chosen_one_by_one(rng):
    frame = pd.DataFrame(
        {
            "count": rng.poisson(3 * (1 + Y)),
            "skewed": -rng.exponential(1 + Y),
            "flag": Y == 1,
            "normal": rng.normal(Y, 1),
            "word": rng.choice(["x", "y"], ROWS_HERE),
        }
    )
    assert learned(frame).chosen_families == {
        "count": Poisson(),
        "skewed": Histogram(),
        "flag": Bernoulli(),
        "normal": Gaussian(),
        "word": Categorical(),
    }


def test_holes_do_not_change_the_choice(rng):
    x = np.stack([rng.normal(Y, 1), -rng.exponential(1 + Y)], axis=1)
    x[rng.random(x.shape) < 0.2] = np.nan
    assert chosen(x) == ["Gaussian", "Histogram"]


def test_a_whole_weight_is_that_many_rows(rng):
    x, weight = rng.poisson(2, (300, 1)) ** 2, rng.integers(1, 4, 300)
    once = learned(x, weight=weight.astype(float)).chosen_families
    assert once == learned(np.repeat(x, weight, axis=0), np.repeat(np.arange(300) % 2, weight)).chosen_families


def test_rows_that_weigh_nothing_have_no_say(rng):
    normal, far = rng.normal(0, 1, (ROWS_HERE, 1)), np.full((20, 1), 1e6)
    weight = np.concatenate([np.ones(ROWS_HERE), np.zeros(20)])
    assert chosen(np.vstack([normal, far]), weight=weight) == ["Gaussian"]


def test_a_larger_table_is_looked_at_in_part(rng):
    x = np.stack([rng.normal(size=3 * ROWS + 1), -rng.exponential(size=3 * ROWS + 1)], axis=1)
    assert chosen(x) == ["Gaussian", "Histogram"]


@pytest.mark.parametrize("row", [0, 4, 6, 30_000])
def test_a_bad_cell_of_a_larger_table_is_named_by_its_row(rng, row):
    x = rng.normal(size=(3 * ROWS + 1, 2))
    x[row, 1] = np.inf
    with pytest.raises(ValueError, match=rf"needs finite numbers, up to 1e150; column 1, row {row}, has inf$"):
        learned(x)


@pytest.mark.parametrize("x", [[[1.0]], [[1]], [[1.0], [1.0]], [[3], [3], [3]]])
def test_one_row_or_one_value_is_enough(x):
    model = learned(np.array(x))
    assert np.isfinite(model.score(read(np.array(x)))).all()


def left_out_by_learning(family, x, i):
    """log p of a row by a model that learned the others. A density on whole numbers is at most 1; and a value that none
    of the others has is one of all in the range that they lack, which share the mass kept for it.
    """
    others = np.delete(x, i, axis=0)
    score = learned(others, np.zeros(len(others), int), families=family).score(read(x[[i]]))[0, 0]
    if family == "categorical" and x[i] not in others:
        score -= np.log(x.max() - x.min() + 1 - len(np.unique(others)))
    return min(score, 0.0)


@pytest.mark.parametrize(
    ("column", "best"),
    [
        (np.random.default_rng(1).poisson(4, 60), "poisson"),
        (np.random.default_rng(1).choice([0, 9], 60), "categorical"),
        (np.rint(np.random.default_rng(1).normal(0, 40, 60)).astype(int), "gaussian"),
        (np.rint(np.random.default_rng(1).normal(500, 4000, 60)).astype(int), "gaussian"),
    ],
)
def test_the_choice_is_that_of_models_that_learned_the_other_rows(column, best):
    x = column[:, None]
    totals = {
        family: sum(left_out_by_learning(family, x, i) for i in range(60))
        for family in ("gaussian", "poisson", "categorical")
        if family != "poisson" or x.min() >= 0
    }
    assert max(totals, key=totals.get) == best
    assert chosen(x, y=np.zeros(60, int)) == [best.capitalize()]


def test_multinomial_is_never_chosen_for_a_dense_table(rng):
    assert Multinomial() not in learned(rng.poisson(1, (200, 4))).chosen_families.values()


# Few rows first


def columns_of_all_kinds(rng, rows):
    """Columns of which one family is plainly the best, and some of which it is hardly better than another."""
    y = np.arange(rows) % 2
    return pd.DataFrame(
        {
            "normal": rng.normal(y, 1),
            "skewed": -rng.exponential(1 + y),
            "two hills": rng.choice([-5, 5], rows) + rng.normal(y, 1),
            "nearly normal": -rng.gamma(10, 1, rows),
            "counts": rng.poisson(3 * (1 + y)),
            "codes": rng.choice([1, 7, 30, 31], rows, p=[0.5, 0.1, 0.2, 0.2]),
            "large": np.rint(rng.normal(1000 * y, 150)).astype(int),
            "nearly counts": rng.negative_binomial(60, 0.95, rows),
            "constant but for some": np.where(np.arange(rows) % 500 == 1, 7, 0),
        }
    )


@pytest.mark.parametrize("seed", range(4))
def test_few_rows_decide_as_all_do(seed, monkeypatch):
    table = columns_of_all_kinds(np.random.default_rng(seed), ROWS)
    at_first = chosen(table)
    monkeypatch.setattr(families, "FIRST", ROWS)
    assert at_first == chosen(table)


def judged_rows(monkeypatch, table):
    """How many rows were looked at of each column, in each look."""
    looked = []

    def loo(self, reading, sample):
        looked.append((len(sample), [self.all.table.names[j] for j in reading[1]]))
        return whole(self, reading, sample)

    whole = families.Look.loo
    monkeypatch.setattr(families.Look, "loo", loo)
    chosen(table)
    return looked


def test_what_few_rows_tell_clearly_is_not_looked_at_again(monkeypatch, rng):
    table = columns_of_all_kinds(rng, ROWS)[["skewed", "nearly normal"]]
    looked = judged_rows(monkeypatch, table)
    few, all_ = looked[:OF_FLOATS], looked[OF_FLOATS:]
    assert few == [(FIRST, ["skewed", "nearly normal"])] * OF_FLOATS
    assert all_.count((ROWS, ["nearly normal"])) == 2  # the best and another: candidates that are far behind are out
    assert all_.count((ROWS, [])) == OF_FLOATS - 2


def test_what_few_rows_leave_open_all_decide(rng):
    """Few take it for normal; that it is skewed, more tell."""
    x = -rng.gamma(10, 1, (ROWS, 1))
    assert chosen(x[:: ROWS // FIRST]) == ["Gaussian"]
    assert chosen(x) == ["Histogram"]


def test_few_rows_of_many_classes_do_not_decide_against_what_counts_many_cells():
    """By few a Gaussian is ahead by more than is otherwise enough; by many the cells cost as much, and tell more."""
    rng = np.random.default_rng(0)
    y, values = np.arange(ROWS) % 26, np.arange(16)
    logs = -0.5 * ((values - rng.uniform(5, 10, (26, 1))) / 2) ** 2 + 0.35 * rng.normal(size=(26, 16))
    p = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    x = (p.cumsum(axis=1)[y] < rng.random((ROWS, 1))).sum(axis=1)[:, None]
    look = families.Look(sample_of(x, y), None)
    gaussian, categorical = (look.loo((family, [0]), look.looks[0])[0][0] for family in (Gaussian(), Categorical()))
    assert gaussian - categorical > CLEAR
    assert chosen(x, y=y) == ["Categorical"]


def test_what_is_impossible_to_all_families_is_decided():
    with np.errstate(invalid="raise"):
        near = families._near(np.full((2, 3), np.nan), np.ones((2, 3)))
    assert not near.any()


def test_a_small_table_is_looked_at_once(monkeypatch, rng):
    looked = judged_rows(monkeypatch, columns_of_all_kinds(rng, FIRST)[["normal", "skewed"]])
    assert looked == [(FIRST, ["normal", "skewed"])] * OF_FLOATS


def test_bins_are_cut_by_all_rows_that_are_looked_at(rng):
    """Though fewer decided for them."""
    x = -rng.exponential(size=(ROWS, 1))
    x[1] = -1e6  # in no row of those looked at first
    (block,) = learned(x).blocks
    assert type(block.family) is Histogram
    assert block.frame.edges[0][0] <= -1e6


def test_a_column_that_is_constant_in_few_rows_is_constant_only_if_it_is_in_all():
    every = np.arange(ROWS) % (ROWS // FIRST)  # 0 in the rows looked at first
    x = np.stack([np.where(every == 0, 0.0, every), np.zeros(ROWS), np.where(np.arange(ROWS) == 7, 1.0, 0.0)], axis=1)
    look = families.Look(sample_of(x, np.arange(ROWS) % 2), None)
    assert look._constant(range(3)).tolist() == [1, 2]
    few = families.Look(look.looks[0], None)
    assert few._constant(range(3)).tolist() == [0, 1, 2]


def test_a_number_that_differs_in_one_row_of_a_hundred_is_as_good_as_constant():
    """A pixel of scikit-learn's digits that was not 0 in two rows of 1,437 was read as Gaussian: on rows not learned a
    quarter of the log loss of naive Bayes was that of one row."""
    x = np.array([np.arange(1000) < 10, np.arange(1000) < 11, np.arange(1000) >= 10], np.float64).T
    look = families.Look(sample_of(x, np.arange(1000) % 2), None)
    assert look._constant(range(3)).tolist() == [0, 2]


def test_whether_strings_are_text_is_seen_by_the_rows_looked_at(monkeypatch):
    """Not by all: to encode four columns of 1M rows took a third of the fit."""
    rows = []
    whole = Text.suits
    monkeypatch.setattr(
        Text, "suits", lambda self, table, columns: rows.append(table.rows) or whole(self, table, columns)
    )
    assert chosen(pa.table({"a": ["x", "y"] * ROWS})) == ["Categorical"]
    assert rows == [ROWS]
