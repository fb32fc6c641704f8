"""The strength of priors and the shrinkage of covariances: those of the highest leave-one-out likelihood."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

import likely
from likely import LogisticRegression, NaiveBayes
from likely.data import read
from likely.families import (
    Bernoulli,
    Block,
    Categorical,
    Complement,
    Gaussian,
    Multinomial,
    MultivariateGaussian,
    Poisson,
)
from likely.families.covariance import Shrinkage
from likely.families.family import Observations
from likely.families.shrinkage import GRID
from likely.models.choosing.families import ROWS
from likely.models.choosing.strengths import tuned
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Auto, Laplace

from ...samples import sample_of
from .choices import learned

# Priors


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    many = np.array([f"v{i}" for i in range(30)], object)[(rng.geometric(0.2, n) + 3 * y) % 30]
    return pa.table({"word": many, "bit": rng.random(n) < 0.1 + 0.2 * y, "count": rng.poisson(1 + y)}), y


@pytest.mark.parametrize(
    ("column", "family"), [("word", Categorical), ("bit", Bernoulli), ("count", Poisson), ("count", Gaussian)]
)
def test_the_strength_is_the_best_of_the_grid(column, family):
    """Each row scored by what is counted of all others, anew for every strength."""
    table, y = rows(60)
    sample = sample_of(table.select([column]), y)
    model = NaiveBayesModel(family(prior=Auto())).learn(sample)
    (block,) = model.blocks
    cells, y = block.read(sample.table), sample.y
    logs = []
    for strength in Auto.GRID:
        trial, out = replace(block.family, prior=Auto(strength)), np.zeros((60, 4))
        for i in range(60):
            others = np.arange(60) != i
            counted = trial.count(Observations(cells[others], y[others], 4), block.frame)
            without = Block(trial, block.columns, block.frame, None, counted)
            trial.score(without.parameters, cells[[i]], out[i : i + 1])
        own = out[np.arange(60), y]
        logs.append(np.minimum(own, 0).sum() if column == "count" else own.sum())  # a count takes up one
    prior = model.chosen_families[column].prior
    assert_allclose(prior.tried, list(zip(Auto.GRID, logs, strict=True)), rtol=1e-9)
    assert prior.strength == Auto.GRID[int(np.argmax(logs))]


def test_few_rows_of_many_values_need_less_than_one_of_each():
    table, y = rows(300)
    families = NaiveBayes(smoothing="auto").fit(table, y).families_
    assert families["word"].prior.strength < 1
    assert repr(families["word"]) == f"Categorical(prior=Auto({families['word'].prior.strength:g}))"


def test_a_strength_is_that_of_laplace():
    table, y = rows(300)
    model = NaiveBayes(smoothing="auto", column_weights=False).fit(table.select(["word"]), y)
    chosen = model.families_["word"].prior.strength
    same = NaiveBayes(Categorical(Laplace(chosen))).fit(table.select(["word"]), y)
    assert_allclose(
        model.predict_joint_log_proba(table.select(["word"])),
        same.predict_joint_log_proba(table.select(["word"])),
        rtol=1e-12,
    )


def test_models_of_other_strengths_merge():
    table, y = rows(300)
    words = table.select(["word"])
    one, other = (
        NaiveBayes(smoothing="auto").fit(words.slice(at, n), y[at : at + n]) for at, n in ((0, 40), (40, 260))
    )
    merged = likely.merge([one, other])
    assert merged.families_["word"].prior.strength == one.families_["word"].prior.strength
    assert merged.class_count_.sum() == 300


def test_texts_have_a_tuning_of_their_own():
    texts = [f"{'red' if i % 2 else 'blue'} and some {i} more words" for i in range(40)]
    plain, auto = (NaiveBayes(smoothing=s).fit(texts, np.arange(40) % 2) for s in (None, "auto"))
    assert_allclose(plain.predict_proba(texts), auto.predict_proba(texts))


def test_what_smoothing_is_none():
    with pytest.raises(
        TypeError, match=r"^smoothing is a prior, such as likely.priors.Laplace\(\), or 'auto', not 'of'$"
    ):
        NaiveBayesModel(smoothing="of")


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
    assert learned(x, y, families=MultivariateGaussian()).chosen_families[0].amounts == max(merits, key=merits.get)


def test_nothing_is_tuned_that_was_said(rng):
    x = rng.normal(size=(40, 2))
    model = learned(x, families={0: MultivariateGaussian(shrinkage=0.2), 1: "gaussian"})
    for block in model.blocks:
        assert tuned(block, sample_of(x, np.arange(40) % 2)) is block


def test_tuning_changes_the_family_alone(rng):
    x = rng.normal(size=(40, 2))
    (block,) = learned(x, families=MultivariateGaussian()).blocks
    again = tuned(block, sample_of(x * [1, 50], np.arange(40) % 2))
    assert again.statistics is block.statistics
    assert again.family == block.family


def test_rows_that_weigh_nothing_are_not_tuned_by(rng):
    x, far = rng.normal(size=(60, 3)), rng.normal(size=(60, 3)) * 40
    weight = np.repeat([1.0, 0.0], 60)
    with_far = learned(np.concatenate([x, far]), weight=weight, families=MultivariateGaussian())
    assert with_far.chosen_families[0].amounts == learned(x, families=MultivariateGaussian()).chosen_families[0].amounts


@pytest.mark.parametrize("row", [0, 6, 30_000])
def test_a_larger_table_is_tuned_by_in_part(rng, row):
    x = rng.normal(size=(3 * ROWS + 1, 2))
    assert learned(x, families=MultivariateGaussian("tied")).chosen_families[0].amounts.tied == 1
    x[row, 1] = np.inf
    with pytest.raises(ValueError, match=rf"needs finite numbers, up to 1e150; column 1, row {row}, has inf$"):
        learned(x, families=MultivariateGaussian("tied"))


SPREADS = {
    "alike": lambda rng, y: rng.normal(size=(len(y), 3)),
    "of other spread": lambda rng, y: rng.normal(size=(len(y), 3)) * 9.0 ** y[:, None],
    "along one line": lambda rng, y: rng.normal(size=(len(y), 1)) + 0.2 * rng.normal(size=(len(y), 3)),
    "along another line each": lambda rng, y: (
        np.where(y[:, None] == 0, rng.normal(size=(len(y), 1)), rng.normal(size=(len(y), 1)) * [1, -1, 1])
        + 0.3 * rng.normal(size=(len(y), 3))
    ),
}


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical"])
@pytest.mark.parametrize("rows", [12, 40, 300])
@pytest.mark.parametrize("name", SPREADS)
def test_shrinkage_that_is_chosen_uphill_is_as_good_as_the_best_of_the_grid(name, rows, covariance):
    y = np.arange(rows) % 2
    sample = sample_of(SPREADS[name](np.random.default_rng(rows), y), y)
    family = MultivariateGaussian(covariance)
    (block,) = NaiveBayesModel(family).learn(sample).blocks
    merits = {}
    for tied in GRID:
        for diagonal in GRID:
            amounts = replace(family, tuned_to=Shrinkage(tied, diagonal)).amounts
            trial = replace(block, family=replace(family, tuned_to=amounts))
            merits[amounts] = trial.family.loo_sum(trial, block.observe(sample))
    best = max(merits.values())
    assert merits[block.family.amounts] >= best - 1e-9 * abs(best)


@pytest.mark.parametrize("family", [Multinomial(Auto()), Complement(Auto()), Bernoulli(Auto()), "auto"])
@pytest.mark.parametrize("weighted", [False, True])
def test_of_sparse_rows_the_strength_is_that_of_dense_ones(family, weighted):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 60)
    x = rng.poisson(0.3 + 0.2 * (y[:, None] == np.arange(3).repeat(4)), (60, 12)).astype(float)
    x = np.minimum(x, 1) if isinstance(family, Bernoulli) else x
    weight = rng.choice([0.5, 1.0, 3.0], 60) if weighted else None
    named = Multinomial(Auto()) if family == "auto" else family
    sparse = NaiveBayes(family, smoothing="auto").fit(csr_array(x), y, weight)
    dense = NaiveBayes(named).fit(x, y, weight)
    (ours,), (theirs,) = ([block.family.prior for block in model.model_.blocks] for model in (sparse, dense))
    assert ours.strength == theirs.strength
    assert_allclose(ours.tried, theirs.tried, rtol=1e-9)
    assert_allclose(sparse.predict_proba(csr_array(x)), dense.predict_proba(x))


def test_of_sparse_rows_a_prior_that_chooses_itself():
    x = csr_array(np.array([[1.0, 0], [1, 1], [0, 1], [0, 1]]))
    for family in (Bernoulli(Auto()), Multinomial(Auto())):
        assert NaiveBayes(family).fit(x, [0, 0, 1, 1]).predict(x).tolist() == [0, 0, 1, 1]
    assert LogisticRegression(shrink_to="naive_bayes", smoothing="auto").fit(x, [0, 0, 1, 1]).predict(x).shape == (4,)
