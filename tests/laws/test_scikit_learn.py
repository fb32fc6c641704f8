"""The same model in scikit-learn gives the same numbers, to 1e-10: dense and sparse, weighted, with several priors."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

from likely import NaiveBayes
from likely.families import Bernoulli, Categorical, Complement, Gaussian, Multinomial
from likely.priors import Dirichlet, Laplace, MaximumLikelihood, MEstimate

ROWS, COLUMNS = 400, 7
SAME = {"rtol": 1e-10, "atol": 1e-10}

weighted = pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
alphas = pytest.mark.parametrize("alpha", [1e-3, 0.5, 1.0, 10.0])
layouts = pytest.mark.parametrize("layout", [np.asarray, sparse.csr_matrix, sparse.csc_array], ids=lambda f: f.__name__)


@pytest.fixture(scope="module")
def rng() -> np.random.Generator:
    return np.random.default_rng(17)


@pytest.fixture(scope="module")
def y(rng) -> np.ndarray:
    return rng.choice(["one", "three", "two"], ROWS, p=[0.6, 0.1, 0.3])


@pytest.fixture(scope="module")
def code(y) -> np.ndarray:
    return np.unique(y, return_inverse=True)[1]


@pytest.fixture(scope="module")
def weight(rng) -> np.ndarray:
    return rng.choice([0.0, 0.3, 1.0, 2.5], ROWS)


@pytest.fixture(scope="module")
def bits(rng, code) -> np.ndarray:
    return (rng.random((ROWS, COLUMNS)) < rng.random((3, COLUMNS))[code]).astype(np.float64)


@pytest.fixture(scope="module")
def tokens(rng, code) -> np.ndarray:
    return rng.poisson(rng.gamma(0.7, 1.5, (3, COLUMNS))[code]).astype(np.float64)


@pytest.fixture(scope="module")
def numbers(rng, code) -> np.ndarray:
    return rng.normal(rng.normal(size=(3, COLUMNS))[code], rng.gamma(2, 1, (3, COLUMNS))[code])


@pytest.fixture(scope="module")
def categories(rng, code) -> np.ndarray:
    """Columns of 2 to 8 values; all values of each occur."""
    sizes = np.arange(2, 2 + COLUMNS)
    drawn = np.floor(sizes * rng.random((ROWS, COLUMNS)) ** (1 + code[:, None])).astype(np.int64)
    drawn[: sizes.max()] = np.arange(sizes.max())[:, None] % sizes
    return drawn


def assert_same_joint(ours: NaiveBayes, theirs: object, rows: object) -> None:
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    np.testing.assert_allclose(ours.predict_joint_log_proba(rows), theirs.predict_joint_log_proba(rows), **SAME)
    np.testing.assert_allclose(ours.predict_log_proba(rows), theirs.predict_log_proba(rows), **SAME)
    assert ours.predict(rows).tolist() == theirs.predict(rows).tolist()


@weighted
def test_gaussian(numbers, y, weight, weighted):
    w = weight if weighted else None
    ours = NaiveBayes(Gaussian(prior=MaximumLikelihood())).fit(numbers, y, w)
    assert_same_joint(ours, GaussianNB(var_smoothing=0).fit(numbers, y, w), numbers)


def test_gaussian_in_parts(numbers, y):
    ours, theirs = NaiveBayes(Gaussian(prior=MaximumLikelihood())), GaussianNB(var_smoothing=0)
    for rows in np.array_split(np.arange(ROWS), 4):
        ours.partial_fit(numbers[rows], y[rows])
        theirs.partial_fit(numbers[rows], y[rows], classes=np.unique(y))
    assert_same_joint(ours, theirs, numbers)


@weighted
@alphas
@layouts
def test_bernoulli(bits, y, weight, weighted, alpha, layout):
    w, rows = weight if weighted else None, layout(bits)
    ours = NaiveBayes(Bernoulli(prior=Laplace(alpha))).fit(rows, y, w)
    assert_same_joint(ours, BernoulliNB(alpha=alpha, binarize=None).fit(rows, y, w), rows)


@pytest.mark.parametrize("threshold", [0.0, 1.5])
@layouts
def test_bernoulli_with_a_threshold(tokens, y, threshold, layout):
    rows = layout(tokens)
    ours = NaiveBayes(Bernoulli(threshold=threshold)).fit(rows, y)
    assert_same_joint(ours, BernoulliNB(binarize=threshold).fit(rows, y), rows)


@weighted
@alphas
@layouts
def test_multinomial(tokens, y, weight, weighted, alpha, layout):
    w, rows = weight if weighted else None, layout(tokens)
    ours = NaiveBayes(Multinomial(prior=Laplace(alpha))).fit(rows, y, w)
    assert_same_joint(ours, MultinomialNB(alpha=alpha).fit(rows, y, w), rows)


@layouts
def test_multinomial_with_a_prior_for_each_token(tokens, y, layout):
    alpha, rows = np.linspace(0.1, 2, COLUMNS), layout(tokens)
    ours = NaiveBayes(Multinomial(prior=Dirichlet(tuple(alpha)))).fit(rows, y)
    assert_same_joint(ours, MultinomialNB(alpha=alpha).fit(rows, y), rows)


def test_multinomial_of_fractions(tokens, y):
    """Such as tf-idf."""
    rows = tokens / (1 + tokens.sum(axis=1, keepdims=True))
    ours = NaiveBayes(Multinomial()).fit(sparse.csr_array(rows), y)
    assert_same_joint(ours, MultinomialNB().fit(rows, y), rows)


@weighted
@alphas
@layouts
@pytest.mark.parametrize("normalise", [False, True])
def test_complement(tokens, y, weight, weighted, alpha, layout, normalise):
    """scikit-learn leaves out the class prior here: a uniform one is the same, up to a constant."""
    w, rows = weight if weighted else None, layout(tokens)
    ours = NaiveBayes(Complement(prior=Laplace(alpha), normalise=normalise), class_prior="uniform").fit(rows, y, w)
    theirs = ComplementNB(alpha=alpha, norm=normalise).fit(rows, y, w)
    np.testing.assert_allclose(ours.predict_log_proba(rows), theirs.predict_log_proba(rows), **SAME)
    joint = ours.predict_joint_log_proba(rows) + np.log(3)
    np.testing.assert_allclose(joint, theirs.predict_joint_log_proba(rows), **SAME)
    assert ours.predict(rows).tolist() == theirs.predict(rows).tolist()


@weighted
@alphas
def test_categorical(categories, y, weight, weighted, alpha):
    """We keep one cell more, for values to come; scikit-learn does with min_categories one above what there is."""
    w = weight if weighted else None
    ours = NaiveBayes(Categorical(prior=Laplace(alpha))).fit(categories, y, w)
    more = categories.max(axis=0) + 2
    assert_same_joint(ours, CategoricalNB(alpha=alpha, min_categories=more).fit(categories, y, w), categories)


@weighted
@alphas
def test_categorical_without_a_cell_for_the_unseen(categories, y, weight, weighted, alpha):
    w = weight if weighted else None
    ours = NaiveBayes(Categorical(prior=Laplace(alpha), unseen=False)).fit(categories, y, w)
    assert_same_joint(ours, CategoricalNB(alpha=alpha).fit(categories, y, w), categories)


def test_categorical_of_a_value_not_seen_before(categories, y):
    """The first value after those seen is the cell that we keep."""
    ours = NaiveBayes(Categorical()).fit(categories, y)
    new = categories.max(axis=0, keepdims=True) + 1
    theirs = CategoricalNB(min_categories=new[0] + 1).fit(categories, y)
    assert_same_joint(ours, theirs, new)


def test_categorical_in_parts(categories, y):
    """Values and classes arrive one after another here, and all at once there."""
    ours = NaiveBayes(Categorical())
    for rows in np.array_split(np.argsort(categories[:, -1], kind="stable"), 9):
        ours.partial_fit(categories[rows], y[rows])
    assert_same_joint(ours, CategoricalNB(min_categories=categories.max(axis=0) + 2).fit(categories, y), categories)


def test_an_m_estimate_is_an_alpha(tokens, y):
    """m rows in even proportions over V tokens are m / V of each."""
    ours = NaiveBayes(Multinomial(prior=MEstimate(3.5))).fit(tokens, y)
    assert_same_joint(ours, MultinomialNB(alpha=3.5 / COLUMNS).fit(tokens, y), tokens)


def test_class_priors(tokens, y):
    prior = [0.2, 0.5, 0.3]
    ours = NaiveBayes(Multinomial(), class_prior=tuple(prior)).fit(tokens, y)
    assert_same_joint(ours, MultinomialNB(class_prior=prior).fit(tokens, y), tokens)
    ours = NaiveBayes(Multinomial(), class_prior="uniform").fit(tokens, y)
    assert_same_joint(ours, MultinomialNB(fit_prior=False).fit(tokens, y), tokens)
