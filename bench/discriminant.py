"""Gaussian classifiers compared with scikit-learn's discriminant analysis, 1M x 50 float64, 10 classes.

Each does the same work as its peer: maximum likelihood, nothing shrunk or chosen. Intel's extension for scikit-learn
has no discriminant analysis (`sklearnex.get_patch_names()`); the peer is its covariance of the same array, which knows
of no classes and is the smaller part of the work.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from bench.table import Row, milliseconds
from bench.timing import best, peak_memory, read_array
from likely import GaussianClassifier

ROWS = 1_000_000


def tied() -> Iterator[Row]:
    """fit of one covariance for all classes"""
    from sklearnex.covariance import IncrementalEmpiricalCovariance

    x, y = _rows(ROWS, 50)
    ours = GaussianClassifier("tied", shrinkage=0.0)
    peers = {
        "LDA, svd": (LinearDiscriminantAnalysis(), 25),
        "LDA, lsqr": (LinearDiscriminantAnalysis("lsqr"), 4),
        "sklearnex, covariance alone": (IncrementalEmpiricalCovariance(batch_size=ROWS), 1.5),
    }
    limit = read_array(x)
    for name, (peer, target) in peers.items():
        mine, theirs = best(lambda: ours.fit(x, y), lambda peer=peer: peer.fit(x, y))
        times = milliseconds(mine), name, milliseconds(theirs)
        yield Row("Gaussian tied 1M x 50, fit", *times, theirs / mine, target, limit)
    share = peak_memory(lambda: ours.fit(x, y)) / x.nbytes
    yield Row("Gaussian tied, fit, memory", f"{share:.1%} of X", "10 % of X", "", 0.1 / max(share, 1e-3), 1)


def full() -> Iterator[Row]:
    """fit and predict of a covariance for each class"""
    x, y = _rows(ROWS, 50)
    ours, peer, limit = GaussianClassifier(shrinkage=0.0), QuadraticDiscriminantAnalysis(), read_array(x)
    for work, target in (("fit", 12), ("predict", 8)):
        arguments = (x, y) if work == "fit" else (x,)
        mine, theirs = best(
            lambda work=work, arguments=arguments: getattr(ours, work)(*arguments),
            lambda work=work, arguments=arguments: getattr(peer, work)(*arguments),
        )
        times = milliseconds(mine), "QDA", milliseconds(theirs)
        yield Row(f"Gaussian full 1M x 50, {work}", *times, theirs / mine, target, limit)
    chosen, plain = best(lambda: GaussianClassifier().fit(x, y), lambda: ours.fit(x, y))
    times = milliseconds(chosen), "our fit without", milliseconds(plain)
    yield Row("Gaussian full 1M x 50, fit, shrinkage chosen", *times, plain / chosen)


def left_out() -> Iterator[Row]:
    """leave-one-out of 100k x 20 beside one fit and predict of ours, for each covariance"""
    x, y = _rows(100_000, 20)
    cases = {
        "full": ("full", 0.0),
        "tied": ("tied", 0.0),
        "diagonal": ("diagonal", 0.0),
        "spherical": ("spherical", 0.0),
    }
    cases |= {"full, shrunk to tied": ("full", 0.1), "full, shrunk both ways": ("full", (0.1, 0.1))}
    for name, (covariance, shrinkage) in cases.items():
        model = GaussianClassifier(covariance, shrinkage=shrinkage)

        def fit_and_predict(model: GaussianClassifier = model) -> None:
            model.fit(x, y).predict(x)

        def leave_out(model: GaussianClassifier = model) -> None:
            model.loo_scores(x, y)

        both, out = best(fit_and_predict, leave_out)
        times = milliseconds(out), "fit + predict of ours", milliseconds(both)
        yield Row(f"Gaussian {name} 100k x 20, left out", *times, both / out, 0.5 if name == "full" else None)


def _rows(rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, rows)
    x = rng.normal(size=(rows, columns))
    x[:, 1:] += 0.3 * x[:, :-1]
    return x + y[:, None] * 0.1, y
