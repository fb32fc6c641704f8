"""An Arrow table, and with it pandas, polars and whatever else speaks Arrow."""

from collections.abc import Hashable, Sequence
from copy import copy
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely import _native
from likely.data.array import ArrayTable
from likely.data.parsing import NO_CAST
from likely.data.stream.columns import numbers
from likely.data.stream.types import common
from likely.data.table import Kind, Labels, Table, encode_numbers, extreme_number, is_number
from likely.engines import threads
from likely.text import Texts

_DAY = {"s": 86_400.0, "ms": 86_400e3, "us": 86_400e6, "ns": 86_400e9}


class ArrowTable(Table):
    def __init__(self, table: pa.Table, names: Sequence[Hashable] | None = None, missing: Any = None) -> None:
        named = table.column_names if names is None else names
        self.names: Sequence[Hashable] = named if isinstance(named, range) else tuple(named)
        self.columns = [_readable(column, name) for column, name in zip(table.columns, self.names, strict=True)]
        self.untyped = [j for j, column in enumerate(table.columns) if pa.types.is_null(column.type)]
        self.moments = [_is_moment(column.type) for column in table.columns]
        self.periods = {
            j: _DAY[column.type.unit] for j, column in enumerate(table.columns) if pa.types.is_time(column.type)
        }
        self.sentinel = missing
        self.rows = table.num_rows
        self.read_as_text: dict[int, Texts] = {}
        self.kinds = self._kinds()
        self.row_bytes = int(sum(column.nbytes for column in self.columns) / max(self.rows, 1)) + 1

    def __getstate__(self) -> dict[str, Any]:
        """For another machine, which reads the texts again."""
        return self.__dict__ | {"read_as_text": {}}

    def _kinds(self) -> tuple[Kind, ...]:
        """A time of day is a float, whatever its unit: it is no count."""
        return tuple(
            "empty" if j in self.untyped else "float" if j in self.periods else _kind(column.type)
            for j, column in enumerate(self.columns)
        )

    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        start, stop, _ = rows.indices(self.rows)
        for j in columns:
            if self.kinds[j] == "category":
                raise ValueError(f"column {self.names[j]!r} is text, and its family reads numbers")
        block = np.empty((stop - start, len(columns)))

        def place(part: slice) -> None:
            cells = [self.cells(j, slice(start + part.start, start + part.stop)) for j in columns]
            _native.place_columns([values for values, _ in cells], [valid for _, valid in cells], block[part])

        threads.run(place, threads.pieces(len(block), 8 * len(columns)))
        return block

    def cells(self, column: int, rows: slice) -> tuple[NDArray[Any], NDArray[np.bool] | None]:
        """A column of numbers without a copy, and which of its cells have a value; None if all have."""
        return self._cells(self._slice(column, rows.start, rows.stop))

    def _cells(self, array: pa.Array) -> tuple[NDArray[Any], NDArray[np.bool] | None]:
        """The numbers of an array, and which of its cells have a value; None if all have."""
        values, valid = _values(array), _valid(array)
        if is_number(self.sentinel):
            there = values != self.sentinel
            valid = there if valid is None else valid & there
        return values, valid

    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        start, stop, _ = rows.indices(self.rows)
        codes = np.empty((len(columns), stop - start), np.int32)
        labels = []
        for at, j in enumerate(columns):
            array = self._slice(j, start, stop)
            given = None if known is None else known[at]
            if j in self.untyped:  # nothing is there, whatever the column was
                codes[at] = -1
                labels.append(np.zeros(0, object) if given is None else given)
            elif self.kinds[j] == "category":
                labels.append(self._encode(array, given, codes[at], j))
            else:
                labels.append(self._encode_numbers(array, given, codes[at], j))
        return codes.T, labels

    def texts(self, column: int, rows: slice) -> Texts:
        if column in self.untyped:
            return Texts.of([None] * self.rows)[rows]
        if self.kinds[column] != "category":
            return super().texts(column, rows)
        if column not in self.read_as_text:
            array = self._slice(column, 0, self.rows)
            if pa.types.is_dictionary(array.type):
                array = array.dictionary.cast(pa.large_string()).take(array.indices)
            text = array if pa.types.is_large_string(array.type) else array.cast(pa.large_string())
            if isinstance(self.sentinel, str):
                import pyarrow.compute as pc  # takes long to load (`python -X importtime`), and is seldom needed

                text = pc.if_else(pc.equal(text, self.sentinel), pa.scalar(None, pa.large_string()), text)
            self.read_as_text[column] = Texts.of_arrow(text)
        return self.read_as_text[column][rows]

    def _extreme(self, columns: Sequence[int], least: np.ufunc) -> NDArray[Any]:
        found = np.full(len(columns), np.inf if least is np.fmin else -np.inf)
        for at, j in enumerate(columns):
            for chunk in self.columns[j].chunks:
                values, valid = self._cells(chunk)
                found[at] = least(found[at], extreme_number(values, True if valid is None else valid, least))
        return found

    def every(self, step: int) -> Self:
        return self.take(np.arange(0, self.rows, step))

    def take(self, rows: NDArray[np.intp]) -> Self:
        part = copy(self)
        part.columns, part.rows, part.read_as_text = _taken(self.columns, rows), len(rows), {}
        return part

    def joined(self, others: "Sequence[ArrowTable | ArrayTable]") -> Self:
        """A column without values in some tables has the type that it has in the others."""
        whole = copy(self)
        tables: list[ArrowTable] = [
            self,
            *(other.in_arrow() if isinstance(other, ArrayTable) else other for other in others),
        ]
        known = [next((t for t in tables if j not in t.untyped), self) for j in range(len(self.columns))]
        whole.columns = [_chunked([t.columns[j] for t in tables], known[j].columns[j].type) for j in range(len(known))]
        whole.untyped = [j for j, table in enumerate(known) if j in table.untyped]
        whole.periods = {j: period for j, table in enumerate(known) for at, period in table.periods.items() if at == j}
        whole.moments = [table.moments[j] for j, table in enumerate(known)]
        whole.rows, whole.read_as_text = sum(table.rows for table in tables), {}
        whole.kinds = whole._kinds()
        return whole

    def _slice(self, j: int, start: int, stop: int) -> pa.Array:
        part = self.columns[j].slice(start, stop - start)
        if part.num_chunks > 1 and pa.types.is_dictionary(part.type):
            part = part.unify_dictionaries()
        return _one_array(part)

    def _encode(self, array: pa.Array, known: Labels | None, codes: NDArray[np.int32], j: int) -> Labels:
        if pa.types.is_dictionary(array.type):
            return self._encode_dictionary(array, known, codes, j)
        if known is not None and known.dtype.kind not in "OUT" and known.size:
            raise ValueError(f"column {self.names[j]!r} was learned as numbers, such as {known[0]}, and now holds text")
        offset_type = np.int64 if pa.types.is_large_string(array.type) else np.int32
        validity, offsets, data = array.buffers()
        sentinel = [self.sentinel] if isinstance(self.sentinel, str) else []
        pair = _native.encode_text(
            np.frombuffer(offsets, offset_type)[array.offset : array.offset + len(array) + 1],
            np.frombuffer(data or b"", np.uint8),
            None if array.null_count == 0 else np.frombuffer(validity, np.uint8),
            array.offset,
            None if known is None else _joined([*known.tolist(), *(s for s in sentinel if s not in known)]),
            codes,
        )
        labels = _parted(*pair) if known is None else known
        return _without(labels, sentinel, codes, known)

    def _encode_numbers(self, array: pa.Array, known: Labels | None, codes: NDArray[np.int32], j: int) -> Labels:
        values, valid = self._cells(array)
        if array.type == pa.bool_():
            values = values.view(np.bool)
        mask = None if valid is None else valid[:, None]
        given = None if known is None else [known]
        found, (labels,) = encode_numbers(values[:, None], mask, given, [self.names[j]])
        codes[:] = found[:, 0]
        return labels

    def _encode_dictionary(self, array: pa.Array, known: Labels | None, codes: NDArray[np.int32], j: int) -> Labels:
        """Encodes the dictionary's values, then looks up the code of each index."""
        values = _one_array(_readable(pa.chunked_array([array.dictionary]), self.names[j]))
        of_values = np.empty(len(values) + 1, np.int32)
        encode = self._encode if _kind(values.type) == "category" else self._encode_numbers
        labels = encode(values, known, of_values[:-1], j)
        of_values[-1] = -1  # where an index is missing
        indices, valid = _values(array.indices).astype(np.int64), _valid(array.indices)
        if valid is not None:
            indices[~valid] = len(values)
        codes[:] = of_values[indices]
        if known is not None:
            return labels
        # Only values that occur count: the same column as plain text must give the same frame.
        found, (which,) = encode_numbers(codes[:, None], (codes >= 0)[:, None], None, [self.names[j]])
        codes[:] = found[:, 0]
        return labels[which]


