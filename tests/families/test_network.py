"""The family of a Bayes network: how it reads a block, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import BayesNetwork
from likely.data import read
from likely.families import Categorical, Gaussian, Histogram, Network
from likely.families.structure import Structure
from likely.priors import Dirichlet


def network(kind=None):
    readings = Histogram(bins=(0.0, 1.0, 3.0)), Categorical()
    return Network(readings, kind or Structure("tan", (((), (0,)),)))


def test_numbers_are_read_as_bins_and_all_else_as_categories():
    table = read(pd.DataFrame({"x": [0.5, np.nan, 2.0, 99.0], "z": ["b", "a", None, "b"]}))
    codes, labels = network().read(table, [0, 1], slice(None))
    assert codes.tolist() == [[0, 0], [-1, 1], [1, -1], [1, 0]]
    assert [list(of) for of in labels] == [[0.0, 1.0], ["b", "a"]]
    known = network().read(table, [0, 1], slice(1, 4), [np.array([0.0, 1.0]), np.array(["a"], object)])
    assert known[0].tolist() == [[-1, 0], [1, -1], [1, 1]]
    assert known[1] is None


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: Network((Categorical(),), Structure.naive(2)), "one set of parents for each column"),
        (lambda: Network((Gaussian(),), Structure.naive(1)), "reads columns as Categorical, or as Histogram"),
        (lambda: Network((Categorical(),), Structure.naive(1), 0.0), "strength of the smoothing is a number above 0"),
    ],
)
def test_what_is_no_network(made, says):
    with pytest.raises(ValueError, match=says):
        made()


def test_parameters_by_name_and_their_posterior():
    x = pd.DataFrame({"a": list("uuvv" * 5), "b": list("uvvv" * 5)})
    model = BayesNetwork((("a", "b"),)).fit(x, [0, 1] * 10)
    lines = {(column, name): values for column, name, values in model.describe().lines}
    assert ("b", "probability of 'v' given a=u") in lines
    assert_allclose(lines["a", "probability of 'u'"], [6 / 13, 6 / 13])
    block = model.model_.network_block
    posterior = block.family.parameter_posterior(block, 0)
    assert isinstance(posterior, Dirichlet)
    assert_allclose(posterior.alpha, [[6, 6, 1], [6, 6, 1]])
    with pytest.raises(ValueError, match="column 'b' depends on others"):
        block.family.parameter_posterior(block, 1)
    # Of each class a has two values and one not seen, b as many for each of two values of a.
    assert model.describe().free_parameters == 1 + 2 * (2 + 2 * 2)


def test_a_bad_number_is_named():
    with pytest.raises(ValueError, match="column 'x', row 2, has inf"):
        BayesNetwork("tan").fit(pd.DataFrame({"x": [1.0, 2.0, np.inf, 4.0]}), [0, 1, 0, 1])
