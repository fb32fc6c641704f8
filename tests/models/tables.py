"""Tables to learn, and what a model has learned of them, for the tests of naive Bayes."""

import numpy as np
import pyarrow as pa

from likely.families import FAMILIES
from likely.models.naive_bayes import NaiveBayesModel

from ..samples import sample_of

RNG = np.random.default_rng(0)

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def learned(x, y, weight=None, **options):
    return NaiveBayesModel(**options).learn(sample_of(x, y, weight))


def statistics(model):
    """Everything that is known, as plain arrays."""
    known = model.known
    arrays = [known.classes, known.rows.table]
    for block in known.blocks:
        arrays += list(block.statistics.arrays().values())
        arrays += list(block.frame.cells or ())
    return arrays


def same(one, other):
    pairs = list(zip(statistics(one), statistics(other), strict=True))
    return all(a.shape == b.shape and (a == b).all() for a, b in pairs)


def mixed(n, seed=0):
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "word": pa.array(rng.choice(["x", "y", "z", None], n).tolist(), pa.string()),
            "count": pa.array([None if v > 5 else int(v) for v in rng.poisson(2, n)], pa.int64()),
            "flag": pa.array(rng.choice([True, False, None], n).tolist(), pa.bool_()),
        }
    )
    return table, rng.choice(["a", "b"], n)


SAID = {"count": "poisson"}
