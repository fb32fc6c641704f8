"""Rows to forget that were never learned, models that do not merge, and factors of decay that are none."""

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes, merge

from .refusals import X, Y, refused, state


def test_forgetting_what_was_never_learned():
    nb = NaiveBayes("poisson").fit([[1, 2], [3, 4]], ["a", "b"])
    for x, y, where in (
        ([[9, 2]], ["a"], "column 0, class 'a'"),
        ([[1, 9]], ["a"], "column 1, class 'a'"),
        ([[1, 2]], ["z"], "class 'z'"),
        ([[1, 2], [1, 2]], ["a", "a"], "class 'a'"),
    ):
        sentence = (
            f"some of these rows were never learned: {where} would be left with less than nothing; "
            "nothing was forgotten"
        )
        refused(nb, [[1, 2]], lambda nb, x=x, y=y: nb.forget(x, np.array(y, object)), ValueError, sentence)


def test_forgetting_names_a_class_that_is_a_number():
    nb = NaiveBayes("poisson").fit([[1], [3]], [5, 6])
    sentence = (
        "some of these rows were never learned: class 6 would be left with less than nothing; nothing was forgotten"
    )
    refused(nb, [[1]], lambda nb: nb.forget([[1], [1]], [6, 6]), ValueError, sentence)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (
            lambda: NaiveBayes("gaussian").fit(X[:, :1], Y),
            "the models read their columns differently; give both the same families",
        ),
        (
            lambda: NaiveBayes("histogram").fit(X, Y),
            "columns range(0, 2) are read as Gaussian() here and as Histogram() there; "
            "give both models the same families",
        ),
        (
            lambda: NaiveBayes("gaussian").fit(X, [0, 0, 0, 1, 1, 1]),
            "classes: text and numbers do not mix: 'a', 'b' and 0, 1",
        ),
        (
            lambda: NaiveBayes("gaussian").fit(pd.DataFrame(X, columns=["p", "q"]), Y),
            "the columns differ: 0 here, 'p' there",
        ),
    ],
)
def test_merging_what_does_not_fit(other, sentence):
    nb, other = NaiveBayes("gaussian").fit(X, Y), other()
    refused(nb, X, lambda nb: nb.merge(other), ValueError, sentence)


def test_merging_different_bins():
    nb = NaiveBayes("histogram").fit(X, Y)
    sentence = "column 0 was cut into different bins; give Histogram the edges of its bins"
    refused(nb, X, lambda nb: nb.merge(NaiveBayes("histogram").fit(X + 1, Y)), ValueError, sentence)


def test_merging_no_models():
    with pytest.raises(ValueError, match=r"model"):
        merge([])


@pytest.mark.parametrize("other", [3, None, "model"])
def test_merging_what_is_no_model(other):
    nb = NaiveBayes("gaussian").fit(X, Y)
    before = state(nb, X)
    with pytest.raises(TypeError):
        nb.merge(other)
    assert state(nb, X) == before


@pytest.mark.parametrize("factor", [0, -0.5, 1.1, np.nan, np.inf])
def test_fading_by_an_impossible_factor(factor):
    nb = NaiveBayes("gaussian").fit(X, Y)
    sentence = f"the factor must be above 0 and at most 1, not {factor}"
    refused(nb, X, lambda nb: nb.decay(factor), ValueError, sentence)
