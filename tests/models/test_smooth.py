"""The strength of priors: that of the highest left-out likelihood."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

import likely
from likely import NaiveBayes
from likely.data import encode_target, read
from likely.families import Bernoulli, Categorical, Gaussian, Poisson
from likely.models.naive_bayes import NaiveBayes as Model
from likely.priors import Auto, Laplace


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
    model = Model(family(prior=Auto()))
    model.learn(read(table.select([column])), *encode_target(y))
    block = model.known.blocks[0]
    cells, y = block.read(read(table.select([column])), slice(None)), y.astype(np.int32)
    logs = []
    for strength in Auto.GRID:
        trial, out = replace(block.family, prior=Auto(strength)), np.zeros((60, 4))
        for i in range(60):
            others = np.arange(60) != i
            counted = trial.count(cells[others], y[others], 4, None, block.frame)
            trial.score(trial.estimate(counted, block.frame), cells[[i]], out[i : i + 1])
        own = out[np.arange(60), y]
        logs.append(np.minimum(own, 0).sum() if column == "count" else own.sum())  # a count takes up one
    prior = model.chosen[column].prior
    assert_allclose(prior.tried, list(zip(Auto.GRID, logs, strict=True)), rtol=1e-9)
    assert prior.strength == Auto.GRID[int(np.argmax(logs))]


def test_few_rows_of_many_values_need_less_than_one_of_each():
    table, y = rows(300)
    families = NaiveBayes(smoothing="auto").fit(table, y).families_
    assert families["word"].prior.strength < 1
    assert repr(families["word"]) == f"Categorical(prior=Auto({families['word'].prior.strength:g}))"


def test_a_strength_is_that_of_laplace():
    table, y = rows(300)
    model = NaiveBayes(smoothing="auto", weights=False).fit(table.select(["word"]), y)
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


def test_texts_have_dials_of_their_own():
    texts = [f"{'red' if i % 2 else 'blue'} and some {i} more words" for i in range(40)]
    plain, auto = (NaiveBayes(smoothing=s).fit(texts, np.arange(40) % 2) for s in (None, "auto"))
    assert_allclose(plain.predict_proba(texts), auto.predict_proba(texts))


def test_what_smoothing_is_none():
    with pytest.raises(
        TypeError, match=r"^smoothing is a prior, such as likely.priors.Laplace\(\), or 'auto', not 'of'$"
    ):
        Model(smoothing="of")
