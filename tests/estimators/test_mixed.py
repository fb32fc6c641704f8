"""Parameters of an estimator are the options of its model."""

import pytest

from likely import BayesNetwork, NaiveBayes
from likely.priors import Auto, Laplace


@pytest.mark.parametrize("kind", [NaiveBayes, BayesNetwork])
def test_a_model_of_the_parameters_and_back(kind):
    model = kind(smoothing=Laplace(), class_prior="uniform")._unlearned()
    assert (model.smoothing, model.class_prior) == (Laplace(), "uniform")
    given = kind(smoothing=Laplace(), class_prior="uniform").get_params()
    assert kind._parameters(model) == {name: given[name] for name in kind._options}


@pytest.mark.parametrize("kind", [NaiveBayes, BayesNetwork])
def test_a_strength_that_is_chosen_is_auto(kind):
    model = kind(smoothing="auto")._unlearned()
    assert isinstance(model.smoothing, Auto)
    assert kind._parameters(model)["smoothing"] == "auto"
