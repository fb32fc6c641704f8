"""Parameters of NaiveBayes that are refused, and a posterior of no column."""

import re

import pytest

from likely import NaiveBayes
from likely.families import FAMILIES

from .refusals import X, Y, never_fitted, refused


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"class_prior": "often"}, "class_prior is 'frequencies', 'uniform', a Dirichlet or numbers, not 'often'"),
        ({"class_prior": [0.5, 0.25, 0.25]}, "class_prior has 3 numbers for 2 classes"),
        ({"class_prior": {"a": 1.0}}, "class_prior has no number for class 'b'"),
        ({"class_prior": [0.9, 0.2]}, "class_prior must be probabilities that sum to 1, not [0.9, 0.2]"),
        ({"missing": "perhaps"}, "missing is 'ignore', 'value' or 'auto', not 'perhaps'"),
        ({"families": "normal"}, f"'normal' is not a family; the families are {', '.join(FAMILIES)}"),
    ],
)
def test_parameters(parameters, sentence):
    nb = NaiveBayes("gaussian").fit(X, Y).set_params(**parameters)
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        nb.fit(X, Y)
    never_fitted(NaiveBayes(**parameters), lambda nb: nb.fit(X, Y), ValueError)
    assert nb.class_count_.tolist() == [3, 3]


def test_a_posterior_of_an_unknown_column():
    nb = NaiveBayes("gaussian").fit(X, Y)
    refused(nb, X, lambda nb: nb.parameter_posterior("size"), ValueError, "there is no column 'size'")
