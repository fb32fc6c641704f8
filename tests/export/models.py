"""Models of a mixed table, as a file holds them, and what they predict."""

from functools import cache

import numpy as np
import pyarrow as pa

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.data import read
from likely.families import Bernoulli, Exponential, Histogram, MultivariateGaussian, Poisson
from likely.store import Origin, Stored

from ..databases import FAMILIES, mixed

TABLE = mixed(600)
X = TABLE.drop_columns("y")
NEW = pa.concat_tables(
    [
        mixed(120, seed=5).drop_columns("y"),
        pa.table({name: pa.array([None], X.schema.field(name).type) for name in X.column_names}),
        mixed(1, seed=6, holes=0.0).drop_columns("y").set_column(4, "colour", [["never seen"]]),
        mixed(1, seed=7, holes=0.0).drop_columns("y").set_column(1, "skewed", [[-2.0]]),
    ]
)
OTHERS = FAMILIES | {"skewed": Exponential(), "normal": Histogram(bins=5), "visits": Bernoulli(threshold=2)}


def stored(estimator) -> Stored:
    return Stored(estimator.model_, Origin(missing=estimator.missing_values), estimator.calibration_)


MODELS = {
    "auto": lambda: NaiveBayes(missing="auto"),
    "families": lambda: NaiveBayes(FAMILIES, missing="value"),
    "other families": lambda: NaiveBayes(OTHERS, class_prior="uniform", column_weights=True),
    "temperature": lambda: NaiveBayes(FAMILIES, calibrate="temperature"),
    "isotonic": lambda: NaiveBayes(FAMILIES, calibrate="isotonic"),
    "logistic": lambda: LogisticRegression(),
    "logistic of families": lambda: LogisticRegression(families=FAMILIES),
    "shrunk to naive Bayes": lambda: LogisticRegression(shrink_to="naive_bayes", families=FAMILIES, C=0.1),
}


@cache
def fitted(name) -> Stored:
    return stored(MODELS[name]().fit(X, TABLE["y"]))


def expected(model: Stored, table=NEW) -> np.ndarray:
    return model.predict_proba(read(table, model.origin.missing))


NUMBERS = ["normal", "bins", "visits"]
GAUSSIANS = {
    "full": lambda: GaussianClassifier(shrinkage=0.1),
    "tied": lambda: GaussianClassifier("tied"),
    "diagonal": lambda: GaussianClassifier("diagonal"),
    "spherical": lambda: GaussianClassifier("spherical", calibrate="temperature"),
    "one family of several": lambda: NaiveBayes(
        {"normal": (g := MultivariateGaussian()), "bins": g, "visits": Poisson()}
    ),
}


@cache
def gaussian(name) -> Stored:
    """Of a table of numbers without missing cells."""
    whole = TABLE.select([*NUMBERS, "y"]).drop_null()
    return stored(GAUSSIANS[name]().fit(whole.drop_columns("y"), whole["y"]))


COMPLETE = NEW.select(NUMBERS).drop_null()
WITH_GAPS = NEW.select(NUMBERS)
MARGINALISED = ("diagonal", "spherical")
"""Covariances under which a missing cell adds nothing, as elsewhere; under others a row with one has no answer."""