def _chunked(columns: Sequence[pa.ChunkedArray], type_: pa.DataType) -> pa.ChunkedArray:
    """One column after the other, all cast to this type, or to one that holds them all."""
    for column in columns:
        if column.type != type_ and column.null_count < len(column):
            type_ = common(type_, column.type)
    alike = (column if column.type == type_ else column.cast(type_) for column in columns)
    return pa.chunked_array([chunk for column in alike for chunk in column.chunks], type_)


def _taken(columns: Sequence[pa.ChunkedArray], rows: NDArray[np.intp]) -> list[pa.ChunkedArray]:
    """Some rows of columns. Arrow copies all chunks of a column into one first, so rows in their order are taken chunk
    by chunk: 20,000 of a million rows of 50 numbers in a third of the time."""
    table = pa.table(columns, names=[str(j) for j in range(len(columns))])
    if (rows[1:] < rows[:-1]).any():
        return list(table.take(numbers(rows)).columns)
    batches = table.to_batches()
    starts = np.cumsum([0, *(batch.num_rows for batch in batches)])
    ends = np.searchsorted(rows, starts)
    parts = zip(batches, starts.tolist(), pairwise(ends.tolist()), strict=False)
    taken = [batch.take(numbers(rows[a:b] - start)) for batch, start, (a, b) in parts if a < b]
    return list(pa.Table.from_batches(taken, table.schema).columns)


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _readable(column: pa.ChunkedArray, name: Hashable) -> pa.ChunkedArray:
    """The column in a type that is read directly, or an error that names it."""
    type_ = column.type
    try:
        if pa.types.is_string_view(type_) or any(is_(type_) for is_ in _BYTES):
            return column.cast(pa.large_string())
        if pa.types.is_null(type_) or pa.types.is_decimal(type_) or pa.types.is_float16(type_):
            return column.cast(pa.float64())
        if pa.types.is_temporal(type_):
            return column.cast(pa.int32() if type_.bit_width == 32 else pa.int64())
    except NO_CAST as error:
        raise ValueError(f"column {name!r} of Arrow type {type_} cannot be read as numbers or text: {error}") from None
    if _kind(type_) is None:
        raise TypeError(f"column {name!r} is of Arrow type {type_}, which is neither a number nor text")
    return column


