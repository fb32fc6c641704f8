"""Batches with classes and sample weights, from which models learn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.labelled_places import LabelledPlaces
from likely.cli.options import Reading
from likely.cli.sources import TARGET, Source, naming
from likely.data import Sample, encode_target, read
from likely.data.dataset import Batch, Dataset, as_it_is
from likely.data.dates import features
from likely.data.parsing import NO_CAST
from likely.data.row_digest import Marks
from likely.data.row_marks import row_marks
from likely.data.schema import ColumnSchema, ColumnType, Schema
from likely.data.stream.ahead import ahead
from likely.errors import BadCell, BadLabel, TableError
from likely.models.choosing.families import ROWS
from likely.statistics import Labels
from likely.store import Stored

FIRST_BYTES = 32 << 20


class LabelledBatch(NamedTuple):
    columns: pa.Table
    sample: Sample
    batch: Batch

    @property
    def marks(self) -> Marks:
        """The hashes by which a digest recognises the rows."""
        return row_marks(self.columns, self.sample.classes, self.sample.y)


def without_cell(part: LabelledBatch, column: str, row: int) -> LabelledBatch:
    """The batch with one cell missing."""
    at = part.columns.column_names.index(column)
    cells = part.columns.column(at)
    pieces = [*cells.slice(0, row).chunks, pa.nulls(1, cells.type), *cells.slice(row + 1).chunks]
    columns = part.columns.set_column(at, column, pa.chunked_array(pieces, cells.type))
    return part._replace(columns=columns, sample=replace(part.sample, table=read(columns)))


def kept_columns(target: str | None, reading: Reading) -> list[str]:
    """The columns with a special role: the classes and the weights."""
    return [name for name in (target, reading.weights) if name is not None]


def batches_for_new_model(source: Source, target: str | None, reading: Reading) -> Iterator[LabelledBatch]:
    """Batches for a new model, with all columns of the data."""
    for batch in ahead(source):
        with naming(source, batch):
            there = _with_class(source, batch, target_of(source, target, batch.table))
        if there.table.num_rows:
            with naming(source, there):
                part = labelled(source, there, target, reading)
            yield part
    _some_class(source)


def _with_class(source: Source, batch: Batch, label: str) -> Batch:
    return source.with_values(batch, label) if isinstance(source, Dataset) else batch


def _some_class(source: Source) -> None:
    if isinstance(source, Dataset) and source.unlabelled == source.rows > 0:
        raise ValueError(f"{source.files[0].path}: no row has a class")


def labelled(source: Source, batch: Batch, target: str | None, reading: Reading) -> LabelledBatch:
    table = batch.table
    label, weights = target_of(source, target, table), reading.weights
    if weights is not None:
        _known(weights, table.column_names)
    columns = table.drop_columns([label, *([weights] if weights is not None and weights != label else [])])
    if isinstance(source, Dataset):
        columns = features(columns, source.schema.columns)
    else:
        columns = columns.select([name for name in ("text", "marks") if name in columns.column_names])
    if not columns.num_columns:
        left_out = (
            [column.name for column in source.schema.columns if column.type == "ignore"]
            if isinstance(source, Dataset)
            else []
        )
        without = f"; left out: {', '.join(map(repr, left_out[:5]))}" if left_out else ""
        raise ValueError(f"besides {label!r} there is no column to learn from{without}")
    return _labelled(columns, table, label, weights, batch)


def sample_of_all(
    source: Source, target: str | None, reading: Reading, parts: Iterator[LabelledBatch]
) -> tuple[Sample, Iterator[LabelledBatch]]:
    """A sample from all of the data, on which families are chosen, and all batches. For folders and mail the sample is
    the first rows: they are read from all classes in turn."""
    if not isinstance(source, Dataset):
        first = _first_together(parts)
        return first.sample, chain([first], parts)
    table = source.sample()
    batch = Batch(table, source.files[0].path, 0, partial(as_it_is, table))
    with naming(source, batch):
        label = target_of(source, target, table)
    table = table.filter(table[label].is_valid())
    if table.num_rows < 2 and source.whole:
        few = "no row has" if not table.num_rows else "only one row has"
        raise ValueError(f"{batch.file}: {few} a class in column {label!r}")
    try:
        with naming(source, batch):
            return labelled(source, batch._replace(table=table), target, reading).sample, parts
    except TableError:
        for _ in parts:  # raises the same error, with the place of its row
            pass
        raise


def _first_together(parts: Iterator[LabelledBatch]) -> LabelledBatch:
    """The first batches as one, with enough rows to choose families on, if there are as many."""
    first = [next(parts)]
    for part in parts:
        first.append(part)
        if sum(len(part.sample) for part in first) >= ROWS or sum(part.columns.nbytes for part in first) > FIRST_BYTES:
            break
    if len(first) == 1:
        return first[0]
    tables = [part.batch.table for part in first]
    columns = pa.concat_tables([part.columns for part in first])
    batch = first[0].batch._replace(table=pa.concat_tables(tables))
    classes, codes = encode_target(np.concatenate([part.sample.classes[part.sample.y] for part in first]))
    return LabelledBatch(columns, Sample(read(columns), codes, classes), batch)


def batches_for_model(source: Source, stored: Stored, target: str | None) -> Iterator[LabelledBatch]:
    """Batches for an existing model, with its columns in their types."""
    origin = stored.origin
    if isinstance(source, LabelledPlaces):
        source.match(set(stored.model.classes.tolist()))
    for read_batch in ahead(source):
        with naming(source, read_batch):
            label = target_of(source, target or origin.target, read_batch.table)
            batch = _with_class(source, read_batch, label)
        table = batch.table
        if not table.num_rows:
            continue
        with naming(source, batch):
            if origin.weights is not None:
                _known(origin.weights, table.column_names)
            y = as_classes(table[label], stored.model.classes)
            labels = table.set_column(table.column_names.index(label), label, y)
            part = _labelled(columns_of(stored, source, table), labels, label, origin.weights, batch)
        yield part
    _some_class(source)


def schema_of(stored: Stored, target: str | None = None) -> Schema:
    """The schema by which a model reads data. For a model that was fitted in Python, it has the names and types of its
    columns."""
    model, origin = stored.model, stored.origin
    if isinstance(model.names, range):
        raise ValueError("the model was learned from columns without names, and reads none from a file")
    if origin.schema is not None:
        schema = Schema.of_plain(origin.schema)
    else:
        kinds = zip(model.names, model.known.kinds, strict=True)
        schema = Schema(tuple(ColumnSchema(str(name), _TYPES[kind]) for name, kind in kinds))
        if origin.missing is not None:
            schema = replace(schema, missing=(*schema.missing, str(origin.missing)))
    label = target or origin.target
    if label is not None and label not in schema:
        type_ = _CLASS_TYPES.get(model.classes.dtype.kind, "category")
        schema = replace(schema, columns=(*schema.columns, ColumnSchema(label, type_)))
    return schema


_TYPES: dict[str, ColumnType] = {
    "bool": "yesno",
    "int": "integer",
    "float": "number",
    "sparse": "number",
    "category": "category",
    "text": "text",
}
_CLASS_TYPES: dict[str, ColumnType] = {"b": "yesno", "i": "integer", "u": "integer", "f": "number"}


def columns_of(stored: Stored, source: Source, table: pa.Table) -> pa.Table:
    """The columns that the model reads, from a table that was read by its schema."""
    names: Sequence[str] = [str(name) for name in stored.model.names]
    found = features(table, source.schema.columns) if isinstance(source, Dataset) else table
    here = set(found.column_names)
    absent = next((name for name in names if name not in here), None)
    if absent is not None:
        others = [*here, *source.unknown] if isinstance(source, Dataset) else here
        close = _closest(absent, others)
        rename = "" if close is None or close in names else f"; rename {close!r} if that is it"
        raise ValueError(f"there is no column {absent!r}, which the model reads{rename}")
    return found.select(names)


def as_classes(column: pa.ChunkedArray, classes: Labels) -> pa.ChunkedArray:
    """Labels in the type of the model's classes, if they can be cast."""
    types = {"b": pa.bool_(), "i": pa.int64(), "u": pa.uint64(), "f": pa.float64()}
    type_ = types.get(classes.dtype.kind, pa.large_string())
    try:
        return column if column.type == type_ else column.cast(type_)
    except NO_CAST:
        return column


