"""Fit and predict beside scikit-learn, with one read of the data as the limit.

Intel's extension for scikit-learn is no peer here: it accelerates no naive Bayes (`sklearnex.get_patch_names()`).
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

from bench import (
    cluster_peers,
    command,
    databases,
    desk,
    discriminant,
    engines,
    left_out,
    logistic,
    mail,
    network,
    peers,
    store,
    texts,
)
from bench.table import Row, milliseconds
from bench.timing import best, peak_memory, read_array
from likely import GaussianClassifier, LogisticRegression, NaiveBayes

ROWS = 1_000_000


def gaussian() -> Iterator[Row]:
    """1M x 50 float64, 10 classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, ROWS)
    x = rng.normal(size=(ROWS, 50)) + y[:, None] * 0.1
    yield from _beside("Gaussian 1M x 50", NaiveBayes("gaussian"), GaussianNB(), x, y, 12, 15, read_array(x))
    yield from _memory("Gaussian 1M x 50", NaiveBayes("gaussian"), x, y, x.nbytes)


def bernoulli() -> Iterator[Row]:
    """1M x 50 uint8, 10 classes."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 10, ROWS)
    x = (rng.random((ROWS, 50)) < 0.3 + 0.04 * y[:, None]).astype(np.uint8)
    yield from _beside("Bernoulli 1M x 50", NaiveBayes("bernoulli"), BernoulliNB(), x, y, 40, 8, read_array(x))
    yield from _memory("Bernoulli 1M x 50", NaiveBayes("bernoulli"), x, y, x.nbytes)


def categorical() -> Iterator[Row]:
    """1M x 20 int64 of 12 values, 10 classes."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 10, ROWS)
    x = (rng.integers(0, 12, (ROWS, 20)) + (rng.random((ROWS, 20)) < 0.2) * y[:, None]) % 12
    yield from _beside("Categorical 1M x 20", NaiveBayes("categorical"), CategoricalNB(), x, y, 20, 8, read_array(x))
    yield from _memory("Categorical 1M x 20", NaiveBayes("categorical"), x, y, x.nbytes)


def multinomial() -> Iterator[Row]:
    """Sparse 200k x 50k with 100 tokens a row, Zipf-distributed, 20 classes."""
    rng = np.random.default_rng(3)
    rows, columns, tokens = 200_000, 50_000, 100
    y = rng.integers(0, 20, rows)
    rank = np.minimum((columns ** rng.random(rows * tokens)).astype(np.int32), columns - 1)
    at = (rank + np.repeat(y, tokens) * 7) % columns
    x = sp.csr_matrix((np.ones(len(at)), at.astype(np.int32), np.arange(0, len(at) + 1, tokens, dtype=np.int32)))
    x.resize(rows, columns)
    x.sum_duplicates()
    limit = read_array(np.concatenate([x.data.view(np.uint8), x.indices.view(np.uint8)]))
    yield from _beside("Multinomial 200k x 50k", NaiveBayes("multinomial"), MultinomialNB(), x, y, 3, 2, limit)


