"""Model files as scikit-learn classifiers."""

import os

from likely import store
from likely.estimators.classifier import GenerativeClassifier
from likely.estimators.gaussian import GaussianClassifier
from likely.estimators.naive_bayes import NaiveBayes
from likely.models.gaussian import Gaussian
from likely.models.naive_bayes import NaiveBayes as Model
from likely.validation.relevant import Selecting

FACES: dict[type[Model], type[GenerativeClassifier]] = {
    Gaussian: GaussianClassifier,
    Model: NaiveBayes,
    Selecting: NaiveBayes,
}


def load(path: str | os.PathLike[str]) -> GenerativeClassifier:
    """The classifier that was saved there: it answers to the bit as before, and can go on learning and forgetting.

    Raises ValueError if the file is not as it was written. Nothing that it holds is run.
    """
    stored = store.load(path)
    return FACES[type(stored.model)]._of(stored)
