"""NaiveBayes by scikit-learn's conventions."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from likely import NaiveBayes
from likely.families import Bernoulli, Gaussian, Poisson
from likely.priors import Laplace

from .cases import SAID, X, Y, mixed, same_scores


def not_made_for(estimator):
    """The check makes up numbers below 0, whatever the tags of the estimator say."""
    below = estimator.__sklearn_tags__().input_tags.positive_only
    return {"check_decision_proba_consistency": "it makes up numbers below 0"} if below else {}


@parametrize_with_checks(
    [
        NaiveBayes(),
        NaiveBayes("gaussian"),
        NaiveBayes("histogram"),
        NaiveBayes(Bernoulli(threshold=0.0)),
        NaiveBayes("categorical"),
        NaiveBayes("multinomial"),
        NaiveBayes("complement"),
        NaiveBayes(missing="value"),
        NaiveBayes(missing="auto", class_prior="uniform"),
    ],
    expected_failed_checks=not_made_for,
)
def test_what_scikit_learn_asks_of_a_classifier(estimator, check):
    check(estimator)


def test_parameters():
    nb = NaiveBayes({"a": Poisson()}, smoothing=Laplace(), class_prior="uniform", missing="auto", missing_values="?")
    assert nb.get_params(deep=False) == {
        "families": {"a": Poisson()},
        "smoothing": Laplace(),
        "class_prior": "uniform",
        "missing": "auto",
        "select": None,
        "calibrate": False,
        "missing_values": "?",
        "column_weights": "auto",
    }
    assert nb.set_params(missing="value").missing == "value"
    assert repr(NaiveBayes("gaussian")) == "NaiveBayes(families='gaussian')"


def test_a_clone_has_the_parameters_and_nothing_learned():
    nb = NaiveBayes(Gaussian(Laplace()), class_prior=(0.2, 0.3, 0.5)).fit(X, Y)
    twin = clone(nb)
    assert twin.get_params() == nb.get_params()
    assert not hasattr(twin, "classes_")
    same_scores(twin.fit(X, Y), nb, X, rtol=0)


@pytest.mark.parametrize("duplicate", [lambda nb: pickle.loads(pickle.dumps(nb)), copy.deepcopy, copy.copy])
def test_a_copy_answers_alike_and_learns_apart(duplicate):
    frame = mixed()
    nb = NaiveBayes(SAID, missing="value").fit(frame, Y)
    before = nb.predict_joint_log_proba(frame)
    twin = duplicate(nb)
    assert np.array_equal(twin.predict_joint_log_proba(frame), before)
    assert twin.families_ == nb.families_
    twin.partial_fit(frame[:10], Y[:10])
    assert np.array_equal(nb.predict_joint_log_proba(frame), before)


@pytest.mark.parametrize(
    "call",
    [
        lambda nb: nb.predict(X),
        lambda nb: nb.predict_proba(X),
        lambda nb: nb.predict_log_proba(X),
        lambda nb: nb.predict_joint_log_proba(X),
        lambda nb: nb.log_likelihood(X, Y),
        lambda nb: nb.explain(X),
        lambda nb: nb.describe(),
        lambda nb: nb.linear(),
        lambda nb: nb.sample(3),
        lambda nb: nb.parameter_posterior(0),
        lambda nb: nb.loo_scores(X, Y),
        lambda nb: nb.retune(X, Y),
        lambda nb: nb.forget(X, Y),
        lambda nb: nb.decay(0.5),
        lambda nb: nb.merge(NaiveBayes()),
        lambda nb: nb.families_,
        lambda nb: nb.class_count_,
    ],
)
def test_nothing_is_answered_before_fit(call):
    with pytest.raises(NotFittedError, match=r"^This NaiveBayes instance is not fitted yet"):
        call(NaiveBayes())


def test_in_the_company_of_scikit_learn():
    frame = mixed()
    assert len(cross_val_score(NaiveBayes(SAID), frame, Y, cv=3)) == 3
    search = GridSearchCV(NaiveBayes(), {"families": ["gaussian", "histogram"]}, cv=3).fit(X, Y)
    assert search.best_params_["families"] in ("gaussian", "histogram")
    pipeline = make_pipeline(FunctionTransformer(np.abs), NaiveBayes("gaussian")).fit(X, Y)
    assert np.array_equal(pipeline.predict(X), NaiveBayes("gaussian").fit(np.abs(X), Y).predict(np.abs(X)))
