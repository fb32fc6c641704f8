"""What a model chooses for a table, for the tests of its choices."""

import numpy as np

from likely.data import encode_target, read
from likely.families import (
    FAMILIES,
)
from likely.models.naive_bayes import NaiveBayes

ROWS_HERE = 2000
Y = np.arange(ROWS_HERE) % 2

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def learned(x, y=None, weight=None, missing_values=None, **options):
    table = read(x, missing_values)
    classes, codes = encode_target(np.arange(table.rows) % 2 if y is None else y)
    model = NaiveBayes(**options)
    model.learn(table, classes, codes, weight)
    return model


def chosen(x, **options):
    """The name of the family of each column."""
    return [type(family).__name__ for family in learned(x, **options).chosen.values()]


def absences(model):
    """The names of the columns whose missing cells are counted."""
    return [name for block in model.learned.blocks if block.plan.absence for name in block.frame.columns]
