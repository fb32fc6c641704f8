"""What every classifier of a generative model promises, whichever model it is the face of."""

import copy
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.utils import get_tags

from likely import GaussianClassifier, NaiveBayes, merge
from likely.families import Bernoulli, MultivariateGaussian
from likely.models.explain import Explanation
from likely.priors import Dirichlet

from .cases import X, Y

FACES = {
    "NaiveBayes": lambda: NaiveBayes("gaussian"),
    "blocks": lambda: NaiveBayes({(0, 2): MultivariateGaussian(shrinkage=0.1), 1: "gaussian"}),
    "GaussianClassifier": lambda: GaussianClassifier(shrinkage=0.1),
    "diagonal": lambda: GaussianClassifier("diagonal", shrinkage=0.1),
}


@pytest.fixture(params=FACES)
def face(request):
    return FACES[request.param]


def state(model):
    return (
        model.predict_joint_log_proba(X).tolist(),
        model.classes_.tolist(),
        model.class_count_.tolist(),
        model.n_features_in_,
        sorted(vars(model)),
    )


def test_methods_that_change_a_model_return_it(face):
    model, other = face().fit(X, Y), face().fit(X, Y)
    assert model.fit(X, Y) is model
    assert model.partial_fit(X, Y) is model
    assert model.forget(X, Y) is model
    assert model.merge(other) is model
    assert model.decay(0.5) is model
    assert model.class_count_.tolist() == [20, 20, 20]


def test_what_is_learned_adds_up_however_it_came(face):
    reference = face().fit(X, Y)
    parts = [face().fit(X[i::2], Y[i::2]) for i in range(2)]
    before = [state(part) for part in parts]
    forgotten = face().fit(np.concatenate([X, X[:9] + 1]), np.concatenate([Y, Y[:9]])).forget(X[:9] + 1, Y[:9])
    for model in (merge(parts), face().partial_fit(X[:7], Y[:7]).partial_fit(X[7:], Y[7:]), forgotten):
        assert_allclose(model.predict_joint_log_proba(X), reference.predict_joint_log_proba(X), rtol=1e-9)
        assert model.class_count_.tolist() == [20, 20, 20]
    assert [state(part) for part in parts] == before


def test_fit_learns_these_rows_and_nothing_else(face):
    model = face().fit(10 - X, np.arange(60) % 2).fit(X, Y)
    assert state(model) == state(face().fit(X, Y))


BAD = {
    "rows": lambda model: model.partial_fit(X[:, :2], Y),
    "a cell": lambda model: model.partial_fit(np.where(X.max() == X, np.inf, X), Y),
    "labels": lambda model: model.partial_fit(X, Y[:9]),
    "label types": lambda model: model.partial_fit(X, np.arange(60) % 3),
    "weights": lambda model: model.partial_fit(X, Y, sample_weight=-np.ones(60)),
    "all of fit": lambda model: model.fit(X, [None] * 60),
    "never learned": lambda model: model.forget(X + 5, Y),
    "too often": lambda model: model.forget(np.concatenate([X, X]), np.concatenate([Y, Y])),
    "a factor": lambda model: model.decay(2.0),
    "no model": lambda model: model.merge(None),
    "a model of other columns": lambda model: model.merge(NaiveBayes("gaussian").fit(X[:, :2], Y)),
    "a model of other families": lambda model: model.merge(NaiveBayes("histogram").fit(X, Y)),
}


@pytest.mark.parametrize("name", BAD)
def test_an_error_changes_nothing(face, name):
    model = face().fit(X, Y)
    before = state(model)
    with pytest.raises((ValueError, TypeError)):
        BAD[name](model)
    assert state(model) == before


def test_nothing_is_answered_before_fit(face):
    for call in (
        lambda model: model.predict(X),
        lambda model: model.predict_proba(X),
        lambda model: model.log_likelihood(X, Y),
        lambda model: model.explain(X),
        lambda model: model.describe(),
        lambda model: model.sample(2),
        lambda model: model.loo_scores(X, Y),
        lambda model: model.retune(X, Y),
        lambda model: model.forget(X, Y),
        lambda model: model.decay(0.5),
        lambda model: model.merge(face().fit(X, Y)),
        lambda model: face().fit(X, Y).merge(model),
        lambda model: model.class_count_,
    ):
        with pytest.raises(NotFittedError, match=rf"^This {type(face()).__name__} instance is not fitted yet"):
            call(face())


