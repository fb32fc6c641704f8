"""Spark: a DataFrame, whose partitions `mapInArrow` counts on the executors, or files that its tasks read. Each task
returns one small message. Messages are added in groups, and the sums on the driver. It uses no RDDs, so it also runs on
Spark Connect.

If an executor is lost, Spark repeats its tasks. Messages are added in the order of their partitions.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import likely
from likely.engines.engine import FAN, A, LabelledRows, P, Parts, R, added
from likely.engines.parquet import row_groups
from likely.engines.threads import alone

try:
    import pyarrow as pa
    from pyspark import TaskContext, cloudpickle
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import functions as sql
except ImportError as error:
    raise ImportError("likely.engines.spark needs PySpark: pip install 'likely[spark]'") from error

MESSAGE = "number long, message binary"
LARGEST = 2_000_000_000
"""The most bytes of a message: the offsets of an Arrow batch have 31 bits."""
DESCRIPTION = "spark.job.description"
COLLECTED = 64
"""The most messages that the driver adds. If there are more, tasks first add FAN at a time."""


class FittedInParts(Protocol):
    def fit_parts(self, parts: Parts[LabelledRows]) -> Any: ...


F = TypeVar("F", bound=FittedInParts)
SparkData: TypeAlias = DataFrame | str | os.PathLike[str] | Sequence[str]
"""A DataFrame, or Parquet files by their paths."""


def fit(
    model: F, data: SparkData, target: str, sample_weight: str | None = None, *, session: SparkSession | None = None
) -> F:
    """Fits a classifier to the rows of a DataFrame, or of Parquet files.

    Parameters
    ----------
    model : classifier
        One of Likely's, such as `NaiveBayes()`.
    data : DataFrame, path, or list of paths
        Rows. Paths are of Parquet files that the executors can open too.
    target : str
        The column of classes.
    sample_weight : str, optional
        The column of weights.
    session : SparkSession, optional
        The session that reads paths; the active one by default.

    Returns
    -------
    classifier
        The model, fitted.

    See Also
    --------
    predict : the classes of new rows.
    """
    if not hasattr(model, "fit_parts"):
        raise TypeError(f"{type(model).__name__} is no classifier of Likely's, such as NaiveBayes()")
    model.fit_parts(parts(data, target, sample_weight, session=session))
    return model


def parts(
    data: SparkData, target: str, sample_weight: str | None = None, *, session: SparkSession | None = None
) -> "FrameParts | ParquetParts":
    """The partitions of a DataFrame; or row groups of Parquet files, about 64 MB each, which the tasks of `session` (by
    default the active one) read without Java."""
    paths = isinstance(data, (str, os.PathLike, list, tuple))
    if not paths:
        _refuse_other(data, "a DataFrame of Spark's, or paths of Parquet files")
    of_files = ParquetParts(_session(session), data, target, sample_weight) if paths else None
    columns = cast(Any, data).columns if of_files is None else of_files.schema.names
    for name in (target, sample_weight):
        if name is not None and name not in columns:
            some = ", ".join(map(repr, columns[:8]))
            raise ValueError(f"there is no column {name!r}; the columns are {some}")
    return FrameParts(data, target, sample_weight) if of_files is None else of_files


def _refuse_other(data: Any, wanted: str) -> None:
    if not hasattr(data, "mapInArrow"):
        raise TypeError(f"{wanted} is needed, not {type(data).__module__.partition('.')[0]}'s {type(data).__name__}")


def _session(session: Any) -> Any:
    chosen = session or SparkSession.getActiveSession()
    if chosen is None:
        raise ValueError("there is no active session of Spark; give one, as session=spark")
    return chosen


def predict(model: Any, dataframe: DataFrame) -> DataFrame:
    """Predicts the class of each row of a DataFrame.

    Parameters
    ----------
    model : fitted classifier
        One of Likely's.
    dataframe : DataFrame
        Rows. It may have columns that the model does not know.

    Returns
    -------
    DataFrame
        The rows with the columns `prediction` and `probability`, lazily; batches are streamed.

    See Also
    --------
    fit : fit a classifier to a DataFrame.
    """
    _refuse_other(dataframe, "a DataFrame of Spark's, as session.read.parquet(path) gives it,")
    for name in ("prediction", "probability"):
        if name in dataframe.columns:
            raise ValueError(f"there is a column {name!r} already; rename it")
    if not hasattr(model, "model_"):
        raise ValueError(f"{type(model).__name__} has learned nothing yet; fit it first")
    if not hasattr(model, "feature_names_in_"):
        raise ValueError("a DataFrame has named columns, and the model learned an array; fit it on named columns")
    names = [str(name) for name in model.feature_names_in_]
    for name in names:
        if name not in dataframe.columns:
            some = ", ".join(map(repr, dataframe.columns[:8]))
            raise ValueError(f"the model reads a column {name!r}; the columns are {some}")
    kind = {"b": "boolean", "i": "long", "u": "long", "f": "double"}.get(model.classes_.dtype.kind, "string")
    schema = dataframe.selectExpr("*", f"cast(null as {kind}) prediction", "cast(null as double) probability").schema

    def answered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                with alone():
                    p = model.predict_proba(pa.Table.from_batches([batch]).select(names))
                labels = pa.array(model.classes_[p.argmax(axis=1)].tolist())
                arrays = [*batch.columns, labels, pa.array(p.max(axis=1))]
                yield pa.RecordBatch.from_arrays(arrays, [*batch.schema.names, "prediction", "probability"])

    return dataframe.mapInArrow(answered, schema)


class PartsInJava(Parts[P]):
    """Parts whose kept results are copied to Java, and back for each piece of work. Reading Parquet again is faster."""

    keeps_in_place = False


class SparkParts(PartsInJava[P]):
    """Parts that are sent to tasks, such as names of files to read."""

    def __init__(self, session: SparkSession, parts: Sequence[P]) -> None:
        self.session, self.parts = session, parts

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        return [result for _, result in _collected(self._messages(work, at), _some(at, self))]

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["KeptParts[R]"]:
        with _cached(self._messages(work, range(len(self.parts)))) as frame:
            yield KeptParts(frame, len(self.parts))

    def total(self, work: Callable[[int, P], A]) -> A:
        total: A = _total(self._messages(work, range(len(self.parts))), len(self.parts))
        return total

    def _messages(self, work: Callable[[int, P], R], at: Sequence[int]) -> Any:
        parts, version = [(number, self.parts[number]) for number in at], likely.__version__

        def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for row in batch.column(0).to_pylist():
                    number, part = parts[row]
                    yield _message(row, _done(version, work, number, part))

        return self.session.range(0, len(parts), 1, max(len(parts), 1)).mapInArrow(task, MESSAGE)


class ParquetParts(PartsInJava[LabelledRows]):
    """Row groups of Parquet files, which tasks read."""

    def __init__(self, session: Any, paths: Any, target: str, weight: str | None) -> None:
        self.schema, groups = row_groups(paths)
        self.target, self.weight, self.parts = target, weight, SparkParts(session, groups)

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, LabelledRows], R], at: Sequence[int]) -> list[R]:
        return self.parts.each(self._reading(work), at)

    @contextmanager
    def kept(self, work: Callable[[int, LabelledRows], R]) -> Iterator["RemadeParts[R]"]:
        yield RemadeParts(self, work)

    def total(self, work: Callable[[int, LabelledRows], A]) -> A:
        return self.parts.total(self._reading(work))

    def _reading(self, work: Callable[[int, LabelledRows], R]) -> Callable[[int, Any], R]:
        target, weight = self.target, self.weight

        def read(number: int, part: Any) -> R:
            return work(number, _rows(part.read(), target, weight))

        return read


class RemadeParts(PartsInJava[P]):
    """Results that are computed from files again whenever they are needed. A pass over 400,000 rows of 50 numbers then
    takes 0.9 CPU seconds, compared with 1.5 from Spark's cache, which also must be filled first and takes memory."""

    def __init__(self, parts: Parts[Any], made: Callable[[int, Any], P]) -> None:
        self.parts, self.made = parts, made

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        return self.parts.each(self._after(work), at)

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["RemadeParts[R]"]:
        yield RemadeParts(self.parts, self._after(work))

    def total(self, work: Callable[[int, P], A]) -> A:
        return self.parts.total(self._after(work))

    def _after(self, work: Callable[[int, P], R]) -> Callable[[int, Any], R]:
        made = self.made
        return lambda number, part: work(number, made(number, part))


