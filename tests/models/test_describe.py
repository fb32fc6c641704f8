"""The parameters as a table, how many there are, and the line that they draw."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from likely.data import read
from likely.families import Bernoulli, Categorical, Complement, Gaussian, Histogram, Multinomial, Poisson
from likely.models.describe import LinearForm, describe, linear
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import MaximumLikelihood

from ..samples import sample_of


def learned(x, y, **options):
    return NaiveBayesModel(**options).learn(sample_of(x, y))


BITS = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [0, 1]])
LABELS = ["b", "b", "a", "a", "a"]


# How many


@pytest.mark.parametrize("d", [1, 2, 5, 16])
def test_bits_take_one_parameter_each_and_class_and_one_for_the_classes(d):
    description = describe(learned(np.eye(d + 1, d, dtype=bool), np.arange(d + 1) % 2, families="bernoulli"))
    assert description.free_parameters == 1 + 2 * d
    assert description.joint_parameters == 2 ** (d + 1) - 1


@pytest.mark.parametrize("classes", [1, 3, 4])
def test_bits_of_several_classes(classes):
    y = np.arange(12) % classes
    description = describe(learned(np.eye(12, 3, dtype=bool), y, families="bernoulli"))
    assert description.free_parameters == classes - 1 + classes * 3
    assert description.joint_parameters == classes * 2**3 - 1


@pytest.mark.parametrize(
    ("family", "per_class"),
    [
        (Gaussian(), 4),
        (Poisson(), 2),
        (Multinomial(), 1),
        (Categorical(), 2 + 3),
        (Categorical(unseen=False), 1 + 2),
        (Histogram(bins=(-0.5, 0.5, 1.5, 2.5)), 4),
    ],
    ids=repr,
)
def test_parameters_of_other_families(family, per_class):
    x = np.array([[0, 2], [1, 0], [0, 1], [1, 2]])
    description = describe(learned(x, [0, 1, 0, 1], families=family))
    assert description.free_parameters == 1 + 2 * per_class
    assert description.joint_parameters is None


def test_weights_and_bias_in_print():
    weights, bias = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([0.25, -3.0])
    form = LinearForm(np.array(["a", "b"]), weights, bias, [("x", None), ("c", "red")])
    assert [line.split() for line in str(form).splitlines()] == [
        ["a", "b"],
        ["x", "1", "0.5"],
        ["c", "red", "2", "-1"],
        ["bias", "0.25", "-3"],
    ]


def test_parameters_of_a_mixed_table_add_up():
    frame = pd.DataFrame({"n": [1.0, 2.0, 4.0, 3.0], "t": ["x", "y", "z", "x"], "b": [True, False, True, True]})
    said = {"n": "gaussian"}
    assert describe(learned(frame, [0, 1, 0, 1], families=said)).free_parameters == 1 + 2 * (2 + 3 + 1)


def test_absences_are_parameters_and_no_bits_of_the_table():
    x = np.array([[True], [False], [True]])
    description = describe(learned(x, [0, 1, 1], missing="value"))
    assert description.free_parameters == 1 + 2 * 2
    assert description.joint_parameters is None


# Lines


def test_lines_of_bits():
    description = describe(learned(BITS, LABELS, families="bernoulli"))
    assert description.classes.tolist() == ["a", "b"]
    assert_allclose(description.prior, [0.6, 0.4], rtol=1e-15)
    (first, name, p), (second, _, q) = description.lines
    assert (first, second, name) == (0, 1, "probability of 1")
    assert_allclose(p, [1 / 5, 3 / 4], rtol=1e-15)
    assert_allclose(q, [3 / 5, 2 / 4], rtol=1e-15)


def test_lines_come_in_the_order_of_the_columns():
    frame = pd.DataFrame({"t": ["x", "y", "x"], "n": [1.0, 2.0, 4.0], "u": ["p", "p", "q"]})
    description = describe(learned(frame, [0, 1, 1], families={"n": "gaussian"}, missing="value"))
    assert list(dict.fromkeys(line[0] for line in description.lines)) == [
        "t",
        "t missing",
        "n",
        "n missing",
        "u",
        "u missing",
    ]


def test_probabilities_of_categories():
    description = describe(learned([["x"], ["y"], ["x"]], [0, 0, 1], families="categorical"))
    lines = {name: values.tolist() for _, name, values in description.lines}
    assert list(lines) == ["probability of 'x'", "probability of 'y'"]
    assert_allclose(lines["probability of 'x'"], [2 / 5, 2 / 4], rtol=1e-15)
    assert_allclose(lines["probability of 'y'"], [2 / 5, 1 / 4], rtol=1e-15)


def test_as_text():
    assert str(describe(learned(BITS, LABELS, families="bernoulli"))).splitlines() == [
        "                           a     b",
        "class  probability       0.6   0.4",
        "0      probability of 1  0.2  0.75",
        "1      probability of 1  0.6   0.5",
        "5 parameters; the full joint distribution would have 7",
    ]


def test_very_many_bits_can_be_printed():
    text = str(describe(learned(np.eye(2, 15_000, dtype=bool), [0, 1], families="bernoulli")))
    assert "30001 parameters" in text


def test_parameters_that_do_not_exist():
    model = learned([[1.0], [1.5]], ["a", "b"], families=Gaussian(MaximumLikelihood()))
    sentence = "Gaussian has no variance for column 0 in class 'a'; give it a prior, or leave the column out"
    for work in (describe, linear):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            work(model)


# Linear


def features(x, line):
    """The features that a line speaks of, by a loop: a column's number, or whether it holds a value."""
    frame = x if isinstance(x, pd.DataFrame) else pd.DataFrame(np.asarray(x))
    table = np.zeros((len(frame), len(line.features)))
    for at, (column, value) in enumerate(line.features):
        for i, cell in enumerate(frame[column]):
            if isinstance(value, tuple):
                table[i, at] = value[0] <= cell < value[1]
            else:
                table[i, at] = cell if value is None else cell == value
    return table


