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
    """Loads a classifier from a model file.

    Parameters
    ----------
    path : path
        A model file, written by `save` or by `likely fit`.

    Returns
    -------
    NaiveBayes, GaussianClassifier, LogisticRegression or BayesNetwork
        The classifier. Its predictions are exactly the same as before. A model that counts rows can go on learning and
        forgetting.

    Raises
    ------
    ValueError
        If the file was changed or damaged. Nothing in it is executed.

    See Also
    --------
    merge : merges several models into one.

    Examples
    --------
    >>> from likely import NaiveBayes, load
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> NaiveBayes().fit(X, y).save("animals.likely")
    >>> load("animals.likely").predict(X.head(1)).tolist()
    ['lion']
    >>> import os; os.remove("animals.likely")
    """
    stored = store.load(path)
    return FACES[type(stored.model)]._of(stored)