def test_the_name_in_an_error_is_that_of_the_estimator(face):
    name = type(face()).__name__
    with pytest.raises(ValueError, match=rf"^{name} requires y to be passed, but the target y is None\.$"):
        face().fit(X, None)
    with pytest.raises(ValueError, match=rf"^X has 2 features, but {name} is expecting 3 features as input\.$"):
        face().fit(X, Y).predict(X[:, :2])


def test_answers_follow_from_the_scores(face):
    model = face().fit(X, Y)
    joint = model.predict_joint_log_proba(X)
    assert_allclose(model.predict_proba(X), np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True), rtol=1e-12)
    assert_allclose(model.predict_log_proba(X), np.log(model.predict_proba(X)), rtol=1e-10)
    assert model.predict(X).tolist() == model.classes_[joint.argmax(axis=1)].tolist()
    weight = np.arange(60) % 4
    assert_allclose(model.log_likelihood(X, Y, weight), joint[np.arange(60), np.arange(60) % 3] @ weight, rtol=1e-12)
    assert isinstance(model.explain(X), Explanation)
    assert_allclose(model.explain(X)[7].scores, joint[7], rtol=1e-10)


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        ("frequencies", [0.75, 0.25]),
        ("uniform", [0.5, 0.5]),
        ([0.1, 0.9], [0.1, 0.9]),
        ({"b": 0.9, "a": 0.1}, [0.1, 0.9]),
        (Dirichlet(1.0), [46 / 62, 16 / 62]),
    ],
    ids=repr,
)
def test_a_row_of_holes_alone_gets_the_class_prior(face, prior, expected):
    model = face().set_params(class_prior=prior).fit(X, np.repeat(["a", "b"], [45, 15]))
    assert_allclose(model.predict_proba([[np.nan] * 3]), [expected], rtol=1e-12)


def test_the_likelihood_of_a_class_that_was_never_learned(face):
    with pytest.raises(ValueError, match=r"^class 'z' of y was never learned$"):
        face().fit(X, Y).log_likelihood(X, np.where(Y == "a", "z", Y))


def test_labels_as_a_column_warn_and_are_read(face):
    with pytest.warns(DataConversionWarning, match=r"^A column-vector y was passed"):
        model = face().fit(X, Y[:, None])
    assert state(model) == state(face().fit(X, Y))


def test_names_of_columns_must_be_those_learned(face):
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    model = face().fit(frame, Y)
    assert model.feature_names_in_.tolist() == ["p", "q", "r"]
    with pytest.raises(ValueError, match=r"^The feature names should match"):
        model.predict(frame[["q", "p", "r"]])


def test_samples_come_back_in_the_shape_of_what_was_learned(face):
    rows, y = face().fit(X, Y).sample(7, random_state=0)
    assert rows.shape == (7, 3)
    assert set(y) <= {"a", "b", "c"}
    again, _ = face().fit(X, Y).sample(7, random_state=0)
    assert np.array_equal(rows, again)
    table, _ = face().fit(pd.DataFrame(X, columns=["p", "q", "r"]), Y).sample(7, np.random.default_rng(0))
    assert isinstance(table, pa.Table)
    assert table.column_names == ["p", "q", "r"]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_learns_apart(face, duplicate):
    model = face().fit(X, Y)
    before, twin = state(model), duplicate(model)
    assert state(twin) == before
    twin.partial_fit(X + 1, Y)
    assert state(model) == before
    assert state(twin) != before