X = np.random.default_rng(0).integers(0, 4, (40, 3))
Y = np.random.default_rng(1).integers(0, 3, 40)


def test_bernoulli_is_linear():
    bits = (X > 1).astype(float)
    model = learned(bits, Y, families="bernoulli")
    line = linear(model)
    assert_allclose(bits @ line.weights.T + line.bias, model.score(read(bits)), rtol=1e-12)
    assert line.features == [(0, None), (1, None), (2, None)]
    assert line.classes.tolist() == [0, 1, 2]


def test_the_bias_of_bernoulli_is_the_score_of_a_row_of_zeros():
    line = linear(learned(BITS, LABELS, families="bernoulli"))
    expected = [np.log(0.6) + np.log(4 / 5) + np.log(2 / 5), np.log(0.4) + np.log(1 / 4) + np.log(2 / 4)]
    assert_allclose(line.bias, expected, rtol=1e-14)
    assert_allclose(line.weights[0], np.log([(1 / 5) / (4 / 5), (3 / 5) / (2 / 5)]), rtol=1e-14)


def test_poisson_is_linear_but_for_what_is_the_same_in_every_class():
    model = learned(X, Y, families="poisson")
    line = linear(model)
    same = gammaln(X + 1).sum(axis=1, keepdims=True)
    assert_allclose(X @ line.weights.T + line.bias - same, model.score(read(X)), rtol=1e-12)


@pytest.mark.parametrize("family", [Multinomial(), Complement(), Complement(normalise=True)], ids=repr)
def test_bags_of_tokens_are_linear(family):
    model = learned(X, Y, families=family)
    line = linear(model)
    assert_allclose(X @ line.weights.T + line.bias, model.score(read(X)), rtol=1e-12)


def test_categorical_is_linear_in_the_indicators_of_its_values():
    model = learned(X, Y, families="categorical")
    line = linear(model)
    assert sorted(line.features) == [(column, value) for column in range(3) for value in range(4)]
    assert_allclose(features(X, line) @ line.weights.T + line.bias, model.score(read(X)), rtol=1e-12)


def test_histogram_is_linear_in_the_indicators_of_its_bins():
    x = X + np.random.default_rng(2).uniform(0.1, 0.9, X.shape)
    model = learned(x, Y, families=Histogram(bins=(0.0, 1.0, 2.5, 4.0)))
    line = linear(model)
    assert line.features[:3] == [(0, (0.0, 1.0)), (0, (1.0, 2.5)), (0, (2.5, 4.0))]
    assert_allclose(features(x, line) @ line.weights.T + line.bias, model.score(read(x)), rtol=1e-12)


def test_a_mixed_table_is_linear():
    frame = pd.DataFrame({"t": np.array(["x", "y", "z", "w"])[X[:, 0]], "n": X[:, 1], "b": X[:, 2] > 1})
    model = learned(frame, Y, families={"n": "poisson"})
    line = linear(model)
    same = gammaln(X[:, [1]] + 1)
    assert_allclose(features(frame, line) @ line.weights.T + line.bias - same, model.score(read(frame)), rtol=1e-12)


def test_absence_is_a_feature():
    table = pa.table({"t": ["x", None, "y", None]})
    model = learned(table, [0, 1, 0, 0], missing="value")
    line = linear(model)
    assert line.features == [("t", "x"), ("t", "y"), ("t missing", None)]
    rows = np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]])
    assert_allclose(rows @ line.weights.T + line.bias, model.score(read(table)), rtol=1e-12)


def test_gaussian_is_refused():
    sentence = "the boundary is not linear: column 1 is Gaussian, whose score is no linear function of it"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        linear(learned(X.astype(float), Y, families={0: "poisson", 1: "gaussian", 2: "poisson"}))


def test_a_column_that_is_always_one_in_a_class_gives_no_nan():
    x = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
    model = learned(x, [0, 0, 1, 1], families=Bernoulli(MaximumLikelihood()))
    try:
        line = linear(model)
    except ValueError:
        return
    assert_allclose(x @ line.weights.T + line.bias, model.score(read(x)), rtol=1e-12)
