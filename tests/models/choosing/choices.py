"""What a model chooses for a table, for the tests of its choices."""

import numpy as np

from likely.data import read
from likely.families import FAMILIES
from likely.models.naive_bayes import NaiveBayesModel

from ...samples import sample_of

ROWS_HERE = 2000
Y = np.arange(ROWS_HERE) % 2

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def learned(x, y=None, weight=None, missing_values=None, **options):
    table = read(x, missing_values)
    labels = np.arange(table.rows) % 2 if y is None else y
    return NaiveBayesModel(**options).learn(sample_of(table, labels, weight))


def chosen(x, **options):
    """The name of the family of each column."""
    return [type(family).__name__ for family in learned(x, **options).chosen_families.values()]


def marked_missing(model):
    """The names of the columns whose missing cells are counted."""
    return [model.names[j] for block in model.blocks if block.family.marks_missing for j in block.columns]