# Merging models of different faces


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical"])
def test_faces_of_the_same_model_merge_into_the_first(covariance):
    family = MultivariateGaussian(covariance, 0.1)
    faces = GaussianClassifier(covariance, shrinkage=0.1), NaiveBayes(family)
    reference = GaussianClassifier(covariance, shrinkage=0.1).fit(X, Y)
    for one, other in (faces, faces[::-1]):
        merged = merge([one.fit(X[:30], Y[:30]), other.fit(X[30:], Y[30:])])
        assert type(merged) is type(one)
        assert_allclose(merged.predict_joint_log_proba(X), reference.predict_joint_log_proba(X), rtol=1e-9)


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        (
            GaussianClassifier(shrinkage=0.1),
            NaiveBayes("gaussian"),
            r"are read as MultivariateGaussian\(shrinkage=0\.1\) here and as Gaussian\(\) there; give both",
        ),
        (
            NaiveBayes("gaussian"),
            GaussianClassifier(shrinkage=0.1),
            r"are read as Gaussian\(\) here and as MultivariateGaussian\(shrinkage=0\.1\) there; give both",
        ),
        (GaussianClassifier(), GaussianClassifier(shrinkage=0.5), r"MultivariateGaussian\(.*shrinkage=0\.5\) there"),
        (GaussianClassifier("tied"), GaussianClassifier("full"), r"MultivariateGaussian\(covariance='tied'.*\) here"),
        (
            GaussianClassifier(),
            NaiveBayes({(0, 1): MultivariateGaussian(), 2: "gaussian"}),
            r"^the models read their columns differently; give both the same families$",
        ),
    ],
)
def test_faces_of_different_models_do_not_merge(one, other, sentence):
    one.fit(X, Y)
    before = state(one)
    with pytest.raises(ValueError, match=sentence):
        one.merge(other.fit(X, Y))
    assert state(one) == before


def test_models_that_chose_their_shrinkage_keep_that_of_the_first():
    one = GaussianClassifier("diagonal").fit(X, Y)
    other = GaussianClassifier("diagonal").fit(X * 9.0 ** (np.arange(60)[:, None] % 3), Y)
    assert one.shrinkage_ != other.shrinkage_
    assert merge([one, other]).shrinkage_ == one.shrinkage_
    assert merge([other, one]).shrinkage_ == other.shrinkage_


def test_parameters_may_come_to_exist_with_later_rows():
    """A fit needs them at once; partial_fit does not, but an answer does."""
    sentence = r"^the full covariance has rank 0 of 3, from 1 row, in class 'a'; "
    with pytest.raises(ValueError, match=sentence):
        GaussianClassifier(shrinkage=0).fit(X[:1], Y[:1])
    model = GaussianClassifier(shrinkage=0).partial_fit(X[:1], Y[:1])
    with pytest.raises(ValueError, match=sentence):
        model.predict(X)
    assert state(model.partial_fit(X[1:], Y[1:]))[1:] == state(GaussianClassifier(shrinkage=0).fit(X, Y))[1:]


@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_scores_are_those_of_a_model_that_forgot_the_row(face, weighted):
    weight = np.random.default_rng(3).choice([0.5, 1.0, 2.0], 60) if weighted else None
    model = face().fit(X, Y, sample_weight=weight)
    left_out = model.loo_scores(X, Y, sample_weight=weight)
    for i in (0, 31, 59):
        rest = copy.copy(model).forget(X[[i]], Y[[i]], sample_weight=None if weight is None else weight[[i]])
        assert_allclose(left_out[i], rest.predict_joint_log_proba(X[[i]])[0], rtol=1e-9)


def test_a_class_that_was_never_learned_is_not_left_out():
    x = np.arange(8.0).reshape(4, 2)
    model = NaiveBayes("gaussian").fit(x, ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match=r"^class 'z' of y was never learned$"):
        model.loo_scores(x, ["a", "a", "b", "z"])


@pytest.mark.parametrize("model", [NaiveBayes(), GaussianClassifier(), NaiveBayes(calibrate=True)])
@pytest.mark.parametrize("classes", [2, 3])
def test_decisions_are_those_of_the_probabilities(model, classes):
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, 60)
    x = rng.normal(size=(60, 2)) + y[:, None]
    model.fit(x, y)
    decided, log_p = model.decision_function(x), model.predict_log_proba(x)
    np.testing.assert_array_equal(decided, log_p[:, 1] - log_p[:, 0] if classes == 2 else log_p)
    found = (decided > 0).astype(int) if classes == 2 else decided.argmax(axis=1)
    np.testing.assert_array_equal(found, model.predict(x))


@pytest.mark.parametrize(
    ("families", "string", "categorical"),
    [
        ("auto", True, True),
        ("gaussian", False, False),
        ("multinomial", True, False),
        ("categorical", True, True),
        (Bernoulli(threshold=0.0), False, False),
    ],
)
def test_what_a_family_reads_is_a_tag(families, string, categorical):
    tags = get_tags(NaiveBayes(families)).input_tags
    assert (tags.string, tags.categorical) == (string, categorical)
