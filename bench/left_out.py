"""Leave-one-out and cross-validation, compared with one fit and predict, and with scikit-learn."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.model_selection import LeaveOneOut, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB

from bench.corpora import newsgroups
from bench.table import Row, milliseconds
from bench.timing import best
from likely import NaiveBayes
from likely.data import Sample, read
from likely.families import Text
from likely.models.folds import score_folds
from likely.text import Tokens


def left_out_mixed() -> Iterator[Row]:
    """100k x 20: 5 normal and 5 skewed numbers, 4 counts, 4 categories, 2 bits, 5 % missing, 5 classes."""
    table, y = mixed_table(100_000)
    model = NaiveBayes().fit(table, y)

    def once() -> None:
        model.fit(table, y)
        model.predict(table)

    ours, one = best(lambda: model.loo_scores(table, y), once)
    name = "Left out, 100k x 20 mixed"
    yield Row(name, milliseconds(ours), "one fit and predict of ours", milliseconds(one), one / ours, 0.5)


def left_out_gaussian() -> Iterator[Row]:
    """2,000 x 50 float64, 2 classes: one fit with leave-one-out, compared with 2,000 fits."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 2_000)
    x = rng.normal(size=(2_000, 50)) + y[:, None] * 0.1
    model = NaiveBayes("gaussian")
    ours, theirs = best(
        lambda: model.fit(x, y).loo_scores(x, y), lambda: cross_val_predict(GaussianNB(), x, y, cv=LeaveOneOut())
    )
    name = "Left out, Gaussian 2,000 x 50"
    yield Row(name, milliseconds(ours), "scikit-learn's LeaveOneOut", milliseconds(theirs), theirs / ours, 1000)


def folds() -> Iterator[Row]:
    """10 folds of 1M x 50 float64, 10 classes: all counted once and merged."""
    rng = np.random.default_rng(9)
    y = rng.integers(0, 10, 1_000_000)
    x = rng.normal(size=(1_000_000, 50)) + y[:, None] * 0.1
    fold, codes, classes = rng.permutation(len(y)) % 10, y.astype(np.int32), np.arange(10)
    for families in ("gaussian", "auto"):
        model = NaiveBayes(families)

        def once(model: NaiveBayes = model) -> None:
            model.fit(x, y).predict(x)

        def ours(model: NaiveBayes = model) -> None:
            score_folds(model._unlearned(), Sample(read(x), codes, classes), fold)

        mine, one = best(ours, once)
        name = f"10 folds, {families} 1M x 50"
        yield Row(name, milliseconds(mine), "one fit and predict of ours", milliseconds(one), one / mine, 1 / 1.5)
        if families == "gaussian":
            (theirs,) = best(lambda: cross_val_score(GaussianNB(), x, y, cv=10), seconds=0, least=1)
            yield Row(name, milliseconds(mine), "cross_val_score", milliseconds(theirs), theirs / mine, 15)


def smoothing() -> Iterator[Row]:
    """20 Newsgroups: a fit that chooses the pseudo-count and whether pairs of words count, compared with a plain
    fit."""
    corpus, plain = newsgroups(), NaiveBayes("multinomial")
    words = NaiveBayes(Text(tokens=Tokens(sublinear=True, root=True)))
    for name, chosen in (("smoothing chosen", words), ("smoothing and pairs of words chosen", NaiveBayes())):
        mine, one = best(
            lambda model=chosen: model.fit(corpus.texts, corpus.y), lambda: plain.fit(corpus.texts, corpus.y)
        )
        times = milliseconds(mine), "our fit of multinomial text", milliseconds(one)
        yield Row(f"20 Newsgroups, {name}", *times, one / mine, 1 / 3)


def mixed_table(rows: int) -> tuple[pa.Table, Any]:
    rng = np.random.default_rng(7)
    y = rng.integers(0, 5, rows)

    def column(values: Any) -> pa.Array:
        return pa.array(values, mask=rng.random(rows) < 0.05)

    words = np.array([f"value-{i}" for i in range(20)], object)
    columns = {f"normal{j}": column(rng.normal(y * 0.3)) for j in range(5)}
    columns |= {f"skewed{j}": column(rng.exponential(1 + y * 0.2)) for j in range(5)}
    columns |= {f"count{j}": column(rng.poisson(2 + y * 0.3)) for j in range(4)}
    columns |= {f"text{j}": column(words[(rng.integers(0, 20, rows) + y) % 20]) for j in range(4)}
    columns |= {f"bit{j}": column(rng.random(rows) < 0.3 + 0.1 * y) for j in range(2)}
    return pa.table(columns), y
