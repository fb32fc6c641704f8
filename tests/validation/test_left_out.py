"""Leave one out, against a fit without each row."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.families import FAMILIES as REGISTRY
from likely.families import (
    Bernoulli,
    Categorical,
    Complement,
    Gaussian,
    Histogram,
    Missing,
    Multinomial,
    MultivariateGaussian,
    Poisson,
    Text,
    TextBernoulli,
    TextComplement,
    TextMultinomial,
)
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Dirichlet, Laplace, MEstimate
from likely.text import Tokens
from likely.validation import leave_one_out
from likely.validation.learner import learner
from likely.validation.rows import folds

from ..samples import sample_of
from .tables import FAMILIES, mixed

RNG = np.random.default_rng(5)
N = 45
Y = np.array(["red", "green", "blue"])[(np.arange(N) * 7 % 5) % 3]
CODE = np.unique(Y, return_inverse=True)[1]
WORDS = np.array(["ham", "spam", "egg", "toast", "tea", "rare"])


def holes(values, missing=np.nan):
    values = np.array(values, object)
    values[RNG.random(values.shape) < 0.1] = None
    return values


def table(**columns):
    return pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})


NUMBERS = table(a=holes(RNG.normal(CODE, 1)), b=holes(RNG.normal(0, 1 + CODE)))
WHOLE = RNG.normal(CODE[:, None], 1, (N, 3)) @ RNG.normal(size=(3, 3))
COUNTS = RNG.poisson(0.5 + np.abs(np.subtract.outer(CODE, np.arange(4))))
TEXTS = [
    " ".join(WORDS[(RNG.integers(0, 4, 1 + i % 4) + c) % 6]) + f" only{i}" * (i % 3 == 0) for i, c in enumerate(CODE)
]

CASES = {
    "gaussian": (Gaussian(), NUMBERS),
    "histogram": (Histogram(bins=(-3, -1, 0, 0.5, 1, 4)), NUMBERS),
    "poisson": (Poisson(), table(a=holes(RNG.poisson(1 + CODE)), b=holes(RNG.poisson(2, N)))),
    "bernoulli": (Bernoulli(), table(a=holes(RNG.random(N) < 0.2 + 0.3 * CODE), b=holes(RNG.random(N) < 0.5))),
    "categorical": (
        Categorical(),
        table(
            a=holes(WORDS[(RNG.integers(0, 3, N) + CODE) % 5]),
            b=holes([f"w{i if i % 9 == 0 else i % 3}" for i in range(N)]),
        ),
    ),
    "multinomial": (Multinomial(), COUNTS),
    "complement": (Complement(), COUNTS),
    "multivariate_gaussian": (MultivariateGaussian("full", 0.2), WHOLE),
    "missing": (Missing(), NUMBERS),
    "text_multinomial": (TextMultinomial(), TEXTS),
    "text_bernoulli": (TextBernoulli(), TEXTS),
    "text_complement": (TextComplement(), TEXTS),
}
POSITIVE = table(a=holes(RNG.exponential(1 + CODE)), b=holes(RNG.exponential(2, N)))
CASES |= {name: (family(), POSITIVE) for name, family in REGISTRY.items() if name not in CASES and family is not Text}
"""A family with nothing left to choose, and rows for it: positive numbers if it is not named. Some categories, and some
words, only one row has."""

MORE = {
    **{
        f"{shape} covariance": (MultivariateGaussian(shape, shrink), WHOLE)
        for shape in ("full", "tied", "diagonal", "spherical")
        for shrink in (0.0, 0.4)
    },
    "no mass for what is new": (Categorical(MEstimate(2.0)), CASES["categorical"][1]),
    "pairs of words": (TextMultinomial(Tokens(ngrams=(1, 2))), TEXTS),
}


def refits(model, x, y, weight=None):
    """p(y | x) of each row by a model that has learned all others and nothing else."""
    whole = sample_of(x, y, weight)
    found = np.zeros((len(y), len(whole.classes)))
    for i in range(len(y)):
        one = np.array([i])
        found[i] = model.learn(whole.without(one)).predict_proba(whole.table.take(one))
    return found


@pytest.mark.parametrize("prior", ["frequencies", "uniform", Dirichlet(2.0), (0.2, 0.3, 0.5)], ids=str)
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("name", CASES)
def test_fast_is_slow_for_every_family(name, weighted, prior):
    family, x = CASES[name]
    weight = RNG.choice([0.5, 1.0, 2.0, 3.7], N) if weighted else None
    model = NaiveBayesModel(family, class_prior=prior)
    result = leave_one_out(model, x, Y, sample_weight=weight)
    assert not [note for note in result.notes if "chosen" in note]
    assert_allclose(result.probabilities, refits(model, x, Y, weight), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", MORE)
def test_fast_is_slow_for_options(name):
    family, x = MORE[name]
    model = NaiveBayesModel(family)
    assert_allclose(leave_one_out(model, x, Y).probabilities, refits(model, x, Y), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("prior", [Laplace(), Laplace(0.1), MEstimate(3.0)], ids=str)
@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_fast_is_slow_for_a_mixed_table(missing, prior):
    x, y = mixed()
    families = FAMILIES | {"name": Categorical(prior)}
    model = NaiveBayesModel(families, missing=missing)
    assert_allclose(leave_one_out(model, x, y).probabilities, refits(model, x, y), rtol=1e-9, atol=1e-9)


def test_a_category_of_one_row_is_judged_as_unknown():
    family, x = CASES["categorical"]
    kept, anew = (leave_one_out(NaiveBayesModel(family), x, Y, frame=frame) for frame in ("kept", "refit"))
    cells = x["b"].to_pylist()
    alone = [i for i, cell in enumerate(cells) if cell is not None and cells.count(cell) == 1]
    assert len(alone) > 2
    assert anew.notes == (
        f"{len(alone)} rows have a category that no other row has; they are judged with that category unknown.",
    )
    differ = np.abs(kept.probabilities - anew.probabilities).max(axis=1) > 1e-12
    assert np.flatnonzero(differ).tolist() == alone
    impossible = NaiveBayesModel(Categorical(unseen=False))
    found = leave_one_out(impossible, x, Y)
    assert_allclose(found.probabilities, refits(impossible, x, Y), rtol=1e-9, atol=1e-9)


def test_what_rows_choose_is_chosen_without_them():
    """Of each tenth: the frame by the others, the sums by all rows but one."""
    x, y = mixed(80)
    result = leave_one_out(NaiveBayes(), x, y, seed=3)
    bound = learner(NaiveBayes(), x, y)
    part = folds(10, bound.sample.y, np.random.default_rng(3), False, None)
    for i in range(0, 80, 7):
        others, rest = np.flatnonzero(part != part[i]), np.flatnonzero(part == part[i])
        learned = bound.learn_more(bound.learn(others), others, rest[rest != i])
        p = np.exp(bound.answer(learned, np.array([i])).log_p[0])
        assert_allclose(result.probabilities[i], p, rtol=1e-9, atol=1e-9)
    assert result.notes[0].startswith("The families, the bins and the weights were chosen 10 times, each")
    assert result.model.class_count_.sum() == 80


def test_a_frame_that_is_kept_is_said_to_be():
    x, y = mixed(80)
    result = leave_one_out(NaiveBayes(), x, y, frame="kept")
    expected = NaiveBayes().fit(x, y)
    scores = expected.loo_scores(x, y)
    assert_allclose(result.scores, scores)
    assert (
        result.notes[0]
        == "The families, the bins and the weights were chosen on all rows: these figures may be too good."
    )


@pytest.mark.parametrize("shape", ["full", "tied", "diagonal", "spherical"])
def test_gaussian_classifiers(shape):
    exact = leave_one_out(GaussianClassifier(shape, shrinkage=0.3), WHOLE, Y)
    expected = cross_val_predict(
        GaussianClassifier(shape, shrinkage=0.3), WHOLE, Y, cv=LeaveOneOut(), method="predict_proba"
    )
    assert_allclose(exact.probabilities, expected, rtol=1e-9, atol=1e-9)
    chosen = leave_one_out(GaussianClassifier(shape), WHOLE, Y)
    assert chosen.notes[0].startswith("The options of MultivariateGaussian for 0, 1, 2 were chosen 10 times")


def test_logistic_regression_is_near_its_refits_and_says_how_near():
    x, y = RNG.normal(size=(120, 4)), RNG.integers(3, size=120)
    x += 0.7 * y[:, None]
    for labels in (y, y == 1):
        result = leave_one_out(LogisticRegression(), x, labels)
        expected = cross_val_predict(LogisticRegression(), x, labels, cv=LeaveOneOut(), method="predict_proba")
        off = np.abs(result.probabilities - expected).max(axis=1)
        assert off.max() < 0.01
        some = np.argsort(-result.leverage, kind="stable")[:5]
        assert_allclose(result.worst, off[some].max(), atol=1e-4)
        assert result.notes[0].startswith("Approximate: of the 5 rows of highest leverage (up to 0.")


def test_rows_that_one_step_cannot_tell_are_fitted_again():
    x, y = np.append(RNG.normal(size=40), 30.0)[:, None], np.append(np.arange(40) % 2, 1)
    y[:40][x[:40, 0] > 0.3] = 1
    y[40] = 0  # far out on the wrong side: it moves all weights
    result = leave_one_out(LogisticRegression(C=100.0), x, y)
    expected = cross_val_predict(LogisticRegression(C=100.0), x, y, cv=LeaveOneOut(), method="predict_proba")
    assert result.notes[1] == "For 1 row the approximation is not good enough: the model was fitted again without it."
    assert_allclose(result.probabilities[40], expected[40], atol=1e-4)


def test_what_logistic_regression_chose_is_said():
    x, y = mixed(90)
    result = leave_one_out(LogisticRegression(C="auto", shrink_to="naive_bayes"), x, y)
    chosen = "The families, the bins, the weights and the values of C"
    assert f"{chosen} were chosen on all rows: these figures may be too good." in result.notes


def test_any_other_classifier_is_fitted_again():
    result = leave_one_out(GaussianNB(), WHOLE, Y)
    expected = cross_val_predict(GaussianNB(), WHOLE, Y, cv=LeaveOneOut(), method="predict_proba")
    assert_allclose(result.probabilities, expected)
    assert result.how == "GaussianNB, leave-one-out: 45 fits"


def test_a_class_of_one_row():
    y = Y.copy()
    y[0] = "lone"
    result = leave_one_out(NaiveBayes("gaussian"), NUMBERS, y)
    assert result.probabilities[0, result.classes == "lone"] == 0
    assert not result.right[0]


def test_an_unknown_frame():
    with pytest.raises(ValueError, match="the frame is 'refit' or 'kept', not 'new'"):
        leave_one_out(NaiveBayes(), WHOLE, Y, frame="new")


def test_a_cell_that_the_family_chosen_without_it_cannot_count():
    """One 0 among numbers above 0: the nine tenths without it choose the log-normal."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 60)
    x = np.exp(rng.normal(np.where(y == "a", 0, 2)))[:, None]
    x[7] = 0
    found = leave_one_out(NaiveBayesModel(), x, y)
    assert np.isfinite(found.log_loss)
    assert any("12 rows are judged with choices made on all rows" in note for note in found.notes)