def target_of(source: Source, target: str | None, table: pa.Table) -> str:
    if target is None and source.kind == "table":
        raise ValueError("name the column with the classes: --target COLUMN")
    name = TARGET if target is None else target
    columns = source.schema.columns if isinstance(source, Dataset) and not source.strict else ()
    left_out = [column.name for column in columns if column.type == "ignore"]
    if name in left_out:
        raise ValueError(f"column {name!r} holds the classes, and can't be left out")
    _known(name, [*table.column_names, *left_out])
    return name


def _known(name: str, names: Sequence[str]) -> None:
    if name not in names:
        close = _closest(name, names)
        if close is not None:
            raise ValueError(f"there is no column {name!r}; did you mean {close!r}?")
        some = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
        raise ValueError(f"there is no column {name!r}; the columns are {some}")


def _closest(name: str, others: Iterable[str]) -> str | None:
    """The most similar name, regardless of case; None if none is similar."""
    from difflib import get_close_matches

    names = {other.lower().strip(): other for other in others}
    close = get_close_matches(name.lower().strip(), names, 1)
    return names[close[0]] if close else None


def _labelled(columns: pa.Table, table: pa.Table, label: str, weights: str | None, batch: Batch) -> LabelledBatch:
    try:
        classes, codes = encode_target(table[label])
    except BadLabel as error:
        error.column = label
        raise
    if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
        row = int(np.argmax(classes[codes] != np.floor(classes[codes])))
        raise BadLabel(
            "classes are names or whole numbers",
            row,
            label,
            classes[codes[row]],
            f": it looks like a number to predict, not a class; if it is one, add --type {label}=category",
        )
    weight = None if weights is None else _weights(weights, table[weights])
    return LabelledBatch(columns, Sample(read(columns), codes, classes, weight), batch)


def _weights(name: str, column: pa.ChunkedArray) -> NDArray[np.float64]:
    try:
        weight = column.cast(pa.float64()).to_numpy()
    except NO_CAST:
        raise ValueError(f"weights must be numbers; column {name!r} has other values") from None
    bad = np.flatnonzero(~((weight >= 0) & (weight < np.inf)))
    if bad.size:
        raise BadCell("weights must be finite and 0 or more", int(bad[0]), name, weight[bad[0]])
    return np.ascontiguousarray(weight)
