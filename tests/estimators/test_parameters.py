"""Options of families and priors as parameters, by names of scikit-learn's form."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.families import Gaussian, Histogram, Poisson
from likely.priors import Gamma, InverseWishart, Laplace

X, Y = np.array([[0], [1], [2], [3]] * 3), [0, 0, 1, 1] * 3


def test_the_prior_of_a_family_in_a_grid() -> None:
    priors = [Gamma(1, 1), Gamma(2, 2)]
    found = GridSearchCV(NaiveBayes(Poisson()), {"families__prior": priors}, cv=2).fit(X, Y)
    assert found.best_params_["families__prior"] in priors
    assert found.best_estimator_.families.prior == found.best_params_["families__prior"]


def test_parameters_go_as_deep_as_values_do() -> None:
    nb = NaiveBayes({"a": Histogram(bins=3), "b": "gaussian"}, smoothing=Laplace(2.0))
    params = nb.get_params()
    assert params["families__a__bins"] == 3
    assert params["families__a__prior__strength"] == 1.0
    assert params["smoothing__strength"] == 2.0
    assert "families__a__bins" not in nb.get_params(deep=False)
    given = nb.families
    nb.set_params(families__a__bins=4, families__a__prior__strength=0.5, smoothing__strength=3.0)
    assert nb.families == {"a": Histogram(Laplace(0.5), bins=4), "b": "gaussian"}
    assert nb.smoothing == Laplace(3.0)
    assert given == {"a": Histogram(bins=3), "b": "gaussian"}  # as it was


def test_a_family_that_is_named_has_options_too() -> None:
    assert NaiveBayes("poisson").set_params(families__prior=Gamma(3, 3)).families == Poisson(Gamma(3, 3))
    assert NaiveBayes(Gaussian).set_params(families__prior=Laplace()).families == Gaussian(Laplace())


def test_what_holds_others_is_set_first() -> None:
    nb = NaiveBayes().set_params(families__prior__strength=0.5, families__prior=Laplace(), families=Histogram())
    assert nb.families == Histogram(Laplace(0.5))


@pytest.mark.parametrize("name", ["families__prior", "none", "none__prior", "missing__x", "families__"])
def test_what_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Invalid parameter"):
        NaiveBayes().set_params(**{name: 1})


def test_estimators_are_cloned_with_their_families() -> None:
    for model in (
        NaiveBayes(Poisson(Gamma(2, 2))),
        GaussianClassifier(prior=InverseWishart(np.eye(1), 4.0)),
        LogisticRegression(families=Histogram(), shrink_to="naive_bayes"),
    ):
        assert repr(clone(model)) == repr(model)
