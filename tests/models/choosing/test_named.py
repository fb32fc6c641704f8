"""Which family reads which column, as the user says."""

import re

import numpy as np
import pandas as pd
import pytest

from likely.data import read
from likely.families import (
    FAMILIES,
    Categorical,
    Gaussian,
    Histogram,
    Missing,
    MultivariateGaussian,
    Poisson,
)
from likely.models.choosing.named import as_family, named_columns, named_families, names_family, names_none
from likely.priors import Gamma, Laplace, MaximumLikelihood, MEstimate

from ...samples import readable
from .choices import OF_CELLS, ROWS_HERE, Y, chosen, learned

# As the user says


@pytest.mark.parametrize("name", OF_CELLS)
def test_one_family_for_all_columns(name):
    x = readable(name, [[1, 0], [0, 1], [1, 1]])
    for said in (name, name.upper(), FAMILIES[name], FAMILIES[name]()):
        assert learned(x, families=said).chosen_families == {0: FAMILIES[name](), 1: FAMILIES[name]()}


@pytest.mark.parametrize("said", ["auto", None, {}])
def test_nothing_said_is_auto(said, rng):
    assert chosen(rng.normal(size=(ROWS_HERE, 1)), families=said) == ["Gaussian"]


def test_families_by_name_and_by_position(rng):
    frame = pd.DataFrame({"a": rng.poisson(3, 200), "b": rng.poisson(3, 200), "c": rng.poisson(3, 200)})
    said = {"b": Histogram(bins=4), 0: "gaussian", -1: Categorical}
    assert learned(frame, families=said).chosen_families == {
        "a": Gaussian(),
        "b": Histogram(bins=4),
        "c": Categorical(),
    }


def test_the_other_columns_are_chosen(rng):
    frame = pd.DataFrame({"a": rng.poisson(3, ROWS_HERE), "b": rng.poisson(3, ROWS_HERE)})
    assert learned(frame, families={"a": "gaussian"}).chosen_families == {"a": Gaussian(), "b": Poisson()}


def test_a_name_goes_before_a_position():
    frame = pd.DataFrame({1: [1.0, 2.0, 3.0], 0: [4.0, 5.0, 7.0]})
    assert learned(frame, families={0: "histogram", 1: "gaussian"}).chosen_families == {1: Gaussian(), 0: Histogram()}


def test_columns_of_one_family_are_counted_together(rng):
    model = learned(rng.normal(size=(200, 3)), families={0: "gaussian", 1: "histogram", 2: "gaussian"})
    assert [(type(block.family), list(block.columns)) for block in model.blocks] == [
        (Gaussian, [0, 2]),
        (Histogram, [1]),
    ]


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ("d", "families names a column 'd', but the columns are 'a', 'b'"),
        (2, "families names a column 2, but the columns are 'a', 'b'"),
        (-3, "families names a column -3, but the columns are 'a', 'b'"),
    ],
)
def test_a_column_that_is_not_there(column, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        learned(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]}), families={column: "gaussian"})


def test_a_column_that_is_not_there_among_many():
    with pytest.raises(ValueError, match=r"^families names a column 9, but the columns are 0, 1, 2, 3, 4, \.\.\.$"):
        learned(np.ones((2, 7)), families={9: "gaussian"})


@pytest.mark.parametrize("said", [{"a": "gaussian", 0: "histogram"}, {0: "gaussian", -2: "gaussian"}])
def test_a_column_that_is_named_twice_is_refused(said):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 4.0]})
    with pytest.raises(ValueError, match=r"'a'|\b0\b"):
        learned(frame, families=said)


# Columns that vary together


def blocks(model):
    return [(type(block.family), list(block.columns)) for block in model.blocks]


def test_a_tuple_of_columns_is_one_block(rng):
    frame = pd.DataFrame(rng.normal(size=(200, 5)), columns=list("abcde"))
    said = {("d", "a"): MultivariateGaussian(), ("b", -1): MultivariateGaussian(), "c": "gaussian"}
    model = learned(frame, families=said)
    assert blocks(model) == [(MultivariateGaussian, [3, 0]), (MultivariateGaussian, [1, 4]), (Gaussian, [2])]
    assert list(model.chosen_families) == list("abcde")


def test_a_block_scores_like_a_model_of_its_columns(rng):
    x = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3))
    together = learned(x, families={(2, 0): MultivariateGaussian(), 1: "gaussian"}).score(read(x))
    apart = learned(x[:, [2, 0]], families=MultivariateGaussian()).score(read(x[:, [2, 0]]))
    alone = learned(x[:, [1]], families="gaussian").score(read(x[:, [1]]))
    np.testing.assert_allclose(together, apart + alone - np.log(0.5), rtol=1e-12)


def test_a_tuple_of_columns_that_do_not_vary_together_is_no_block_of_its_own(rng):
    model = learned(rng.normal(size=(200, 4)), families={(0, 3): "gaussian", (1, 2): Gaussian()})
    assert blocks(model) == [(Gaussian, [0, 1, 2, 3])]


def test_one_family_for_all_columns_is_one_block(rng):
    assert blocks(learned(rng.normal(size=(50, 3)), families="multivariate_gaussian")) == [
        (MultivariateGaussian, [0, 1, 2])
    ]


def test_each_column_by_itself_is_a_block_by_itself(rng):
    model = learned(rng.normal(size=(50, 2)), families={0: MultivariateGaussian(), 1: MultivariateGaussian()})
    assert blocks(model) == [(MultivariateGaussian, [0]), (MultivariateGaussian, [1])]