_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)


def _is_moment(type_: pa.DataType) -> bool:
    """A date, a time or a duration, which is read as a number."""
    return bool(pa.types.is_temporal(type_.value_type if pa.types.is_dictionary(type_) else type_))


def _kind(type_: pa.DataType) -> Any:
    if pa.types.is_boolean(type_):
        return "bool"
    if pa.types.is_integer(type_):
        return "int"
    if pa.types.is_floating(type_):
        return "float"
    if pa.types.is_string(type_) or pa.types.is_large_string(type_) or pa.types.is_dictionary(type_):
        return "category"
    return None


def _values(array: pa.Array) -> NDArray[Any]:
    """The numbers of an array without a copy (bools are unpacked). Missing cells may hold any number."""
    data = array.buffers()[1]
    if data is None:
        return np.zeros(len(array), np.uint8)
    if pa.types.is_boolean(array.type):
        return _bits(data, array.offset, len(array))
    kind = "f" if pa.types.is_floating(array.type) else "u" if pa.types.is_unsigned_integer(array.type) else "i"
    return np.frombuffer(data, f"{kind}{array.type.bit_width // 8}")[array.offset : array.offset + len(array)]


def _valid(array: pa.Array) -> NDArray[np.bool] | None:
    if array.null_count == 0:
        return None
    return _bits(array.buffers()[0], array.offset, len(array)).view(np.bool)


def _bits(buffer: pa.Buffer, offset: int, length: int) -> NDArray[np.uint8]:
    first = offset // 8
    bits = np.unpackbits(np.frombuffer(buffer, np.uint8)[first : (offset + length + 7) // 8], bitorder="little")
    return bits[offset - 8 * first :][:length]


def _joined(labels: list[str]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    encoded = [label.encode("utf-8", "surrogateescape") for label in labels]
    offsets = np.concatenate([[0], np.cumsum([len(label) for label in encoded])]).astype(np.int64)
    return offsets, np.frombuffer(b"".join(encoded), np.uint8)


def _parted(offsets: NDArray[np.int64], data: NDArray[np.uint8]) -> Labels:
    whole, at = data.tobytes(), offsets.tolist()
    labels = np.empty(len(at) - 1, object)
    labels[:] = [whole[a:b].decode("utf-8", "surrogateescape") for a, b in pairwise(at)]
    return labels


def _without(labels: Labels, sentinel: list[str], codes: NDArray[np.int32], known: Labels | None) -> Labels:
    """Makes the cells that hold the sentinel missing, and removes it from the labels that were found."""
    if not sentinel:
        return labels
    found = np.flatnonzero(labels == sentinel[0])
    at = int(found[0]) if found.size else len(labels)
    if known is None and not found.size:
        return labels
    codes[codes == at] = -1
    codes[codes > at] -= 1
    return np.delete(labels, at) if found.size else labels
