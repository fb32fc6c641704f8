"""Columns that depend on the class, and models that go by them alone."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

from likely import GaussianClassifier, NaiveBayes
from likely.data import read
from likely.families import Histogram
from likely.validation import cross_validate, leave_one_out, relevance
from likely.validation.relevant import ALIKE, _log_factors, log_factors

from .tables import FAMILIES, mixed

RNG = np.random.default_rng(0)


def with_noise(x, columns, seed=0):
    """A table with columns of all kinds that have nothing to do with anything."""
    rng, n = np.random.default_rng(seed), x.num_rows
    kinds = (
        lambda: rng.normal(size=n),
        lambda: rng.integers(6, size=n),
        lambda: rng.random(n) < 0.4,
        lambda: np.array(list("pqrs"))[rng.integers(4, size=n)],
    )
    for i in range(columns):
        x = x.append_column(f"noise {i}", pa.array(kinds[i % 4]()))
    return x


def test_columns_that_tell_are_above_columns_that_do_not():
    x, y = mixed(400)
    found = relevance(NaiveBayes().fit(with_noise(x, 40), y))
    assert set(found.columns[:5]) == set(x.column_names)
    assert len(found.relevant) <= 7
    assert found["number"] > 20 > 0 > np.median(found.log_factors)
    assert len(found) == 45
    with pytest.raises(KeyError, match="there is no column 'x'"):
        found["x"]


def integral(times, x, y):
    """The same by numbers: p(x | y) of bits, with each class's probability drawn about that of all."""
    from scipy import integrate, stats

    share, apart = x.mean(), 1.0
    about = stats.beta(2 * times * share, 2 * times * (1 - share))
    for own in (x[y == k] for k in np.unique(y)):
        apart *= integrate.quad(lambda p, own=own: stats.bernoulli.pmf(own, p).prod() * about.pdf(p), 0, 1)[0]
    return apart / stats.bernoulli.pmf(x, share).prod()


def test_bits_are_integrals():
    x, y = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 1, 1, 1])
    found = relevance(NaiveBayes("bernoulli").fit(x[:, None], y))
    assert_allclose(found[0], np.log(np.mean([integral(times, x, y) for times in ALIKE])), rtol=1e-6)


@pytest.mark.parametrize("family", ["gaussian", "poisson", "categorical", "bernoulli", "histogram", "multinomial"])
def test_noise_has_evidence_against_and_a_copy_of_the_class_has_it_for(family):
    """And with rows imagined without end, the two hypotheses are one."""
    rng, y = np.random.default_rng(1), np.arange(600) % 2
    noise = {"gaussian": rng.normal(size=(600, 30)), "histogram": rng.normal(size=(600, 30))}.get(
        family, rng.integers(2 if family == "bernoulli" else 5, size=(600, 30))
    )
    told = NaiveBayes(family).fit(np.column_stack([noise, noise[:, 0] * 0 + y]), y).model_.known.blocks[0]
    factors = log_factors(told)
    assert (factors[:-1] > 0).mean() < 0.1
    assert factors[-1] > 100
    if family != "histogram":
        # At 1e10 rows the logarithms of gamma functions are some 1e11, and their rounding leaves 2e-4.
        assert_allclose(_log_factors(told.family, told.statistics, told.frame, 1e10), 0, atol=1e-3)


def test_a_factor_is_of_the_sums_alone():
    x, y = mixed(200)
    whole = relevance(NaiveBayes(FAMILIES).fit(x, y))
    parts = NaiveBayes(FAMILIES).fit(x.slice(0, 80), y[:80]).partial_fit(x.slice(80), y[80:])
    assert relevance(parts).columns == whole.columns
    assert_allclose(relevance(parts).log_factors, whole.log_factors, rtol=1e-9)
    assert_allclose(relevance(parts.model_).log_factors, whole.log_factors, rtol=1e-9)


def test_fine_bins_are_also_looked_at_merged():
    y = np.arange(400) % 2
    x = RNG.normal(0.35 * y, 1)[:, None]
    coarse, fine = (log_factors(NaiveBayes(Histogram(bins=n)).fit(x, y).model_.known.blocks[0])[0] for n in (2, 64))
    assert fine > 0
    assert fine > coarse - 3


def test_missing_cells_are_a_column():
    x, y = mixed(300)
    hidden = pa.array([None if label == "red" else 1.0 for label in y])
    found = relevance(NaiveBayes(missing="value").fit(x.append_column("hidden", hidden), y))
    assert found.columns[0] == "hidden missing"


def test_of_gaussian_classifiers_and_texts():
    y = np.arange(90) % 3
    x = np.column_stack([RNG.normal(size=90), RNG.normal(2 * y, 1)])
    assert relevance(GaussianClassifier().fit(x, y)).columns == [1, 0]
    texts = [f"{'spam' if label else 'ham'} and so on" for label in y]
    assert relevance(NaiveBayes().fit(texts, y))[0] > 0


def test_in_print():
    x, y = mixed(200)
    lines = str(relevance(NaiveBayes().fit(with_noise(x, 30), y))).split("\n")
    assert lines[0].split() == ["column", "log", "Bayes", "factor"]
    assert len(lines) == 22
    assert lines[11].split() == ["15", "more", "..."]


def test_select_drops_what_has_no_evidence():
    x, y = mixed(400)
    model = NaiveBayes(select="auto", weights=False).fit(with_noise(x, 40), y)
    plain = NaiveBayes().fit(with_noise(x, 40), y)
    assert list(model.families_) == [name for name in plain.families_ if name in relevance(plain).relevant]
    kept = with_noise(x, 40).select(list(model.families_))
    same = NaiveBayes({name: plain.families_[name] for name in kept.column_names}).fit(kept, y)
    assert_allclose(model.predict_proba(with_noise(x, 40)), same.predict_proba(kept), rtol=1e-9)


def test_random_columns_cost_little_with_select():
    x, y = mixed(400)
    noisy = with_noise(x, 100)
    plain, chosen = (
        cross_validate(NaiveBayes(select="auto", weights=False), table, y, 5).log_loss for table in (x, noisy)
    )
    without = cross_validate(NaiveBayes(weights=False), noisy, y, 5).log_loss
    assert chosen - plain < 0.1
    assert without - plain > 0.15


def test_left_out_the_columns_are_chosen_anew():
    x, y = mixed(200)
    result = leave_one_out(NaiveBayes(select="auto"), with_noise(x, 20), y)
    assert any(note.startswith("The columns that count were chosen 10 times") for note in result.notes)


def test_one_column_is_kept_at_least_and_learning_goes_on():
    y = np.arange(60) % 2
    x = RNG.normal(size=(60, 3))
    model = NaiveBayes("gaussian", select="auto").fit(x, y)
    assert len(model.families_) >= 1
    before = list(model.families_)
    assert list(model.partial_fit(x, y).families_) == before
    assert model.predict(x).shape == (60,)
    assert len(model.explain(x)[0].reasons) == len(before)


def test_what_select_may_be():
    with pytest.raises(ValueError, match="select is 'auto' or None, not True"):
        NaiveBayes(select=True).fit(read(np.zeros((2, 1))), [0, 1])
