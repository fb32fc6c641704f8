"""Dask: a DataFrame, an Array, a bag of texts, or files that its workers read. Work runs on Dask's current scheduler:
that of a `distributed.Client`, or threads.

If a worker is lost, Dask repeats its tasks on another one, and the results are added in the same tree.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from logging import ERROR
from typing import Any

import numpy as np

import likely
from likely.engines.engine import FAN, A, LabelledRows, P, Parts, R, added
from likely.engines.threads import alone, count

try:
    import dask
    from dask.delayed import Delayed, delayed
except ImportError as error:
    raise ImportError("likely.engines.dask needs Dask: pip install 'likely[dask]'") from error


TIMEOUT = 10.0
"""Seconds to wait for a scheduler."""


LOCAL = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.monitor-interval": "1s",
}
"""Settings for workers on this machine. By Dask's defaults, every worker samples its stack 100 times a second, its
event loop 50 times and its memory 10 times. Four idle workers then take 1.7 CPU seconds in 10 s, and with these
settings 0.3 (`python -m bench speed --only engines_idle`)."""

ENVIRONMENT = "distributed.nanny.pre-spawn-environ"
"""The setting for the environment variables of a worker. Dask sets MALLOC_TRIM_THRESHOLD_ there, and then every larger
array allocates its memory pages again: predictions of 1.6 million rows have twice the page faults and 1.5 times the
system time (`python -m bench speed --only engines_predict` counts them)."""


class DaskParts(Parts[P]):
    """Parts for Dask: delayed values, or plain ones, which are sent to its workers."""

    def __init__(self, parts: Sequence[Delayed | P]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        return list(dask.compute(*self._made(work, at)))

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["DaskParts[R]"]:
        results = DaskParts(dask.persist(*self._made(work, range(len(self.parts)))))
        try:
            yield results
        finally:
            results.parts = ()  # releases the results, even if the caller still holds this object

    def total(self, work: Callable[[int, P], A]) -> A:
        level = self._made(work, range(len(self.parts)))
        add = delayed(_added, pure=False)
        while len(level) > 1:
            level = [add(level[at : at + FAN]) for at in range(0, len(level), FAN)]
        total: A = level[0].compute()
        return total

    def _made(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[Delayed]:
        shipped = delayed(work, traverse=False)  # sent once to each worker, not with every task
        do = delayed(_done, pure=False)
        return [do(likely.__version__, shipped, number, self.parts[number]) for number in at]


def _done(version: str, work: Callable[[int, P], R], number: int, part: P) -> R:
    if version != likely.__version__:
        raise ValueError(f"a worker has Likely {likely.__version__}, and this is {version}; install the same on both")
    with alone():
        return work(number, part)


def _added(results: list[A]) -> A:
    return added(results)


@contextmanager
def connected(address: str | None, most: int | None = None) -> Iterator[None]:
    """Runs the work of the context on a cluster, by the address of its scheduler; if that is None, on processes of this
    machine, at most `most` of them."""
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        if address is None:
            environment = {**dask.config.get(ENVIRONMENT)}
            environment.pop("MALLOC_TRIM_THRESHOLD_", None)
            stack.enter_context(dask.config.set({**LOCAL, ENVIRONMENT: environment}))
            workers = {"n_workers": min(count(), most or count()), "threads_per_worker": 1, "processes": True}
            address = stack.enter_context(LocalCluster(**workers, dashboard_address="127.0.0.1:0", silence_logs=ERROR))
        try:
            stack.enter_context(Client(address, timeout=TIMEOUT, set_as_default=True))
        except OSError as error:
            raise ConnectionError(f"there is no Dask scheduler at {address}: {error}") from None
        yield


def parts(X: Any, y: Any, weight: Any = None) -> DaskParts[LabelledRows]:
    """The partitions of a DataFrame, an Array or a bag of texts, each with its classes and weights. Classes and weights
    may be names of columns of a DataFrame; otherwise they are collections with the same partitions."""
    named = [name for name in (y, weight) if isinstance(name, str)]
    for name in named:
        if not hasattr(X, "columns"):
            raise TypeError(
                f"{name!r} names a column, and only a DataFrame has names; give a collection with the partitions of X"
            )
        if name not in X.columns:
            raise ValueError(f"there is no column {name!r}; the columns are {', '.join(map(repr, X.columns[:8]))}")
    if hasattr(X, "chunks"):
        X = X.rechunk({1: -1}) if X.ndim == 2 else X
    whole = _partitions(X)
    columns = [_per_partition(len(whole), column, what) for column, what in ((y, "y"), (weight, "sample_weight"))]
    rows = delayed(_rows, pure=False)
    return DaskParts([rows(part, *more) for part, *more in zip(whole, *columns, strict=True)])


def _partitions(collection: Any) -> list[Delayed]:
    delayed_parts = collection.to_delayed()
    return list(delayed_parts.ravel()) if hasattr(delayed_parts, "ravel") else list(delayed_parts)


def _per_partition(partitions: int, column: Any, what: str) -> list[Any]:
    """The classes or weights of each partition: the name of a column, None, or the partition of another collection."""
    if column is None or isinstance(column, str):
        return [column] * partitions
    if hasattr(column, "__dask_graph__"):
        delayed_parts = _partitions(column)
        if len(delayed_parts) != partitions:
            raise ValueError(f"{what} has {len(delayed_parts)} partitions, and X has {partitions}; give them the same")
        return delayed_parts
    raise TypeError(
        f"{what} of a collection of Dask's is one too, or the name of a column, not {type(column).__name__}"
    )


def _rows(part: Any, y: Any, weight: Any) -> LabelledRows:
    named = [name for name in (y, weight) if isinstance(name, str)]
    X = part.drop(columns=named) if named else part
    return X, part[y] if isinstance(y, str) else y, part[weight] if isinstance(weight, str) else weight


def answers(X: Any, predictor: Any, method: str, labels: Any, proba: bool) -> Any:
    """The result of a method of a fitted predictor, lazily: a Series or a DataFrame for a DataFrame, with its index; an
    Array for an Array; a bag for a bag. `labels` are the classes; with `proba` there is a column for each."""
    options = {"predictor": delayed(predictor, traverse=False), "method": method}
    if hasattr(X, "chunks"):
        X = X.rechunk({1: -1})
        if proba:
            chunks = (X.chunks[0], (len(labels),))
            return X.map_blocks(_answered, **options, dtype="float64", chunks=chunks, meta=np.empty((0, 0)))
        return X.map_blocks(_answered, **options, dtype=labels.dtype, drop_axis=1, meta=labels[:0])
    if hasattr(X, "columns"):
        import pandas as pd

        meta = pd.DataFrame(columns=labels.tolist(), dtype="float64") if proba else pd.Series(labels[:1]).iloc[:0]
        return X.map_partitions(_framed, **options, meta=meta)
    return X.map_partitions(_listed, **options)


def _answered(part: Any, predictor: Any, method: str) -> Any:
    if not len(part):
        classes = predictor.classes_
        return classes[:0] if method == "predict" else np.empty((0, len(classes)))
    with alone():
        return getattr(predictor, method)(part)


def _framed(part: Any, predictor: Any, method: str) -> Any:
    import pandas as pd

    predictions = _answered(part, predictor, method)
    return (
        pd.DataFrame(predictions, part.index, predictor.classes_.tolist())
        if predictions.ndim == 2
        else pd.Series(predictions, part.index)
    )


def _listed(part: Any, predictor: Any, method: str) -> list[Any]:
    answers = _answered(list(part), predictor, method)
    return answers.tolist() if answers.ndim == 1 else list(answers)
