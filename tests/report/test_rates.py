"""Rates of a class by the cells of a column, against counting by hand."""

import numpy as np
import pandas as pd
import pytest

from likely.report.rates import QUANTILES, draw_rates, groups
from likely.validation.measures import wilson

from ..samples import sample_of

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 400)


def of(column, y=Y, weight=None):
    return groups(sample_of(pd.DataFrame({"c": column}), y, weight), "c", 1)


def test_categories_are_sorted_by_their_rates():
    column = np.where(Y == 1, RNG.choice(["a", "b", "b"], 400), RNG.choice(["a", "a", "b"], 400))
    found = of(column)
    assert [one.name for one in found] == ["b", "a"]
    for one in found:
        own = Y[column == one.name]
        assert (one.rows, one.rate) == (len(own), pytest.approx(own.mean()))
        assert (one.low, one.high) == pytest.approx(wilson(own.sum(), len(own)))


def test_months_and_weekdays_keep_their_order():
    assert [one.name for one in of(RNG.choice(["oct", "mar", "dec"], 400))] == ["mar", "oct", "dec"]
    assert [one.name for one in of(RNG.choice(["Tuesday", "Monday", "Sunday"], 400))] == ["Monday", "Tuesday", "Sunday"]


def test_numbers_by_quantiles_and_what_is_missing():
    column = RNG.normal(Y)
    found = of(column)
    assert len(found) == QUANTILES
    assert {one.rows for one in found} == {50}
    assert found[0].rate < found[-1].rate
    column[:40] = np.nan
    assert of(column)[-1].name == "missing"
    assert sum(one.rows for one in of(column)) == 400


def test_groups_of_integers_have_both_ends():
    found = of(np.arange(400) % 100 + 900)
    assert [one.name for one in found][:2] == ["< 912", "912 – 924"]
    assert [one.name for one in found][-1] == "≥ 987"
    assert sum(one.rows for one in found) == 400
    skewed = np.repeat(np.r_[np.zeros(3), 1, 2, 2, 3, np.arange(12) * 5_000], 20)
    names = [one.name for one in of(skewed, Y[: len(skewed)])]
    assert len(names) == len(set(names))
    assert names[0] == "0"
    assert not any("e+" in name for name in names)


def test_few_values_and_flags_have_a_group_each():
    assert [one.name for one in of(RNG.integers(0, 3, 400))] == ["0", "1", "2"]
    assert [one.name for one in of(RNG.random(400) < 0.5)] == ["false", "true"]
    assert [one.name for one in of(np.where(Y == 1, 1.0, np.nan))] == ["1", "missing"]


def test_weights_count_as_rows():
    column = RNG.choice(["a", "b"], 400)
    weight = RNG.integers(1, 4, 400).astype(float)
    found = {one.name: one.rate for one in of(column, weight=weight)}
    assert found["a"] == pytest.approx(np.average(Y[column == "a"], weights=weight[column == "a"]))


def test_names_from_data_are_shortened_in_the_picture():
    picture = draw_rates(sample_of(pd.DataFrame({"c": np.where(Y, "x" * 90, "<b>")}), Y), ["c"], 1)[0]
    labels = [label.get_text() for label in picture.figure.axes[0].get_yticklabels()]
    assert labels == ["x" * 21 + "…", "<b>"]
    assert "<b>" not in picture.svg()
