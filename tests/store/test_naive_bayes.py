"""Every family, prior and option goes through a file, answers to the bit as before, and learns on."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import random_array

from likely import store
from likely.data import read
from likely.families import (
    Bernoulli,
    Categorical,
    Complement,
    Gaussian,
    Histogram,
    Multinomial,
    MultivariateGaussian,
    Poisson,
    Text,
    TextBernoulli,
    TextComplement,
    TextMultinomial,
)
from likely.limits import Within
from likely.models.gaussian import GaussianModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import (
    Beta,
    Dirichlet,
    Gamma,
    InverseWishart,
    Laplace,
    MaximumLikelihood,
    MEstimate,
    Normal,
    NormalInverseGamma,
)
from likely.statistics import Vocabulary
from likely.text import Tokens

from ..samples import sample_of

RNG = np.random.default_rng(3)
ROWS = 60
Y = RNG.choice(["even", "odd", "neither"], ROWS)
BITS, COUNTS, NUMBERS = RNG.integers(0, 2, (ROWS, 3)), RNG.poisson(2, (ROWS, 3)), RNG.normal(size=(ROWS, 3))
NUMBERS[RNG.random((ROWS, 3)) < 0.1] = np.nan
SENTENCES = [" ".join(RNG.choice(["a word", "ünd", "noch", "ein", "\ud800", "xx"], 5)) for _ in range(ROWS)]

CASES: list[tuple[Any, Any]] = [
    *((BITS, Bernoulli(prior)) for prior in (Laplace(), Beta(2, 3), MEstimate(2, 0.3), MaximumLikelihood())),
    (NUMBERS, Bernoulli(threshold=0.5)),
    *((COUNTS, Poisson(prior)) for prior in (Gamma(1, 2, "mean"), Gamma(2, 2, "mode"), MEstimate(1.0, 2.0))),
    *((COUNTS, Categorical(prior)) for prior in (Dirichlet(0.5), Laplace(0.1))),
    (NUMBERS, Categorical()),
    (COUNTS > 1, Categorical()),
    (COUNTS, Categorical(Within(0.01, {2: 0.5}, Laplace()))),
    (COUNTS.astype(np.uint64) + 2**63, Categorical()),
    (COUNTS, Multinomial(Dirichlet([1.0, 2.0, 3.0]))),
    (COUNTS, Multinomial(Dirichlet(np.array([1.0, 2.0, 3.0])))),
    (COUNTS, Multinomial(MEstimate(3, (0.2, 0.3, 0.5)))),
    (COUNTS, Complement()),
    *((NUMBERS, Gaussian(prior)) for prior in (NormalInverseGamma(0.0, 1.0, 2.0, 3.0), MaximumLikelihood())),
    *((NUMBERS, Histogram(bins=bins)) for bins in ("auto", 3, (-9.0, -1.0, 0.5, 9.0))),
    *((NUMBERS, MultivariateGaussian(of)) for of in ("full", "tied", "diagonal", "spherical")),
    (NUMBERS, MultivariateGaussian("full", (0.1, 0.2), InverseWishart(np.eye(3), 4.0), Normal(0.0, np.eye(3)))),
    *((SENTENCES, family()) for family in (Text, TextMultinomial, TextBernoulli, TextComplement)),
    (SENTENCES, Text(tokens=Tokens((1, 2), minimum=2, stop=frozenset({"noch"})))),
    (SENTENCES, TextMultinomial(Tokens(hashing=32))),
    (SENTENCES, TextMultinomial(vocabulary=("xx", "noch", "never"))),
    (SENTENCES, "auto"),
    (NUMBERS, "auto"),
    (NUMBERS, Gaussian),
    (NUMBERS, {0: "gaussian", (1, 2): MultivariateGaussian("tied")}),
    (random_array((ROWS, 300), density=0.02, rng=RNG, data_sampler=lambda size: RNG.integers(1, 5, size)), "auto"),
    (pa.table({f"column {i}": RNG.choice(["p", "q"], ROWS).tolist() for i in range(150)}), "auto"),
]  # fmt: skip


def through_file(model: Any, file: Any, origin: store.Origin | None = None) -> Any:
    store.save(file, model, origin or store.Origin())
    return store.load(file).model


@pytest.mark.parametrize(
    ("x", "families"), CASES, ids=lambda value: repr(value)[:60] if not hasattr(value, "shape") else ""
)
def test_a_model_goes_through_a_file_to_the_bit(x: Any, families: Any, file: Any) -> None:
    sample = sample_of(x, Y)
    model = NaiveBayesModel(families, missing="value" if x is NUMBERS else "ignore").learn(sample)
    found = through_file(model, file)
    np.testing.assert_array_equal(found.score(sample.table), model.score(sample.table))
    np.testing.assert_array_equal(found.loo_scores(sample), model.loo_scores(sample))
    assert [repr(block.family) for block in found.blocks] == [repr(block.family) for block in model.blocks]
    assert [list(block.frame.columns) for block in found.blocks] == [list(each.frame.columns) for each in model.blocks]
    assert (found.names, found.kinds) == (model.names, model.kinds)


@pytest.mark.parametrize(
    ("x", "families"), CASES, ids=lambda value: repr(value)[:60] if not hasattr(value, "shape") else ""
)
def test_a_model_from_a_file_learns_forgets_and_merges_on(x: Any, families: Any, file: Any) -> None:
    sample = sample_of(x, Y)
    before = model = NaiveBayesModel(families).learn(sample)
    found = through_file(model, file)
    for change in (
        lambda m: m.learn(sample),
        lambda m: m.merge(before),
        lambda m: m.forget(sample),
        lambda m: m.retuned(sample),
        lambda m: m.decay(0.5),
    ):
        model, found = change(model), change(found)
        np.testing.assert_array_equal(found.score(sample.table), model.score(sample.table))


@pytest.mark.parametrize("weight", [None, RNG.choice([0.5, 1.0, 2.5], ROWS)], ids=["counts", "weights"])
@pytest.mark.parametrize(
    "class_prior", ["uniform", Dirichlet(2.0), (0.25, 0.5, 0.25), {"even": 0.5, "neither": 0.5, "odd": 0.0}], ids=str
)
def test_class_priors_and_weights_go_through_a_file(class_prior: Any, weight: Any, file: Any) -> None:
    table = read(NUMBERS)
    model = NaiveBayesModel(class_prior=class_prior, smoothing=Laplace(2.0)).learn(sample_of(table, Y, weight))
    found = through_file(model, file)
    np.testing.assert_array_equal(found.predict_proba(table), model.predict_proba(table))
    assert found.class_prior == class_prior
    assert found.smoothing == Laplace(2.0)


def test_weights_of_columns_go_through_a_file(file: Any) -> None:
    y = RNG.integers(0, 2, 300)
    sample = sample_of(np.repeat(RNG.normal(y, 1.0)[:, None], 4, axis=1), np.array(["a", "b"])[y])
    for select in (None, "auto"):
        model = NaiveBayesModel(select=select).learn(sample)
        found = through_file(model, file)
        assert found.select == select
        assert found.blocks[0].column_weights is not None
        np.testing.assert_array_equal(found.score(sample.table), model.score(sample.table))
        np.testing.assert_array_equal(found.loo_scores(sample), model.loo_scores(sample))


def test_a_gaussian_classifier_goes_through_a_file(file: Any) -> None:
    table = read(NUMBERS)
    model = GaussianModel(MultivariateGaussian("full"), class_prior="uniform").learn(sample_of(table, Y))
    found = through_file(model, file)
    assert type(found) is GaussianModel
    np.testing.assert_array_equal(found.squared_distances(table), model.squared_distances(table))
    assert found.family.tuned_to == model.family.tuned_to


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 1, 2], np.int8), np.array([1.0, -2.0, 5.0], np.float32), np.array(["b", "a", "ccc"]),
        np.array([True, False, True]), np.array(["\N{SNOWMAN}", "b", "a"], object), np.array([2**63, 1, 2], np.uint64),
    ],
    ids=lambda labels: str(labels.dtype),
)  # fmt: skip
def test_classes_of_any_type(labels: Any, file: Any) -> None:
    model = NaiveBayesModel().learn(sample_of(NUMBERS, np.resize(labels, ROWS)))
    found = through_file(model, file)
    assert found.classes.dtype == model.classes.dtype
    assert found.classes.tolist() == model.classes.tolist()


def test_names_that_are_no_text(file: Any) -> None:
    import pandas as pd

    frame = pd.DataFrame(NUMBERS, columns=[("a", 1), ("a", 2), ("b", 1)])
    model = NaiveBayesModel().learn(sample_of(frame, Y))
    assert through_file(model, file).names == (("a", 1), ("a", 2), ("b", 1))


def test_what_a_file_does_not_hold_is_named(file: Any) -> None:
    class Own(Poisson):
        pass

    model = NaiveBayesModel(Own()).learn(sample_of(COUNTS, Y))
    with pytest.raises(TypeError, match="a model file does not hold Own"):
        store.save(file, model, store.Origin())
    assert not file.exists()


def test_words_are_looked_up_without_a_table_of_all_until_many_texts_come(file: Any) -> None:
    model = NaiveBayesModel(TextMultinomial()).learn(sample_of(SENTENCES, Y))
    found = through_file(model, file)
    words = found.blocks[0].statistics.words
    assert isinstance(words, Vocabulary)
    for row in range(3):
        one = read(SENTENCES[row : row + 1])
        np.testing.assert_array_equal(found.score(one), model.score(one))
    assert not words.tabled
    many = read(SENTENCES * 2000)
    np.testing.assert_array_equal(found.score(many), model.score(many))
    assert words.tabled


def test_many_columns(file: Any) -> None:
    names = [f"column {j}" for j in range(20_000)]
    table = read(pa.table([pa.array([j % 7, 2, 3]) for j in range(20_000)], names=names))
    model = NaiveBayesModel("poisson").learn(sample_of(table, [0, 1, 1]))
    found = through_file(model, file)
    assert found.names == tuple(names)
    np.testing.assert_array_equal(found.score(table), model.score(table))
