"""scikit-learn's faces of the models, thin."""

from likely.estimators.gaussian import GaussianClassifier
from likely.estimators.logistic import LogisticRegression
from likely.estimators.naive_bayes import NaiveBayes

__all__ = ["GaussianClassifier", "LogisticRegression", "NaiveBayes"]