def mixed() -> Iterator[Row]:
    """1M x 12 from Arrow: 6 float, 4 text, 2 int columns, 5 % missing, 10 classes; beside Arrow's own encoding."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 10, ROWS)

    def column(values: Any) -> pa.Array:
        return pa.array(values, mask=rng.random(ROWS) < 0.05)

    words = np.array([f"value-{i}" for i in range(40)], object)
    texts = {f"text{j}": column(words[(rng.integers(0, 40, ROWS) + y) % 40]) for j in range(4)}
    floats = {f"float{j}": column(rng.normal(y * 0.2, size=ROWS)) for j in range(4)}
    skewed = {f"skewed{j}": column(rng.exponential(1 + y * 0.1, size=ROWS)) for j in range(2)}
    counts = {f"count{j}": column(rng.poisson(2 + y * 0.1)) for j in range(2)}
    table = pa.table(texts | floats | skewed | counts)
    model = NaiveBayes().fit(table, y)

    def encode() -> None:
        for values in texts.values():
            values.dictionary_encode()

    for work, run in (("fit", lambda: model.fit(table, y)), ("predict", lambda: model.predict(table))):
        ours, theirs = best(run, encode)
        peer = "dictionary_encode of the 4 text columns"
        name = f"Mixed 1M x 12, {work}"
        yield Row(name, milliseconds(ours), peer, milliseconds(theirs), theirs / ours, 0.5)


def frames() -> Iterator[Row]:
    """1M x 50 float64, 2 classes, in a DataFrame and in Arrow of 10 chunks, whose columns lie apart."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, ROWS)
    x = rng.normal(size=(ROWS, 50)) + y[:, None] * 0.1
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(50)])
    table = pa.Table.from_batches(pa.Table.from_pandas(frame).to_batches(ROWS // 10))
    peers = {NaiveBayes("gaussian"): GaussianNB(), LogisticRegression(): PeerRegression(solver="newton-cholesky")}
    for ours, peer in peers.items():
        for where, rows in {"DataFrame": frame, "Arrow": table}.items():
            name = f"{type(ours).__name__}, 1M x 50, {where}, fit"
            mine, array, theirs = best(*(partial(m.fit, z, y) for m, z in ((ours, rows), (ours, x), (peer, frame))))
            yield Row(name, milliseconds(mine), "an array", milliseconds(array), array / mine)
            yield Row(name, milliseconds(mine), "scikit-learn, DataFrame", milliseconds(theirs), theirs / mine, 3)


def small() -> Iterator[Row]:
    """What a fit costs when there is next to nothing to fit: 150 x 4."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], 50)
    x = rng.normal(size=(150, 4)) + y[:, None]
    for name, model in (("families chosen", NaiveBayes()), ("gaussian", NaiveBayes("gaussian"))):
        peer = GaussianNB()
        ours, theirs = best(lambda model=model: model.fit(x, y), lambda peer=peer: peer.fit(x, y), seconds=1)
        yield Row(f"150 x 4, {name}, fit", milliseconds(ours), "1 ms", milliseconds(theirs), 1e-3 / ours, 1)


def defaults() -> Iterator[Row]:
    """What choosing costs: 300k x 50 float64, 10 classes, beside the same model with nothing to choose."""
    rng = np.random.default_rng(6)
    y = rng.integers(0, 10, 300_000)
    x = rng.normal(size=(300_000, 50)) + y[:, None] * 0.1
    pairs = (
        ("NaiveBayes()", NaiveBayes(), "families given", NaiveBayes("gaussian"), 1 / 2),
        ("GaussianClassifier()", GaussianClassifier(), "shrinkage=0", GaussianClassifier(shrinkage=0.0), 1 / 3),
    )
    for name, model, peer, plain, target in pairs:
        ours, theirs = best(lambda model=model: model.fit(x, y), lambda plain=plain: plain.fit(x, y))
        yield Row(f"{name} 300k x 50, fit", milliseconds(ours), peer, milliseconds(theirs), theirs / ours, target)


def start() -> Iterator[Row]:
    """What `import likely` costs a fresh interpreter."""
    code = "import time; t = time.perf_counter(); import likely; print(time.perf_counter() - t)"
    taken = min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))
    yield Row("import likely", milliseconds(taken), "30 ms", "", 0.030 / taken, 1)


BENCHES: dict[str, Callable[[], Iterator[Row]]] = {
    bench.__name__: bench
    for bench in (
        gaussian,
        bernoulli,
        categorical,
        multinomial,
        mixed,
        frames,
        defaults,
        discriminant.tied,
        discriminant.full,
        discriminant.left_out,
        left_out.left_out_mixed,
        left_out.left_out_gaussian,
        left_out.folds,
        left_out.smoothing,
        logistic.logistic_binary,
        logistic.logistic_softmax,
        logistic.logistic_wide,
        logistic.logistic_news_tfidf,
        logistic.logistic_news_counts,
        logistic.logistic_sparse,
        logistic.logistic_small,
        logistic.logistic_limits,
        network.joint_counts,
        network.network_fit,
        network.network_aode,
        peers.blend_time,
        peers.blend_digits,
        texts.texts,
        texts.words,
        texts.news,
        mail.mail_learned,
        mail.mail_folds,
        store.stored,
        databases.sql_fit,
        databases.sql_scores,
        engines.engines_fit,
        engines.engines_predict,
        engines.engines_scaling,
        engines.engines_idle,
        engines.engines_bytes,
        cluster_peers.cluster_peers,
        command.command_fit,
        command.command_memory,
        command.command_stream,
        command.command_start,
        command.predict_explain,
        command.command_wide,
        desk.desk_label,
        desk.desk_mail,
        small,
        start,
    )
}


def _beside(
    name: str, ours: Any, peer: Any, x: Any, y: Any, fit_target: float, predict_target: float, limit: str
) -> Iterator[Row]:
    for work, target in (("fit", fit_target), ("predict", predict_target)):
        mine, theirs = best(_run(ours, work, x, y), _run(peer, work, x, y))
        times = milliseconds(mine), "scikit-learn", milliseconds(theirs)
        yield Row(f"{name}, {work}", *times, theirs / mine, target, limit)


def _run(model: Any, work: str, x: Any, y: Any) -> Callable[[], Any]:
    return (lambda: model.fit(x, y)) if work == "fit" else (lambda: model.predict(x))


def _memory(name: str, model: Any, x: Any, y: Any, size: int) -> Iterator[Row]:
    used = peak_memory(lambda: model.fit(x, y))
    share = used / size
    yield Row(
        f"{name}, fit, memory", f"{used / 1e6:.1f} MB", "10 % of X", f"{size / 1e7:.1f} MB", 0.1 / max(share, 1e-3), 1
    )
