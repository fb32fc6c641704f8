"""Options of logistic regression as they are given."""

import pandas as pd
import pytest

import likely.limits
from likely.data import read
from likely.families import Number
from likely.models.logistic.options import candidates_of, limits_of, numbers_as_they_are, pairs_of, positions_of


def test_values_of_c():
    assert candidates_of("auto") is None
    assert candidates_of(2) == (2.0,)
    assert candidates_of([0.1, 1]) == (0.1, 1.0)
    for bad in ("many", 0, [], [1.0, -1.0]):
        with pytest.raises(ValueError, match="C "):
            candidates_of(bad)


def test_pairs():
    assert pairs_of("auto") == "auto"
    assert pairs_of(0) == pairs_of(None) == pairs_of(False) == ()
    assert pairs_of([["a", "b"]]) == (("a", "b"),)


def test_positions_of_a_pair():
    table = read(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "c": [0.5, 1.5]}))
    assert positions_of(table, ("c", "a")) == (2, 0)
    with pytest.raises(ValueError, match="pairs column 'c' with itself"):
        positions_of(table, ("c", 2))


def test_limits_are_a_list():
    one = likely.limits.Between("a", low=0)
    assert limits_of(one) == limits_of([one]) == (one,)
    assert limits_of(None) == ()
    with pytest.raises(TypeError, match="'a' is none"):
        limits_of(["a"])


def test_numbers_without_a_family_are_read_as_they_are():
    table = read(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "c": [1, 2]}))
    assert numbers_as_they_are(table, None) == {"a": Number(), "c": Number()}
    assert numbers_as_they_are(table, {"a": "gaussian"}) == {"a": "gaussian", "c": Number()}
    assert numbers_as_they_are(table, "gaussian") == "gaussian"
