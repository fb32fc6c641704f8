"""Batches with their classes and weights, as models learn them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.options import Reading
from likely.cli.sources import TARGET, Source, naming
from likely.data import Sample, encode_target, read
from likely.data.arrow import NO_CAST
from likely.data.stream import Batch, conform
from likely.data.stream.ahead import ahead
from likely.errors import BadCell, BadLabel
from likely.models.choosing.families import ROWS
from likely.statistics import Labels
from likely.store import Stored

FIRST_BYTES = 32 << 20


class LabelledBatch(NamedTuple):
    columns: pa.Table
    sample: Sample
    batch: Batch


def batches_for_new_model(source: Source, target: str | None, reading: Reading) -> Iterator[LabelledBatch]:
    """Batches for a model that has learned nothing: whatever columns there are."""
    weights, ignored = reading.weights, reading.ignored
    for batch in _first_together(ahead(source)):
        table = batch.table
        with naming(source, batch):
            label = target_of(source, target, table)
            for name in (*([] if weights is None else [weights]), *ignored):
                _there(name, table)
            columns = table.drop_columns(
                [label, *(name for name in (weights, *ignored) if name is not None and name != label)]
            )
            if source.kind != "table":
                columns = columns.select([name for name in ("text", "marks") if name in columns.column_names])
            if not columns.num_columns:
                raise ValueError(f"besides {label!r} there is no column to learn from")
            yield _labelled(columns, table, label, weights, reading.missing, batch)


def _first_together(batches: Iterator[Batch]) -> Iterator[Batch]:
    """The first batch as large as families want to be chosen by, if there is as much."""
    first: list[Batch] = []
    for batch in batches:
        if first and batch.file == first[0].file and _few(first):
            first.append(batch)
            continue
        if first:
            yield _together(first)
        first = []
        if batch.first == 0 and _few([batch]):
            first = [batch]
        else:
            yield batch
            yield from batches
            return
    if first:
        yield _together(first)


def _few(batches: Sequence[Batch]) -> bool:
    rows, size = (sum(counts) for counts in zip(*((b.table.num_rows, b.table.nbytes) for b in batches), strict=True))
    return bool(rows < ROWS and size < FIRST_BYTES)


def _together(batches: Sequence[Batch]) -> Batch:
    return batches[0]._replace(table=pa.concat_tables([batch.table for batch in batches]))


def batches_for_model(source: Source, stored: Stored, target: str | None, text: bool = True) -> Iterator[LabelledBatch]:
    """Batches for a model that has: its columns, of its kinds."""
    origin = stored.origin
    for batch in ahead(source):
        table = batch.table
        with naming(source, batch):
            label = target_of(source, target or origin.target, table)
            if origin.weights is not None:
                _there(origin.weights, table)
            y = as_classes(table[label], stored.model.classes)
            table = table.set_column(table.column_names.index(label), label, y)
            yield _labelled(columns_of(stored, batch.table), table, label, origin.weights, origin.missing, batch)


def columns_of(stored: Stored, table: pa.Table) -> pa.Table:
    model = stored.model
    names = [str(name) for name in model.names]
    if isinstance(model.names, range):
        raise ValueError("the model was learned from columns without names, and reads none from a file")
    return conform(table, names, model.known.kinds, stored.origin.moments)


def as_classes(column: pa.ChunkedArray, classes: Labels) -> pa.ChunkedArray:
    """Labels in the type that the model has them in."""
    types = {"b": pa.bool_(), "i": pa.int64(), "u": pa.uint64(), "f": pa.float64()}
    type_ = types.get(classes.dtype.kind, pa.large_string())
    try:
        return column.cast(type_)
    except NO_CAST:
        return column


def target_of(source: Source, target: str | None, table: pa.Table) -> str:
    if target is None and source.kind == "table":
        raise ValueError("say which column holds the classes, with --target")
    name = TARGET if target is None else target
    _there(name, table)
    return name


def _there(name: str, table: pa.Table) -> None:
    if name not in table.column_names:
        some = ", ".join(map(repr, table.column_names[:8])) + (", ..." if table.num_columns > 8 else "")
        raise ValueError(f"there is no column {name!r}; the columns are {some}")


def _labelled(
    columns: pa.Table, table: pa.Table, label: str, weights: str | None, missing: Any, batch: Batch
) -> LabelledBatch:
    try:
        classes, codes = encode_target(table[label])
    except BadLabel as error:
        error.column = label
        raise
    if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
        row = int(np.argmax(classes[codes] != np.floor(classes[codes])))
        raise BadLabel("classes are names or whole numbers", row, label, classes[codes[row]])
    weight = None if weights is None else _weights(weights, table[weights])
    return LabelledBatch(columns, Sample(read(columns, as_number(missing)), codes, classes, weight), batch)


def as_number(missing: Any) -> Any:
    """What stands for a missing cell, as a number if it is one."""
    for kind in (int, float) if isinstance(missing, str) else ():
        try:
            return kind(missing)
        except ValueError:
            continue
    return missing


def _weights(name: str, column: pa.ChunkedArray) -> NDArray[np.float64]:
    try:
        weight = column.cast(pa.float64()).to_numpy()
    except NO_CAST:
        raise ValueError(f"weights must be numbers; column {name!r} holds others") from None
    bad = np.flatnonzero(~((weight >= 0) & (weight < np.inf)))
    if bad.size:
        raise BadCell("weights must be finite and 0 or more", int(bad[0]), name, weight[bad[0]])
    return np.ascontiguousarray(weight)
