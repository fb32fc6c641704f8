"""Cells that a family cannot read."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from likely import NaiveBayes
from likely.families import Bernoulli, Gaussian, Histogram, Multinomial, Poisson

from .refusals import BITS, LEARNING, SCORING, WITH_X, X, Y, refused

CELLS = {
    "gaussian": (Gaussian(), [np.inf, -np.inf, 1e200], "Gaussian needs finite numbers, up to 1e150"),
    "histogram": (Histogram(), [np.inf, -np.inf], "Histogram needs finite numbers, up to 1e150"),
    "poisson": (Poisson(), [np.inf, -np.inf, -1.0, 1.5], "Poisson needs whole numbers of 0 or more"),
    "multinomial": (
        Multinomial(),
        [np.inf, -np.inf, -1.0],
        "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more",
    ),
    "bernoulli": (Bernoulli(), [np.inf, -np.inf, -1.0, 2.0, 0.5], "Bernoulli needs 0 or 1"),
}
BAD_CELLS = [(name, value) for name, (_, values, _) in CELLS.items() for value in values]


@pytest.mark.parametrize("method", [name for name in WITH_X if name not in ("explain", "score")])
@pytest.mark.parametrize(("name", "value"), BAD_CELLS)
def test_cells_that_a_family_cannot_read(method, name, value):
    family, _, needs = CELLS[name]
    nb = NaiveBayes(family).fit(BITS, ["a", "a", "b", "b"])
    x = BITS[:3].copy()
    x[2, 1] = value
    refused(nb, BITS, lambda nb: WITH_X[method](nb, x), ValueError, f"{needs}; column 1, row 2, has {value}")


@pytest.mark.parametrize("method", ["predict", "fit", "partial_fit"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, -1.0])
def test_cells_are_named_by_the_name_of_their_column(method, value):
    good = pd.DataFrame({"age": [1, 2, 3, 4], "visits": [0.0, 1.0, 2.0, 4.0]})
    bad = good.assign(visits=[0.0, 1.0, 2.0, value])
    nb = NaiveBayes({"visits": "poisson"}).fit(good, ["a", "a", "b", "b"])
    sentence = f"Poisson needs whole numbers of 0 or more; column 'visits', row 3, has {value}"
    refused(nb, good, lambda nb: WITH_X[method](nb, bad), ValueError, sentence)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, lambda x: x.astype(np.float32)])
def test_infinite_cells_where_families_are_chosen(value, container):
    x = X.copy()
    x[4, 1] = value
    nb = NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match=rf"needs finite numbers, up to 1e150; column 1, row 4, has {value}$"):
        nb.fit(container(x), Y)


SPARSE_CELLS = {
    "multinomial": (
        [np.nan, np.inf, -np.inf, -1.0],
        "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more",
    ),
    "complement": (
        [np.nan, np.inf, -np.inf, -1.0],
        "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more",
    ),
    "bernoulli": ([np.nan, np.inf, -np.inf, -1.0, 2.0], "Bernoulli needs 0 or 1"),
}


@pytest.mark.parametrize("method", [*LEARNING, *SCORING])
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, (values, _) in SPARSE_CELLS.items() for value in values]
)
def test_stored_values_that_a_family_cannot_read(method, name, value):
    good = scipy.sparse.csr_array(BITS)
    nb = NaiveBayes(name).fit(good, ["a", "a", "b", "b"])
    x = BITS[:3].copy()
    x[2, 1] = value
    sentence = f"{SPARSE_CELLS[name][1]}; column 1, row 2, has {value}"
    refused(nb, good, lambda nb: WITH_X[method](nb, scipy.sparse.csr_array(x)), ValueError, sentence)
