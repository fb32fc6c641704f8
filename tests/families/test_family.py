"""The contract that all families keep, beside the laws: values, names, errors."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import sparse

from likely import NaiveBayes, families
from likely.errors import Degenerate
from likely.families import FAMILIES, Categorical, Family, Gaussian, Histogram, Multinomial, Poisson, Text
from likely.families.family import Observations
from likely.priors import Laplace, Prior
from likely.statistics import Frame
from likely.text import Texts

from .blocks import counted, framed, observed

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)


def test_families_are_registered_by_their_names():
    assert [family.__name__.lower() for family in FAMILIES.values()] == [name.replace("_", "") for name in FAMILIES]


def test_all_is_exact():
    public = {name for name, value in vars(families).items() if isinstance(value, type)} | {"FAMILIES"}
    assert set(families.__all__) == public
    assert families.__all__ == sorted(families.__all__, key=lambda name: (not name.isupper(), name))


@every_family
def test_a_family_is_a_value(family):
    """Equal to another with the same options, hashable, and not to be changed."""
    assert family() == family()
    assert hash(family()) == hash(family())
    assert family() != family(prior=Laplace(7.0))
    with pytest.raises(FrozenInstanceError):
        family().prior = Laplace()


@every_family
def test_a_family_has_a_prior_by_default(family):
    prior = family().prior
    assert isinstance(prior, Prior) or (family is Text and prior is None)  # that is chosen


@every_family
def test_a_family_says_what_it_is(family):
    assert repr(family()) == f"{family.__name__}()"
    assert repr(family(prior=Laplace(7.0))) == f"{family.__name__}(prior=Laplace(strength=7.0))"
    assert family.__doc__


@every_family
def test_a_family_can_be_sent_to_another_process(family):
    assert pickle.loads(pickle.dumps(family(prior=Laplace(2)))) == family(prior=Laplace(2))


@every_family
def test_only_what_was_counted_is_needed_to_go_on(family):
    """An empty batch is counted as zero for every class."""
    cells, frame = np.ones((3, 2)), None
    if family.reads == "categories":
        cells, frame = cells.astype(np.int32), Frame(range(2), (np.arange(3), np.arange(2)))
    if family.reads == "text":
        cells = Texts.of(["ab"] * 3)
    frame = framed(family(), observed(cells, [0, 0, 0], 4)) if frame is None else frame
    statistics = counted(family(), observed(cells[:0], [], 4), frame).statistics
    assert statistics.classes == 4
    assert not any(np.any(array) for array in statistics.arrays().values())


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_may_be_named_in_a_model(name):
    for said in (name, name.upper(), FAMILIES[name], FAMILIES[name]()):
        x = ["ab", "cd", "ab", "ef"] if FAMILIES[name].reads == "text" else np.ones((4, 1))
        (block,) = NaiveBayes(said).fit(x, [0, 0, 1, 1]).model_.known.blocks
        assert block.family == (Text(tokens=Text().reading) if name == "text" else FAMILIES[name]())


def test_an_unknown_family_is_named_with_those_known():
    with pytest.raises(ValueError, match=r"'normal' is not a family; the families are bernoulli, categorical"):
        NaiveBayes("normal").fit(np.ones((2, 1)), [0, 1])


def test_a_degenerate_estimate_knows_its_place():
    error = Degenerate("Gaussian has no variance", 2, 1, "give it a prior")
    assert str(error) == "Gaussian has no variance for column 1 in class 2; give it a prior"
    assert (error.of_class, error.column) == (2, 1)


def test_rows_weigh_one_each_unless_they_have_weights():
    cells, y = np.ones((2, 1)), np.zeros(2, np.int32)
    assert Observations(cells, y, 1).weights.tolist() == [1.0, 1.0]
    assert Observations(cells, y, 1, np.array([0.5, 2.0])).weights.tolist() == [0.5, 2.0]


def test_what_is_not_linear_says_so():
    assert Family.linear(Gaussian(), None, Frame([0])) is None
    with pytest.raises(ValueError, match="the boundary is not linear: column 0 is Gaussian"):
        NaiveBayes("gaussian").fit(np.array([[0.1], [0.9], [0.4]]), [0, 1, 1]).linear()


@pytest.mark.parametrize("family", [Poisson(), Gaussian(), Histogram(), Categorical()], ids=repr)
def test_other_families_read_a_sparse_table_as_a_dense_one(family):
    x, y = np.array([[0.0, 2.0], [1.0, 0.0], [3.0, 0.0], [0.0, 5.0]]), [0, 1, 0, 1]
    dense = NaiveBayes(family).fit(x, y).predict_joint_log_proba(x)
    rows = sparse.csr_array(x)
    np.testing.assert_allclose(NaiveBayes(family).fit(rows, y).predict_joint_log_proba(rows), dense)


def test_a_wrong_prior_is_refused_in_one_sentence():
    with pytest.raises(
        TypeError, match=r"^NormalInverseGamma\(\) is no prior for proportions \(.*\); Beta, Dirichlet, .* are$"
    ):
        NaiveBayes(Multinomial(prior=Gaussian().prior)).fit(np.ones((2, 2)), [0, 1])
