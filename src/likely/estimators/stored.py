"""Model files as scikit-learn classifiers."""

import os
from typing import Any

from likely import store
from likely.estimators.bayes_network import BayesNetwork
from likely.estimators.gaussian import GaussianClassifier
from likely.estimators.logistic import LogisticRegression
from likely.estimators.naive_bayes import NaiveBayes
from likely.estimators.tables import TableClassifier
from likely.models.gaussian import GaussianModel
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.network.model import NetworkModel

FACES: dict[type[Any], type[TableClassifier]] = {
    GaussianModel: GaussianClassifier,
    LogisticModel: LogisticRegression,
    NaiveBayesModel: NaiveBayes,
    NetworkModel: BayesNetwork,
}


def load(path: str | os.PathLike[str]) -> TableClassifier:
    """The classifier that was saved there: it answers to the bit as before, and what counts can go on learning and
    forgetting.

    Raises ValueError if the file is not as it was written. Nothing that it holds is run.
    """
    stored = store.load(path)
    return FACES[type(stored.model)]._of(stored)
