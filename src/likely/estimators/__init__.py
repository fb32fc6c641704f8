"""scikit-learn's faces of the models, thin."""

from likely.estimators.naive_bayes import NaiveBayes

__all__ = ["NaiveBayes"]
