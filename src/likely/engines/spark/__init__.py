"""Spark: fits a DataFrame, whose partitions `mapInArrow` counts on the executors, or files that its tasks read; and
predicts. It uses no RDDs, so it also runs on Spark Connect.

If an executor is lost, Spark repeats its tasks. Their results are added in the order of the partitions.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias, TypeVar, cast

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
except ImportError as error:
    raise ImportError("likely.engines.spark needs PySpark: pip install 'likely[spark]'") from error

from likely.engines.engine import LabelledRows, Parts
from likely.engines.parquet import row_groups
from likely.engines.spark.partitions import FrameParts, ReadParts, SparkParts, labelled_rows
from likely.engines.threads import alone

__all__ = ["FrameParts", "SparkData", "SparkParts", "connected", "fit", "parts", "predict"]


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
) -> Parts[LabelledRows]:
    """The partitions of a DataFrame; or row groups of Parquet files, about 64 MB each. Tasks of the session, by default
    the active one, read these without Java."""
    if isinstance(data, (str, os.PathLike, list, tuple)):
        session = _session(session)
        schema, groups = row_groups(data)
        _must_have(schema.names, target, sample_weight)
        return ReadParts(SparkParts(session, groups), lambda _, part: labelled_rows(part.read(), target, sample_weight))
    _refuse_other(data, "a DataFrame of Spark's, or paths of Parquet files")
    frame = cast(Any, data)
    _must_have(frame.columns, target, sample_weight)
    return FrameParts(frame, target, sample_weight)


def _must_have(columns: Sequence[str], *names: str | None) -> None:
    for name in names:
        if name is not None and name not in columns:
            some = ", ".join(map(repr, columns[:8]))
            raise ValueError(f"there is no column {name!r}; the columns are {some}")


def _refuse_other(data: Any, wanted: str) -> None:
    if not hasattr(data, "mapInArrow"):
        raise TypeError(f"{wanted} is needed, not {type(data).__module__.partition('.')[0]}'s {type(data).__name__}")


def _session(session: Any) -> Any:
    found = session or SparkSession.getActiveSession()
    if found is None:
        raise ValueError("there is no active session of Spark; give one, as session=spark")
    return found


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
