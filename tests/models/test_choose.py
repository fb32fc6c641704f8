"""Which family reads which column: by its kind, by left-out likelihood, or as the user says."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from likely.data import encode_target, read
from likely.families import (
    Bernoulli,
    Categorical,
    Gaussian,
    Histogram,
    Multinomial,
    MultivariateGaussian,
    Poisson,
)
from likely.families.multivariate_gaussian import GRID
from likely.models.choose import ROWS, tuned

from .choices import ROWS_HERE, Y, absences, chosen, learned

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
    assert set(chosen(scipy.sparse.csr_array(np.eye(4)))) == {"Multinomial"}


def test_a_sparse_matrix_with_negative_numbers_is_gaussian():
    assert set(chosen(scipy.sparse.csr_array(-np.eye(4)))) == {"Gaussian"}


def test_a_sparse_matrix_with_a_negative_number_in_a_row_that_was_not_looked_at(rng):
    x = rng.poisson(1, (3 * ROWS, 2))
    x[1, 0] = -1
    assert set(chosen(scipy.sparse.csr_array(x))) == {"Gaussian"}


# By left-out likelihood


def test_a_normal_column_is_gaussian(rng):
    assert chosen(rng.normal(Y, 1)[:, None]) == ["Gaussian"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_normal_column_of_any_precision_and_scale_is_gaussian(rng, dtype):
    x = np.stack([rng.normal(Y, 1), rng.normal(1e6, 1e3, ROWS_HERE), rng.normal(0, 1e-6, ROWS_HERE)], axis=1)
    assert chosen(x.astype(dtype)) == ["Gaussian"] * 3


def test_an_exponential_column_is_histogram(rng):
    assert chosen(rng.exponential(1 + Y)[:, None]) == ["Histogram"]


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
    assert chosen(np.rint(rng.exponential(scale, ROWS_HERE)).astype(int)[:, None]) == ["Histogram"]


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
            "skewed": rng.exponential(1 + Y),
            "flag": Y == 1,
            "normal": rng.normal(Y, 1),
            "word": rng.choice(["x", "y"], ROWS_HERE),
        }
    )
    assert learned(frame).chosen == {
        "count": Poisson(),
        "skewed": Histogram(),
        "flag": Bernoulli(),
        "normal": Gaussian(),
        "word": Categorical(),
    }


def test_holes_do_not_change_the_choice(rng):
    x = np.stack([rng.normal(Y, 1), rng.exponential(1 + Y)], axis=1)
    x[rng.random(x.shape) < 0.2] = np.nan
    assert chosen(x) == ["Gaussian", "Histogram"]


def test_a_whole_weight_is_that_many_rows(rng):
    x, weight = rng.poisson(2, (300, 1)) ** 2, rng.integers(1, 4, 300)
    once = learned(x, weight=weight.astype(float)).chosen
    assert once == learned(np.repeat(x, weight, axis=0), np.repeat(np.arange(300) % 2, weight)).chosen


def test_rows_that_weigh_nothing_have_no_say(rng):
    normal, far = rng.normal(0, 1, (ROWS_HERE, 1)), np.full((20, 1), 1e6)
    weight = np.concatenate([np.ones(ROWS_HERE), np.zeros(20)])
    assert chosen(np.vstack([normal, far]), weight=weight) == ["Gaussian"]


def test_a_larger_table_is_looked_at_in_part(rng):
    x = np.stack([rng.normal(size=3 * ROWS + 1), rng.exponential(size=3 * ROWS + 1)], axis=1)
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
        (np.rint(np.random.default_rng(1).normal(500, 40, 60)).astype(int), "gaussian"),
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


# Options that are chosen too


def test_what_is_tuned_makes_the_rows_most_probable_to_models_that_learned_the_others(rng):
    x, y = rng.normal(size=(30, 2)) @ [[1, 0.6], [0, 1]] * (1 + np.arange(30)[:, None] % 2), np.arange(30) % 2

    def left_out(pair):
        family = MultivariateGaussian(shrinkage=pair)
        return sum(
            learned(np.delete(x, i, axis=0), np.delete(y, i), families=family, class_prior="uniform").score(
                read(x[[i]])
            )[0, y[i]]
            for i in range(30)
        )

    merits = {(a, b): left_out((a, b)) for a in GRID for b in GRID}
    assert learned(x, y, families=MultivariateGaussian()).chosen[0].dials == max(merits, key=merits.get)


def test_nothing_is_tuned_that_was_said(rng):
    x = rng.normal(size=(40, 2))
    model = learned(x, families={0: MultivariateGaussian(shrinkage=0.2), 1: "gaussian"})
    for block in model.learned.blocks:
        assert tuned(block, read(x), encode_target(np.arange(40) % 2)[1], None) is block


def test_tuning_changes_the_family_alone(rng):
    x = rng.normal(size=(40, 2))
    (block,) = learned(x, families=MultivariateGaussian()).learned.blocks
    again = tuned(block, read(x * [1, 50]), encode_target(np.arange(40) % 2)[1], None)
    assert again.statistics is block.statistics
    assert again.family == block.family


def test_rows_that_weigh_nothing_are_not_tuned_by(rng):
    x, far = rng.normal(size=(60, 3)), rng.normal(size=(60, 3)) * 40
    weight = np.repeat([1.0, 0.0], 60)
    with_far = learned(np.concatenate([x, far]), weight=weight, families=MultivariateGaussian())
    assert with_far.chosen[0].dials == learned(x, families=MultivariateGaussian()).chosen[0].dials


@pytest.mark.parametrize("row", [0, 6, 30_000])
def test_a_larger_table_is_tuned_by_in_part(rng, row):
    x = rng.normal(size=(3 * ROWS + 1, 2))
    assert learned(x, families=MultivariateGaussian("tied")).chosen[0].dials.tied == 1
    x[row, 1] = np.inf
    with pytest.raises(ValueError, match=rf"needs finite numbers, up to 1e150; column 1, row {row}, has inf$"):
        learned(x, families=MultivariateGaussian("tied"))


# Missing cells


def with_holes(rng, probabilities):
    """Normal columns, with holes as often as said for each class."""
    x = rng.normal(size=(ROWS_HERE, len(probabilities)))
    for j, by_class in enumerate(probabilities):
        x[rng.random(ROWS_HERE) < np.array(by_class)[Y], j] = np.nan
    return x


def test_ignore_counts_no_absences(rng):
    assert absences(learned(with_holes(rng, [(0.1, 0.5)]), missing="ignore")) == []


def test_value_counts_the_absences_of_every_column(rng):
    assert absences(learned(with_holes(rng, [(0.1, 0.5), (0, 0)]), missing="value")) == [0, 1]


def test_auto_counts_absences_where_they_depend_on_the_class(rng):
    x = with_holes(rng, [(0.1, 0.5), (0.3, 0.3), (0.0, 0.0), (0.0, 0.05)])
    assert absences(learned(x, missing="auto")) == [0, 3]


def test_auto_looks_at_every_kind_of_column(rng):
    hole = rng.random(ROWS_HERE) < np.array([0.1, 0.5])[Y]
    frame = pa.table(
        {
            "text": pa.array(np.where(hole, None, "x").tolist()),
            "flag": pa.array(np.where(hole, None, True).tolist()),
            "whole": pa.array(np.where(hole, None, 3).tolist()),
            "full": pa.array(["x"] * ROWS_HERE),
        }
    )
    assert absences(learned(frame, missing="auto")) == ["text", "flag", "whole"]


def test_a_sentinel_is_an_absence():
    x = np.where(Y == 1, -999.0, 1.0)[:, None] + np.zeros((1, 2))
    x[0] = 2.0
    assert absences(learned(x, missing="auto", missing_values=-999)) == [0, 1]


def test_absences_of_a_sparse_matrix_are_zeros():
    assert absences(learned(scipy.sparse.csr_array(np.eye(4)), missing="value")) == []


def test_missing_that_is_none_of_the_three():
    with pytest.raises(ValueError, match=r"^missing is 'ignore', 'value' or 'auto', not 'maybe'$"):
        learned(np.array([[1.0], [2.0]]), missing="maybe")


def test_multinomial_is_never_chosen_for_a_dense_table(rng):
    assert Multinomial() not in learned(rng.poisson(1, (200, 4))).chosen.values()
