"""Made tables of many columns and few rows: whether probabilities are honest where chance alone makes columns look
informative."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import log_loss

from bench.table import Row
from likely import BayesNetwork, NaiveBayes

SIZES = ((50, 10), (50, 1000), (120, 50), (120, 400), (500, 5), (500, 400))
SIGNALS = ("noise", "weak", "strong", "copies")
NEW = 2000
"""Rows to predict."""
SEEDS = range(3)
MORE = 0.04
"""Nats by which the log loss of columns without information may be above that of the shares."""
MODELS: dict[str, tuple[Callable[[], Any], tuple[tuple[int, int], ...]]] = {
    "NaiveBayes()": (NaiveBayes, SIZES),
    "BayesNetwork()": (BayesNetwork, ((50, 10), (120, 50), (120, 200))),
}


def many_columns() -> Iterator[Row]:
    """Two classes, numbers and categories: columns without information, each with a little, five informative ones, and
    copies of one. Log loss and error of 2,000 new rows, mean of three seeds, vs. always predicting the shares."""
    for name, (make, sizes) in MODELS.items():
        for kind in ("numbers", "categories"):
            for n, p in sizes:
                yield from (_row(name, make, kind, n, p, signal) for signal in SIGNALS)


def _row(name: str, make: Callable[[], Any], kind: str, n: int, p: int, signal: str) -> Row:
    found = []
    for seed in SEEDS:
        x, y = made(kind, n, p, signal, seed)
        told = make().fit(x[:n], y[:n]).predict_proba(x[n:])
        share = np.full(len(told), y[:n].mean())
        wrong = np.mean(told.argmax(axis=1) != y[n:])
        found.append((log_loss(y[n:], told), log_loss(y[n:], share), wrong))
    ours, shares, error = np.mean(found, axis=0)
    ratio, target = ((shares + MORE) / ours, 1) if signal == "noise" else (shares / ours, None)
    what = f"{name}, {n} x {p} {kind}, {signal}: log loss, error"
    return Row(what, f"{ours:.3f}, {error:.3f}", "the shares", f"{shares:.3f}", ratio, target)


def made(kind: str, n: int, p: int, signal: str, seed: int) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n + NEW)
    x, side = rng.normal(size=(n + NEW, p)), y[:, None] - 0.5
    if signal == "weak":
        x += 1.5 / p**0.5 * side
    elif signal == "strong":
        x[:, :5] += 1.2 * side
    elif signal == "copies":
        x = 0.3 * x + 1.5 * side + rng.normal(size=(n + NEW, 1))
    if kind == "categories":
        x = np.array(list("abcd"), object)[np.digitize(x, [-0.7, 0, 0.7])]
    return pd.DataFrame(x, columns=[f"column {j}" for j in range(p)]), y