class FrameParts(PartsInJava[LabelledRows]):
    """The partitions of a DataFrame. A task has one of them in memory."""

    def __init__(self, frame: Any, target: str, weight: str | None) -> None:
        self.frame, self.target, self.weight = frame, target, weight
        self.count = _partitions(frame)

    def __len__(self) -> int:
        return self.count

    def each(self, work: Callable[[int, LabelledRows], R], at: Sequence[int]) -> list[R]:
        results = dict(_collected(self._messages(work, frozenset(at)), _some(at, self)))
        nothing = self.frame.limit(0).toArrow()
        return [results[n] if n in results else work(n, _rows(nothing, self.target, self.weight)) for n in at]

    @contextmanager
    def kept(self, work: Callable[[int, LabelledRows], R]) -> Iterator["KeptParts[R]"]:
        with _cached(self._messages(work, None)) as frame:
            yield KeptParts(frame, self.count)

    def total(self, work: Callable[[int, LabelledRows], A]) -> A:
        total: A = _total(self._messages(work, None), self.count)
        return total

    def _messages(self, work: Callable[[int, LabelledRows], R], chosen: frozenset[int] | None) -> Any:
        target, weight, version = self.target, self.weight, likely.__version__

        def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            number = TaskContext.get().partitionId()
            if (chosen is None or number in chosen) and (partition := list(batches)):
                rows = _rows(pa.Table.from_batches(partition), target, weight)
                yield _message(number, _done(version, work, number, rows))

        return self.frame.mapInArrow(task, MESSAGE)


