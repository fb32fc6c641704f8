"""Models, estimators of ours and scikit-learn's, bound to data: they learn the same rows and answer alike."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from likely import GaussianClassifier, NaiveBayes
from likely import LogisticRegression as OurLogistic
from likely.data import read
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation.learner import EstimatorLearner, ModelLearner, OurEstimatorLearner, learner

from ..samples import sample_of
from .tables import FAMILIES, mixed

X, Y = mixed()
NUMBERS = np.random.default_rng(1).normal(size=(60, 3)) + (Y == "red")[:, None]
FIRST, LAST = np.arange(40), np.arange(40, 60)


@pytest.mark.parametrize(
    ("model", "x", "kind"),
    [
        (NaiveBayesModel(FAMILIES), read(X), ModelLearner),
        (NaiveBayes(FAMILIES), X, OurEstimatorLearner),
        (NaiveBayes(), X.to_pandas(), OurEstimatorLearner),
        (GaussianClassifier(), NUMBERS, OurEstimatorLearner),
        (OurLogistic(), NUMBERS, OurEstimatorLearner),
        (OurLogistic(class_weight="balanced"), NUMBERS, EstimatorLearner),
        (NaiveBayes(FAMILIES, calibrate=True), X, EstimatorLearner),
        (GaussianNB(), NUMBERS, EstimatorLearner),
        (LogisticRegression(), NUMBERS, EstimatorLearner),
    ],
    ids=[
        "model",
        "ours",
        "pandas",
        "Gaussian",
        "our logistic",
        "class weights",
        "calibrated",
        "GaussianNB",
        "logistic",
    ],
)
def test_some_rows_are_learned_and_others_answered(model, x, kind):
    bound = learner(model, x, Y)
    assert type(bound) is kind
    codes, log_p = bound.answer(bound.learn(FIRST), LAST)
    p = np.exp(log_p)
    assert_allclose(p.sum(axis=1), 1)
    assert (codes == p.argmax(axis=1)).all()
    if kind is ModelLearner:
        peer, x = NaiveBayes(FAMILIES), X
    else:
        peer = model
    part = (lambda rows: x.take(rows)) if hasattr(x, "schema") else (lambda rows: getattr(x, "iloc", x)[rows])
    peer = peer.fit(part(FIRST), Y[FIRST])
    assert_allclose(p, peer.predict_proba(part(LAST)), rtol=1e-9, atol=1e-12)


def test_a_model_keeps_what_it_had_learned_and_it_is_not_used():
    model = NaiveBayesModel(FAMILIES).learn(sample_of(X, Y))
    before = model.learned
    bound = learner(model, read(X), Y)
    learned = bound.learn(FIRST)
    assert model.learned is before
    assert learned.known.rows.table.sum() == 40


def test_a_model_of_logistic_regression():
    model = LogisticModel()
    bound = learner(model, read(NUMBERS), Y)
    assert type(bound) is ModelLearner
    some = bound.learn(FIRST)
    peer = OurLogistic().fit(NUMBERS[FIRST], Y[FIRST])
    assert_allclose(np.exp(bound.answer(some, LAST).log_p), peer.predict_proba(NUMBERS[LAST]), rtol=1e-9)
    more = bound.learn_more(some, FIRST, LAST)
    assert_allclose(more.weights[0], OurLogistic().fit(NUMBERS, Y).coef_, rtol=1e-9)
    assert model.learned is None


def test_more_is_learned_as_if_at_once_and_what_was_stays():
    for model, x in ((NaiveBayes(FAMILIES), X), (GaussianNB(), NUMBERS), (LogisticRegression(), NUMBERS)):
        bound = learner(model, x, Y)
        some = bound.learn(FIRST)
        before = np.exp(bound.answer(some, LAST).log_p)
        more = bound.learn_more(some, FIRST, LAST)
        at_once = bound.learn(np.arange(60))
        assert_allclose(np.exp(bound.answer(more, LAST).log_p), np.exp(bound.answer(at_once, LAST).log_p), rtol=1e-6)
        assert_allclose(np.exp(bound.answer(some, LAST).log_p), before)


def test_a_class_that_comes_later_has_no_probability_before():
    y = np.where(np.arange(60) < 40, np.where(Y == "red", "red", "green"), "blue")
    for model, x in ((NaiveBayes(FAMILIES), X), (GaussianNB(), NUMBERS)):
        bound = learner(model, x, y)
        some = bound.learn(FIRST)
        assert (np.exp(bound.answer(some, LAST).log_p)[:, 0] == 0).all()
        more = bound.learn_more(some, FIRST, LAST)
        assert (np.exp(bound.answer(more, LAST).log_p)[:, 0] > 0).any()


def test_given_class_probabilities_need_all_classes():
    prior = {"red": 0.2, "green": 0.3, "blue": 0.5}
    bound = learner(NaiveBayes(FAMILIES, class_prior=prior), X, Y)
    some = bound.learn(np.flatnonzero(Y != "red"))
    assert_allclose(np.exp(some.log_prior()), [0.5, 0.3, 0.2])


def test_what_tells_no_probabilities():
    codes, p = learner(LinearSVC(), NUMBERS, Y).answer(LinearSVC().fit(NUMBERS, Y), LAST)
    assert p is None
    assert len(codes) == 20


def test_what_learns_more_is_asked_to():
    bound = learner(SGDClassifier(loss="log_loss", random_state=0), NUMBERS, Y)
    some = bound.learn(FIRST)
    more = bound.learn_more(some, FIRST, LAST)
    assert more.t_ == some.t_ + 20


def test_weights_are_learned():
    weight = np.random.default_rng(0).random(60)
    for model, x in ((NaiveBayes(FAMILIES), X.to_pandas()), (GaussianNB(), NUMBERS)):
        bound = learner(model, x, Y, weight)
        part = getattr(x, "iloc", x)
        peer = model.fit(part[FIRST], Y[FIRST], sample_weight=weight[FIRST])
        assert_allclose(np.exp(bound.answer(bound.learn(FIRST), LAST).log_p), peer.predict_proba(part[LAST]), rtol=1e-9)


def test_the_final_model_is_the_users_own_kind_learned_from_all():
    final = learner(NaiveBayes(FAMILIES), X.to_pandas(), Y).final()
    assert type(final) is NaiveBayes
    assert final.feature_names_in_.tolist() == X.column_names
    assert final.class_count_.sum() == 60


@pytest.mark.parametrize(
    ("work", "error", "said"),
    [
        (lambda: learner("model", NUMBERS, Y), TypeError, "is neither a model of Likely nor a scikit-learn classifier"),
        (lambda: learner(GaussianNB(), NUMBERS, Y[:9]), ValueError, "the table has 60 rows and y has 9"),
        (lambda: learner(NaiveBayes(), X, Y[:9]), ValueError, "the table has 60 rows and y has 9"),
        (lambda: learner(GaussianNB(), NUMBERS[:1], Y[:1]), ValueError, "1 rows are too few"),
        (lambda: learner(GaussianNB(), NUMBERS, Y, -np.ones(60)), ValueError, "sample_weight must be 60 numbers"),
    ],
)
def test_refusals(work, error, said):
    with pytest.raises(error, match=said):
        work()
