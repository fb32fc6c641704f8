"""Bayes networks in a model file that was altered: none that does not fit is made."""

import numpy as np
import pandas as pd
import pytest

from likely import BayesNetwork
from likely.store import network


def parts():
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"a": rng.choice(list("uvw"), 50), "b": rng.choice(list("uv"), 50), "c": rng.normal(size=50)})
    return network.parts(BayesNetwork((("a", "b"), ("b", "c")), bins=3).fit(x, rng.integers(2, size=50)).model_)


def altered(change):
    found = parts()
    (block,) = found["blocks"]
    change(found, block)
    return found


def test_it_is_made_again():
    model = network.network(parts())
    assert model.structure == (("a", "b"), ("b", "c"))
    assert model.bins == 3


def _fewer(found, block):
    block["statistics"] = type(block["statistics"])(block["statistics"].table, block["statistics"].joint[:, 1:])


def _below(found, block):
    block["statistics"] = type(block["statistics"])(block["statistics"].table, block["statistics"].joint - 99)


def _bins(found, block):
    cells = block["cells"]
    block["cells"] = type(cells)([*cells.arrays[:2], cells.arrays[2] + 1])


def _twice(found, block):
    found["blocks"] = [block, block]


def _kind(found, block):
    found["structure"] = "chain"


@pytest.mark.parametrize("change", [_fewer, _below, _bins, _twice, _kind])
def test_what_does_not_fit_is_refused(change):
    with pytest.raises(ValueError, match=r"shape|below 0|bins|one network|structure"):
        network.network(altered(change))