class KeptParts(PartsInJava[P]):
    """Results in Spark's cache, as messages."""

    def __init__(self, frame: Any, count: int) -> None:
        self.frame, self.count = frame, count

    def __len__(self) -> int:
        return self.count

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        chosen = self.frame.where(sql.col("number").isin(list(at)))
        results = dict(_collected(self._messages(chosen, work), _some(at, self)))
        return [results[number] for number in at]

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["KeptParts[R]"]:
        with _cached(self._messages(self.frame, work)) as frame:
            yield KeptParts(frame, self.count)

    def total(self, work: Callable[[int, P], A]) -> A:
        total: A = _total(self._messages(self.frame, work), self.count)
        return total

    def _messages(self, frame: Any, work: Callable[[int, P], R]) -> Any:
        version = likely.__version__

        def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for number, message in zip(batch["number"].to_pylist(), batch["message"], strict=True):
                    part = cloudpickle.loads(message.as_buffer())
                    yield _message(number, part if isinstance(part, Exception) else _done(version, work, number, part))

        return frame.mapInArrow(task, MESSAGE)


def _some(at: Sequence[int], parts: Parts[Any]) -> str:
    return f"{len(at):,} of {len(parts):,} partitions"


@contextmanager
def _cached(frame: Any) -> Iterator[Any]:
    frame.persist()
    try:
        yield frame
    finally:
        frame.unpersist()


def _partitions(frame: Any) -> int:
    try:
        return int(frame.rdd.getNumPartitions())
    except Exception:  # Spark Connect has no RDDs, and raises an error of its own type
        last = frame.select(sql.spark_partition_id().alias("at")).agg(sql.max("at")).first()[0]
        return 1 if last is None else int(last) + 1


def _rows(table: pa.Table, target: str, weight: str | None) -> LabelledRows:
    named = [target] if weight is None else [target, weight]
    return table.drop_columns(named), table[target], None if weight is None else table[weight].to_numpy()


def _done(version: str, work: Callable[[int, P], R], number: int, part: P) -> R | Exception:
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


def _message(number: int, result: Any) -> pa.RecordBatch:
    message = cloudpickle.dumps(result)
    if len(message) > LARGEST:
        large = f"partition {number} makes {len(message) / 1e9:.1f} GB, and Spark hands over 2 at most; repartition"
        message = cloudpickle.dumps(ValueError(large))
    arrays = [pa.array([number], pa.int64()), pa.array([message], pa.binary())]
    return pa.RecordBatch.from_arrays(arrays, ["number", "message"])


def _opened(messages: Iterable[tuple[int, bytes]]) -> list[tuple[int, Any]]:
    """The results in the order of their partitions; raises the first error among them."""
    results = [(number, cloudpickle.loads(bytes(message))) for number, message in sorted(messages)]
    for _, result in results:
        if isinstance(result, Exception):
            raise result
    return results


def _collected(frame: Any, what: str) -> list[tuple[int, Any]]:
    with _described(frame, what):
        table = frame.toArrow()
        return _opened(zip(table["number"].to_pylist(), table["message"].to_pylist(), strict=True))


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


def _total(frame: Any, count: int) -> Any:
    what = f"the sum over {count:,} partitions"
    while count > COLLECTED:
        grouped = frame.withColumn("group", sql.floor(sql.col("number") / FAN)).groupBy("group")
        frame, count = grouped.applyInArrow(_group_total, MESSAGE), -(-count // FAN)
    return added(result for _, result in _collected(frame, what))


def _group_total(table: pa.Table) -> pa.Table:
    messages = zip(table["number"].to_pylist(), table["message"].to_pylist(), strict=True)
    total = _done(likely.__version__, lambda _, some: added(result for _, result in _opened(some)), 0, messages)
    return pa.Table.from_batches([_message(table["group"][0].as_py(), total)])


@contextmanager
def connected(master: str) -> Iterator[SparkSession]:
    """A session on a cluster, by its address, or on threads of this machine, with `local[*]`."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("likely")
    session = (builder.remote(master) if master.startswith("sc://") else builder.master(master)).getOrCreate()
    try:
        yield session
    finally:
        session.stop()
