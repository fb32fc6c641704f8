"""Naive Bayes as a generative model: rows sampled from it."""

import numpy as np
import pandas as pd
import pytest

from likely.families import Categorical
from likely.priors import MaximumLikelihood

from ..samples import readable
from .tables import OF_CELLS, RNG, learned


def test_a_sample_has_the_kinds_of_the_table():
    frame = pd.DataFrame(
        {"n": [1.5, 2.5, 0.5, 3.5], "w": [3, 1, 0, 2], "b": [True, False, True, True], "t": ["x", "y", "x", "z"]}
    )
    model = learned(frame, list("aabb"), families={"w": "poisson", "n": "gaussian"})
    columns, y = model.sample(500, np.random.default_rng(0))
    assert list(columns) == ["n", "w", "b", "t"]
    assert all(len(values) == 500 for values in columns.values())
    assert columns["n"].dtype.kind == "f"
    assert columns["w"].dtype.kind == "i"
    assert columns["w"].min() >= 0
    assert columns["b"].dtype.kind == "b"
    assert set(columns["t"]) == {"x", "y", "z"}
    assert set(y.tolist()) == {0, 1}


@pytest.mark.parametrize("name", [name for name in OF_CELLS if name not in ("complement", "missing")])
@pytest.mark.parametrize("rows", [0, 1, 7])
def test_a_sample_of_so_many_rows(name, rows):
    model = learned(readable(name, RNG.integers(0, 2, (20, 3))), np.arange(20) % 2, families=name)
    columns, y = model.sample(rows, np.random.default_rng(0))
    assert [len(values) for values in columns.values()] == [rows] * 3
    assert y.shape == (rows,)


def test_a_sample_has_the_class_prior():
    model = learned([[1.0], [2.0], [3.0]], [0, 1, 1], class_prior=(0.9, 0.1))
    _, y = model.sample(10_000, np.random.default_rng(0))
    assert abs((y == 0).mean() - 0.9) < 5 * np.sqrt(0.9 * 0.1 / 10_000)


def test_a_sample_has_the_parameters_of_its_class():
    model = learned([[True], [True], [False], [False]], [0, 0, 1, 1], families="bernoulli")
    columns, y = model.sample(10_000, np.random.default_rng(0))
    assert abs(columns[0][y == 0].mean() - 3 / 4) < 5 * np.sqrt(3 / 16 / 5000)
    assert abs(columns[0][y == 1].mean() - 1 / 4) < 5 * np.sqrt(3 / 16 / 5000)


def test_a_sample_has_holes_where_missing_cells_are_counted():
    frame = pd.DataFrame({"n": [1.0, None, 2.0, None], "t": ["x", None, None, "y"]})
    columns, _ = learned(frame, [0, 1, 1, 0], missing="value").sample(200, np.random.default_rng(0))
    assert 0 < np.isnan(columns["n"]).sum() < 200
    assert 0 < sum(value is None for value in columns["t"]) < 200


def test_a_sample_is_the_same_for_the_same_seed():
    model = learned(RNG.normal(size=(20, 2)), np.arange(20) % 2)
    (one, y), (other, z) = (model.sample(50, np.random.default_rng(3)) for _ in range(2))
    assert y.tolist() == z.tolist()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_sample_of_a_class_of_which_a_column_is_unknown():
    x = np.array([["x"], ["y"], [None]], object)
    model = learned(x, [0, 0, 1], families=Categorical(MaximumLikelihood()))
    columns, _ = model.sample(50, np.random.default_rng(0))
    assert set(columns[0]) <= {"x", "y", None}


def test_complement_has_no_sample():
    model = learned([[1, 2], [2, 1]], [0, 1], families="complement")
    with pytest.raises(
        TypeError, match=r"^Complement compares classes and does not describe rows to sample; use Multinomial$"
    ):
        model.sample(3, np.random.default_rng(0))
