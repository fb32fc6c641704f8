"""Likely: probabilistic classification that counts.

Names are imported when they are first used, so that `import likely` takes almost no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likely.estimators.bayes_network import BayesNetwork
    from likely.estimators.classifier import merge
    from likely.estimators.gaussian import GaussianClassifier
    from likely.estimators.logistic import LogisticRegression
    from likely.estimators.naive_bayes import NaiveBayes
    from likely.estimators.stored import load

__version__ = "0.1.0"
__all__ = ["BayesNetwork", "GaussianClassifier", "LogisticRegression", "NaiveBayes", "__version__", "load", "merge"]

_HOMES = {
    "BayesNetwork": "likely.estimators.bayes_network",
    "GaussianClassifier": "likely.estimators.gaussian",
    "LogisticRegression": "likely.estimators.logistic",
    "NaiveBayes": "likely.estimators.naive_bayes",
    "load": "likely.estimators.stored",
    "merge": "likely.estimators.classifier",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'likely' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
