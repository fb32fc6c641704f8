"""Rows in the partitions of Spark: sent to tasks, read by them, in a DataFrame, or kept in its cache."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

import likely
from likely.engines.engine import A, LabelledRows, P, Parts, R
from likely.engines.spark.messages import MESSAGE, collected, done, message, opened, sum_of


class MessageParts(Parts[P]):
    """Parts whose results are messages of tasks. Kept results are copied to Java, and back for each piece of work."""

    keeps_in_place = False

    @abstractmethod
    def messages(self, work: Callable[[int, P], R], at: Sequence[int] | None = None) -> Any:
        """A DataFrame with a message for each of these partitions, by default all."""

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        results = self.collected(work, at)
        return [results[number] for number in at]

    def collected(self, work: Callable[[int, P], R], at: Sequence[int]) -> dict[int, R]:
        """The results by the numbers of the partitions."""
        return dict(collected(self.messages(work, at), f"{len(at):,} of {len(self):,} partitions"))

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["KeptParts[R]"]:
        frame = self.messages(work).persist()
        try:
            yield KeptParts(frame, len(self))
        finally:
            frame.unpersist()

    def total(self, work: Callable[[int, P], A]) -> A:
        total: A = sum_of(self.messages(work), len(self))
        return total


class SparkParts(MessageParts[P]):
    """Parts that are sent to tasks, such as names of files to read."""

    def __init__(self, session: SparkSession, parts: Sequence[P]) -> None:
        self.session, self.parts = session, parts

    def __len__(self) -> int:
        return len(self.parts)

    def messages(self, work: Callable[[int, P], R], at: Sequence[int] | None = None) -> Any:
        numbers = range(len(self.parts)) if at is None else at
        parts, version = [(number, self.parts[number]) for number in numbers], likely.__version__

        def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for row in batch.column(0).to_pylist():
                    number, part = parts[row]
                    yield message(number, done(version, work, number, part))

        return self.session.range(0, len(parts), 1, max(len(parts), 1)).mapInArrow(task, MESSAGE)


class ReadParts(Parts[P]):
    """What tasks read from other parts, such as the rows of files, again for each piece of work. A pass over 400,000
    rows of 50 numbers then takes 0.9 CPU seconds, compared with 1.5 from Spark's cache, which also must be filled first
    and takes memory."""

    keeps_in_place = False

    def __init__(self, parts: Parts[Any], read: Callable[[int, Any], P]) -> None:
        self.parts, self.read = parts, read

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        return self.parts.each(self._after(work), at)

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["ReadParts[R]"]:
        yield ReadParts(self.parts, self._after(work))

    def total(self, work: Callable[[int, P], A]) -> A:
        return self.parts.total(self._after(work))

    def _after(self, work: Callable[[int, P], R]) -> Callable[[int, Any], R]:
        read = self.read
        return lambda number, part: work(number, read(number, part))


class FrameParts(MessageParts[LabelledRows]):
    """The partitions of a DataFrame. A task has one of them in memory."""

    def __init__(self, frame: Any, target: str, weight: str | None) -> None:
        self.frame, self.target, self.weight = frame, target, weight
        self.count = _partitions(frame)

    def __len__(self) -> int:
        return self.count

    def each(self, work: Callable[[int, LabelledRows], R], at: Sequence[int]) -> list[R]:
        """Partitions without rows send no message: their work is done here."""
        results, empty = self.collected(work, at), self.frame.limit(0).toArrow()
        return [
            results[number] if number in results else work(number, labelled_rows(empty, self.target, self.weight))
            for number in at
        ]

    def messages(self, work: Callable[[int, LabelledRows], R], at: Sequence[int] | None = None) -> Any:
        target, weight, version = self.target, self.weight, likely.__version__
        chosen = None if at is None else frozenset(at)

        def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            number = TaskContext.get().partitionId()
            if (chosen is None or number in chosen) and (found := list(batches)):
                rows = labelled_rows(pa.Table.from_batches(found), target, weight)
                yield message(number, done(version, work, number, rows))

        return self.frame.mapInArrow(task, MESSAGE)


class KeptParts(MessageParts[P]):
    """Results in Spark's cache, as messages."""

    def __init__(self, frame: Any, count: int) -> None:
        self.frame, self.count = frame, count

    def __len__(self) -> int:
        return self.count

    def messages(self, work: Callable[[int, P], R], at: Sequence[int] | None = None) -> Any:
        version = likely.__version__

        def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for number, part in opened(batch):
                    yield message(number, part if isinstance(part, Exception) else done(version, work, number, part))

        frame = self.frame if at is None else self.frame.where(sql.col("number").isin(list(at)))
        return frame.mapInArrow(task, MESSAGE)


def _partitions(frame: Any) -> int:
    try:
        return int(frame.rdd.getNumPartitions())
    except Exception:  # Spark Connect has no RDDs, and raises an error of its own type
        last = frame.select(sql.spark_partition_id().alias("at")).agg(sql.max("at")).first()[0]
        return 1 if last is None else int(last) + 1


def labelled_rows(table: pa.Table, target: str, weight: str | None) -> LabelledRows:
    named = [target] if weight is None else [target, weight]
    return table.drop_columns(named), table[target], None if weight is None else table[weight].to_numpy()
