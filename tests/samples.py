"""Rows to learn, as models take them."""

import numpy as np

from likely.data import Sample, Table, encode_target, read
from likely.families import FAMILIES


def sample_of(x, y, weight=None):
    """A table, or what can be read as one, with its classes and weights."""
    classes, codes = encode_target(y)
    return Sample(x if isinstance(x, Table) else read(x), codes, classes, weight)


def readable(family, x):
    """Numbers of 0 or more, moved up by 1 for a family, by its name, that reads none as low as 0."""
    return np.asarray(x) + 1 if family in FAMILIES and FAMILIES[family].lowest > 0 else np.asarray(x)
