"""Whatever a user has as a table."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.data.array import KINDS, ArrayTable
from likely.data.table import Table
from likely.engines.engine import refuse_elsewhere
from likely.errors import MixedTypes, WrongType
from likely.typing import TableLike

if TYPE_CHECKING:
    from likely.data.arrow import ArrowTable

SHAPE = (
    "Expected 2D array, got {}D array instead: a table has rows and columns. Reshape your data either using "
    "array.reshape(-1, 1) if it has a single column or array.reshape(1, -1) if it is a single row."
)


def read(x: TableLike | Table, missing: object = None) -> Table:
    """Any table as one that models can read. Nothing is copied that need not be.

    Parameters
    ----------
    x : table
        A numpy array, scipy sparse matrix, pandas or polars frame, Arrow table, list of rows, or list of texts.
    missing : value, optional
        A value that marks a missing cell, as NaN and null do.

    Returns
    -------
    Table
        The table. A `Table` is returned as it is.

    See Also
    --------
    Dataset : files, databases and URLs, a batch at a time.
    encode_target : the column of classes.

    Examples
    --------
    >>> from likely.data import read
    >>> table = read([[1.0, 20.0], [2.0, -1.0]], missing=-1.0)
    >>> table.missing([0, 1], slice(None)).tolist()
    [[False, False], [False, True]]
    """
    if isinstance(x, Table):
        return x
    if isinstance(x, np.ndarray):
        if isinstance(x, np.ma.MaskedArray):
            return _array(np.ma.filled(x.astype(np.float64), np.nan), missing)
        if isinstance(x, np.matrix):
            x = np.asarray(x)
        return _texts(x.tolist(), missing) if x.ndim == 1 and _are_texts(x.tolist()) else _array(x, missing)
    if isinstance(x, (list, tuple)) and _are_texts(x):
        return _texts(x, missing)
    refuse_elsewhere(x)
    if hasattr(x, "to_numpy") and not hasattr(x, "columns"):  # a column of pandas, polars or Arrow
        texts = x.to_pylist() if hasattr(x, "to_pylist") else x.to_numpy().tolist()
        if _are_texts(texts):
            return _texts(texts, missing)
        raise ValueError(SHAPE.format(1))
    if hasattr(x, "tocsr"):
        return _sparse(x)
    if hasattr(x, "__arrow_c_stream__") or hasattr(x, "__dataframe__"):
        return _frame(x, missing)
    if hasattr(x, "__array__") or isinstance(x, (list, tuple)):
        return _array(_rows(x), missing)
    raise TypeError(
        f"a table is needed (numpy, scipy.sparse, pandas, polars, pyarrow, or a list of rows), not {type(x).__name__}"
    )


def _are_texts(x: Any) -> bool:
    """Whether it is a list of texts. Its first value decides; a list of missing values is one, too."""
    first = next((cell for cell in x if not _is_missing(cell)), None)
    return isinstance(first, str) or (first is None and len(x) > 0)


def _is_missing(cell: Any) -> bool:
    return (
        cell is None
        or (isinstance(cell, (float, np.floating)) and cell != cell)
        or type(cell).__name__ in ("NAType", "NaTType")
    )


def _texts(x: Any, missing: Any) -> Table:
    from likely.data.texts import TextTable

    plain = set(map(type, x)) <= {str}
    return TextTable(x if plain else [None if _is_missing(text) else text for text in x], missing)


def _rows(x: Any) -> NDArray[Any]:
    try:
        array = np.asarray(x)
    except ValueError:
        lengths = [len(row) if hasattr(row, "__len__") else 0 for row in x]
        for i, length in enumerate(lengths):
            if length != lengths[0]:
                raise ValueError(f"rows differ in length: row 0 has {lengths[0]} cells, row {i} has {length}") from None
        i, j = next((i, j) for i, row in enumerate(x) for j, cell in enumerate(row) if hasattr(cell, "__len__"))
        raise WrongType("", i, j, x[i][j], ", which is neither a number nor text") from None
    if array.dtype.kind in "US" and any(not isinstance(cell, str) for row in x for cell in row):
        return np.array([list(row) for row in x], object)  # numpy made text of the numbers
    return array


def _array(x: NDArray[Any], missing: Any) -> Table:
    if x.ndim != 2:
        raise ValueError(SHAPE.format(x.ndim))
    if x.dtype.kind == "c":
        raise ValueError("Complex data not supported: columns must be real numbers or text")
    if x.dtype.kind in KINDS:
        return ArrayTable(native(x), missing)
    return columns_table([x[:, j] for j in range(x.shape[1])], range(x.shape[1]), missing)


def native(x: NDArray[Any]) -> NDArray[Any]:
    """The array itself, or a copy if no kernel can read its byte order or its strides."""
    if x.dtype.isnative and all(stride % x.dtype.itemsize == 0 for stride in x.strides):
        return x
    return np.ascontiguousarray(x, x.dtype.newbyteorder("="))


def _sparse(x: Any) -> Table:
    from likely.data.sparse import SparseTable

    if x.ndim != 2:
        raise ValueError(f"Expected 2D array, got {x.ndim}D sparse array instead. Reshape your data.")
    if x.dtype.kind not in KINDS:
        raise ValueError("Complex data not supported: columns must be real numbers")
    return SparseTable(x)


def _frame(x: Any, missing: Any) -> Table:
    import pyarrow as pa

    from likely.data.arrow import ArrowTable

    if type(x).__module__.startswith("pandas"):
        names = list(x.columns)
        _distinct(names)
        if (array := _one_array(x)) is not None:
            return ArrayTable(native(array), missing, tuple(names))
        return columns_table([_dense(x.iloc[:, j]) for j in range(len(names))], names, missing)
    if isinstance(x, pa.Table):
        table = x
    elif hasattr(x, "__arrow_c_stream__"):
        try:
            table = pa.RecordBatchReader.from_stream(x).read_all()
        except pa.ArrowInvalid as error:
            raise TypeError(f"the table has a column of a type that Arrow does not have; cast it ({error})") from None
    else:
        table = pa.interchange.from_dataframe(x)
    _distinct(table.column_names)
    return ArrowTable(table, missing=missing)


def _one_array(frame: Any) -> NDArray[Any] | None:
    """The cells of a frame of pandas whose columns lie in one array of numbers; None where they would be copied."""
    types = set(frame.dtypes)
    if len(types) != 1 or not isinstance(type_ := types.pop(), np.dtype) or type_.kind not in KINDS:
        return None
    first, last = (frame.iloc[:, j].to_numpy().base for j in (0, -1))
    return np.asarray(frame.to_numpy()) if first is not None and first is last else None


def _dense(column: Any) -> Any:
    """A column of pandas; of a sparse one, with all its cells."""
    return column.sparse.to_dense() if type(column.dtype).__name__ == "SparseDtype" else column


def columns_table(columns: list[Any], names: Any, missing: Any) -> "ArrowTable":
    """Columns in containers of any kind as a table."""
    import pyarrow as pa

    from likely.data.arrow import ArrowTable

    arrays = []
    for name, column in zip(names, columns, strict=True):
        if isinstance(column, np.ndarray) and column.dtype.kind == "T":
            column = column.astype(object)
        if isinstance(missing, str) and str(getattr(column, "dtype", "")) == "object":
            # Without a sentinel among its numbers, the column may be of one type.
            column = np.array([None if isinstance(cell, str) and cell == missing else cell for cell in column], object)
        if isinstance(column, (pa.Array, pa.ChunkedArray)):
            arrays.append(column)
            continue
        try:
            arrays.append(column.to_arrow() if hasattr(column, "to_arrow") else pa.array(column, from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise _mixed(name, column) from None
    table = pa.Table.from_arrays(arrays, names=[str(j) for j in range(len(arrays))])
    return ArrowTable(table, names if isinstance(names, range) else tuple(names), missing)


def _mixed(name: Any, column: Any) -> Exception:
    """What is wrong with a column that is not of one type: the first cell that is unlike those before it."""
    first = None
    for row, cell in enumerate(column):
        if cell is None or not isinstance(cell, (str, bytes, int, float, bool, np.generic)):
            if _is_missing(cell):
                continue
            comment = f": argument must be a string or a real number, not {type(cell).__name__!r}"
            return WrongType("", row, name, cell, comment)
        if cell != cell:
            continue
        if first is None:
            first = cell
        elif any(isinstance(cell, kind) != isinstance(first, kind) for kind in (str, bool)):
            return MixedTypes(row, name, cell, first)
    return TypeError(f"column {name!r} cannot be read as numbers or as text")


def _distinct(names: list[Any]) -> None:
    name, times = Counter(names).most_common(1)[0] if names else (None, 1)
    if times > 1:
        raise ValueError(f"column names must differ, but {name!r} occurs {times} times")
