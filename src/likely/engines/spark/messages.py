"""The messages that tasks of Spark return: the number of a partition, and a result or an error."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import functions as sql

import likely
from likely.engines.engine import FAN, P, R, added
from likely.engines.threads import alone

MESSAGE = "number long, message binary"
LARGEST = 2_000_000_000
"""The most bytes of a message: the offsets of an Arrow batch have 31 bits."""
DESCRIPTION = "spark.job.description"
COLLECTED = 64
"""The most messages that the driver adds. If there are more, tasks first add FAN at a time."""


def done(version: str, work: Callable[[int, P], R], number: int, part: P) -> R | Exception:
    """The result, or the error as a value: raised in a task, Spark would turn it into a page of text."""
    if version != likely.__version__:
        return ValueError(f"a worker has Likely {likely.__version__}, and this is {version}; install the same on both")
    try:
        with alone():
            return work(number, part)
    except Exception as error:
        return error
    finally:
        _keep_modules()


@cache
def _keep_modules() -> None:
    """Excludes the objects of all modules from garbage collection, once in each of Spark's Python processes. These
    collect garbage after every task; with the modules of Likely that takes 76 ms, as long as counting 32 MB."""
    gc.collect()
    gc.freeze()


def message(number: int, result: Any) -> pa.RecordBatch:
    content = cloudpickle.dumps(result)
    if len(content) > LARGEST:
        large = f"partition {number} makes {len(content) / 1e9:.1f} GB, and Spark hands over 2 at most; repartition"
        content = cloudpickle.dumps(ValueError(large))
    arrays = [pa.array([number], pa.int64()), pa.array([content], pa.binary())]
    return pa.RecordBatch.from_arrays(arrays, ["number", "message"])


def opened(messages: pa.Table | pa.RecordBatch) -> Iterator[tuple[int, Any]]:
    """The number of each, and its result or error."""
    for number, content in zip(messages["number"].to_pylist(), messages["message"], strict=True):
        yield number, cloudpickle.loads(content.as_buffer())


def results(messages: pa.Table) -> list[tuple[int, Any]]:
    """The results in the order of their partitions; raises the first error among them."""
    found = list(opened(messages.sort_by("number")))
    for _, result in found:
        if isinstance(result, Exception):
            raise result
    return found


def collected(frame: Any, what: str) -> list[tuple[int, Any]]:
    """The results of a DataFrame of messages, by jobs of this name."""
    with _described(frame, what):
        return results(frame.toArrow())


@contextmanager
def _described(frame: Any, what: str) -> Iterator[None]:
    """Sets the name of jobs in Spark's web UI. Spark Connect has no context, and names jobs by their operations."""
    context = getattr(frame.sparkSession, "_sc", None)
    before = context and context.getLocalProperty(DESCRIPTION)
    try:
        if context:
            context.setLocalProperty(DESCRIPTION, f"Likely: {what}")
        yield
    finally:
        if context:
            context.setLocalProperty(DESCRIPTION, before)


def sum_of(frame: Any, count: int) -> Any:
    """The sum of the results of `count` partitions, added in their order."""
    what = f"the sum over {count:,} partitions"
    while count > COLLECTED:
        grouped = frame.withColumn("group", sql.floor(sql.col("number") / FAN)).groupBy("group")
        frame, count = grouped.applyInArrow(_group_total, MESSAGE), -(-count // FAN)
    return added(result for _, result in collected(frame, what))


def _group_total(messages: pa.Table) -> pa.Table:
    def total(_: int, messages: pa.Table) -> Any:
        return added(result for _, result in results(messages))

    sums = done(likely.__version__, total, 0, messages)
    return pa.Table.from_batches([message(messages["group"][0].as_py(), sums)])