def test_the_columns_beside_a_block_are_chosen(rng):
    frame = pd.DataFrame(
        {"p": rng.normal(size=ROWS_HERE), "n": rng.poisson(3, ROWS_HERE), "q": rng.normal(size=ROWS_HERE)}
    )
    model = learned(frame, families={("p", "q"): MultivariateGaussian()})
    assert model.chosen_families == {"p": MultivariateGaussian(), "n": Poisson(), "q": MultivariateGaussian()}


def test_a_name_that_is_a_tuple_is_one_column(rng):
    columns = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    model = learned(pd.DataFrame(rng.normal(size=(50, 2)), columns=columns), families={("a", "c"): "histogram"})
    assert model.chosen_families["a", "c"] == Histogram()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({("a", "d"): "gaussian"}, "families names a column 'd', but the columns are 'a', 'b'"),
        ({("a", "a"): MultivariateGaussian()}, "families names column 'a' twice"),
        ({("a", "b"): MultivariateGaussian(), 1: "gaussian"}, "families names column 'b' twice"),
    ],
)
def test_a_tuple_of_columns_that_cannot_be_meant(said, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        learned(pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [1.0, 2.0, 3.0]}), families=said)


def test_a_tuple_of_no_columns_is_refused():
    with pytest.raises(ValueError, match=r"column"):
        learned(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]), families={(): MultivariateGaussian()})


# What is no family


@pytest.mark.parametrize("said", ["normal", 3, [Gaussian()], object, Laplace()])
def test_what_is_no_family(said):
    names = ", ".join(FAMILIES)
    with pytest.raises(ValueError, match=f"^{re.escape(f'{said!r} is not a family; the families are {names}')}$"):
        as_family(said)


def test_the_choice_is_printable(rng):
    frame = pd.DataFrame({"a": rng.normal(size=ROWS_HERE), "b": rng.poisson(3, ROWS_HERE), "c": Y == 0})
    assert repr(learned(frame).chosen_families) == "{'a': Gaussian(), 'b': Poisson(), 'c': Bernoulli()}"
    smoothed = learned(frame[["c"]], smoothing=MEstimate(2, 0.5))
    assert repr(smoothed.chosen_families) == "{'c': Bernoulli(prior=MEstimate(m=2, p=0.5))}"


def test_smoothing_is_the_prior_of_the_families_chosen_but_not_of_those_given(rng):
    frame = pd.DataFrame({"a": rng.poisson(3, ROWS_HERE), "b": rng.poisson(3, ROWS_HERE)})
    model = learned(frame, smoothing=MaximumLikelihood(), families={"a": Poisson(Gamma(2, 2))})
    assert model.chosen_families == {"a": Poisson(Gamma(2, 2)), "b": Poisson(MaximumLikelihood())}


def test_a_prior_that_does_not_fit_the_family_chosen(rng):
    with pytest.raises(TypeError, match=r"^Gamma\(\) is no prior for "):
        learned(rng.normal(size=(50, 1)), smoothing=Gamma())


@pytest.mark.parametrize("smoothing", ["laplace", 1.0])
def test_smoothing_that_is_no_prior_is_named(smoothing):
    with pytest.raises((TypeError, ValueError), match=re.escape(repr(smoothing))):
        learned(np.array([[1.0], [2.0], [3.0]]), smoothing=smoothing)


# Names alone


@pytest.mark.parametrize(
    ("said", "nothing"), [("auto", True), (None, True), ({}, False), ("gaussian", False), (Gaussian(), False)]
)
def test_whether_all_is_left_to_be_chosen(said, nothing):
    assert names_none(said) is nothing


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        ("gaussian", True),
        ("Text_Bernoulli", True),
        (Gaussian, True),
        (Gaussian(), True),
        ("auto", False),
        ("normal", False),
        (object, False),
        ({}, False),
        (None, False),
    ],
)
def test_what_names_a_family(said, is_one):
    assert names_family(said) is is_one


@pytest.mark.parametrize("said", ["poisson", "POISSON", Poisson, Poisson()])
def test_a_family_by_its_name_its_class_or_itself(said):
    assert as_family(said) == Poisson()


def test_a_family_with_options_is_kept_as_it_is():
    one = Histogram(bins=3)
    assert as_family(one) is one


def test_the_columns_of_each_family_that_is_named():
    said = {"b": "poisson", (2, "a"): MultivariateGaussian()}
    assert named_families(["a", "b", "c"], said) == [(Poisson(), [1]), (MultivariateGaussian(), [2, 0])]
    assert named_columns(["a", "b", "c"], said) == {0, 1, 2}
    assert named_columns(["a", "b", "c"], {-1: "poisson"}) == {2}
    assert named_columns(["a", "b", "c"], "poisson") == {0, 1, 2}
    assert named_columns(["a", "b", "c"], "auto") == set()


def test_a_column_of_which_it_is_named_that_it_may_be_missing_has_that_family():
    frame = pd.DataFrame({"a": [1.0, None, 2.0, None], "b": [1.0, 2.0, 3.0, 5.0]})
    model = learned(frame, families={"a": "missing", "b": "gaussian"})
    assert model.chosen_families == {"a": Missing(), "b": Gaussian()}
    beside = learned(frame, families="gaussian", missing="value")
    assert beside.chosen_families == {"a": Gaussian(), "b": Gaussian()}
