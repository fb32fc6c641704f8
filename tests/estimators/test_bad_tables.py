"""Tables that cannot be read: shapes, kinds and names of columns, columns without a value."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from likely import LogisticRegression, NaiveBayes
from likely.errors import EmptyColumns
from likely.families import FAMILIES, Categorical
from likely.validation import cross_validate

from ..samples import readable
from .cases import OF_CELLS
from .refusals import SCORING, WITH_X, X, Y, never_fitted, refused, state

# Shapes


SHAPE = (
    "Expected 2D array, got {}D array instead: a table has rows and columns. Reshape your data either using "
    "array.reshape(-1, 1) if it has a single column or array.reshape(1, -1) if it is a single row."
)
BAD_TABLES = {
    "no dimension": (np.array(1.0), ValueError, SHAPE.format(0)),
    "one dimension": (np.array([1.0, 2.0]), ValueError, SHAPE.format(1)),
    "a list of numbers": ([1.0, 2.0], ValueError, SHAPE.format(1)),
    "three dimensions": (np.ones((2, 2, 2)), ValueError, SHAPE.format(3)),
    "a Series": (pd.Series([1.0, 2.0]), ValueError, SHAPE.format(1)),
    "complex": (
        np.ones((2, 2), complex),
        ValueError,
        "Complex data not supported: columns must be real numbers or text",
    ),
    "sparse complex": (
        scipy.sparse.csr_array(np.ones((2, 2), complex)),
        ValueError,
        "Complex data not supported: columns must be real numbers",
    ),
    "no rows": (
        np.ones((0, 2)),
        ValueError,
        "Found array with 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required.",
    ),
    "no rows of a frame": (
        pd.DataFrame({"a": [], "b": []}),
        ValueError,
        "Found array with 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required.",
    ),
    "no rows of a sparse matrix": (
        scipy.sparse.csr_array((0, 2)),
        ValueError,
        "Found array with 0 sample(s) (shape=(0, 2)) while a minimum of 1 is required.",
    ),
    "no columns": (np.ones((2, 0)), ValueError, "0 feature(s) (shape=(2, 0)) while a minimum of 1 is required."),
    "ragged": ([[1.0, 2.0], [1.0]], ValueError, "rows differ in length: row 0 has 2 cells, row 1 has 1"),
    "nothing": (
        None,
        TypeError,
        "a table is needed (numpy, scipy.sparse, pandas, polars, pyarrow, or a list of rows), not NoneType",
    ),
    "a dict": (
        {"a": [1.0]},
        TypeError,
        "a table is needed (numpy, scipy.sparse, pandas, polars, pyarrow, or a list of rows), not dict",
    ),
    "mixed types": (
        np.array([[1.0, 2.0], [1.0, "x"]], object),
        TypeError,
        "column 1 mixes types: it has 2.0, and in row 1 'x'",
    ),
    "mixed types of a frame": (
        pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": pd.Series(["x", None, 3.0], dtype=object)}),
        TypeError,
        "column 'b' mixes types: it has 'x', and in row 2 3.0",
    ),
    "an object": (
        pd.DataFrame({"a": [1.0, 2.0], "b": pd.Series(["x", 1j], dtype=object)}),
        TypeError,
        "column 'b', row 1, has 1j: argument must be a string or a real number, not 'complex'",
    ),
    "a list in a cell": (
        pa.table({"a": [1.0], "b": [[1, 2]]}),
        TypeError,
        "column 'b' is of Arrow type list<item: int64>, which is neither a number nor text",
    ),
    "names twice": (
        pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]),
        ValueError,
        "column names must differ, but 'a' occurs 2 times",
    ),
}


@pytest.mark.parametrize("method", WITH_X)
@pytest.mark.parametrize("name", BAD_TABLES)
def test_what_is_no_table(method, name):
    x, error, sentence = BAD_TABLES[name]
    refused(NaiveBayes("gaussian").fit(X, Y), X, lambda nb: WITH_X[method](nb, x), error, sentence)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("name", BAD_TABLES)
def test_what_is_no_table_leaves_no_trace(method, name):
    x, error, _ = BAD_TABLES[name]
    never_fitted(NaiveBayes(), lambda nb: WITH_X[method](nb, x), error)


@pytest.mark.parametrize("method", [name for name in WITH_X if name != "fit"])
@pytest.mark.parametrize("columns", [1, 3])
def test_another_number_of_columns(method, columns):
    sentence = f"X has {columns} features, but NaiveBayes is expecting 2 features as input."
    x = np.ones((2, columns))
    refused(NaiveBayes("gaussian").fit(X, Y), X, lambda nb: WITH_X[method](nb, x), ValueError, sentence)


# Kinds and names of columns


@pytest.mark.parametrize("method", ["partial_fit", "forget", *SCORING])
def test_text_where_numbers_were_learned(method):
    nb = NaiveBayes("gaussian").fit(X, Y)
    x = np.array([[1.0, "x"], [2.0, "y"]], object)
    refused(nb, X, lambda nb: WITH_X[method](nb, x), ValueError, "column 1 is text, and its family reads numbers")


@pytest.mark.parametrize("method", SCORING)
def test_numbers_where_text_was_learned(method):
    good = pd.DataFrame({"word": ["x", "y", "x"]})
    nb = NaiveBayes().fit(good, ["a", "b", "b"])
    sentence = "column 'word' was learned as text, such as 'x', and now holds numbers"
    refused(nb, good, lambda nb: WITH_X[method](nb, pd.DataFrame({"word": [1.0, 2.0]})), ValueError, sentence)


@pytest.mark.parametrize("method", ["partial_fit", "forget"])
def test_numbers_do_not_mix_with_text_that_was_learned(method):
    good = pd.DataFrame({"word": ["x", "y", "x"]})
    nb = NaiveBayes().fit(good, ["a", "b", "b"])
    bad = pd.DataFrame({"word": [1.0, 2.0]})
    sentence = "column 'word': text and numbers do not mix: 'x', 'y' and 1.0, 2.0"
    refused(nb, good, lambda nb: WITH_X[method](nb, bad), ValueError, sentence)


class OnlyStream:
    """An object with nothing but __arrow_c_stream__."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "stream": lambda columns: OnlyStream(pa.table(columns)),
}


@pytest.mark.parametrize("method", ["predict", "partial_fit", "forget"])
@pytest.mark.parametrize("frame", FRAMES)
def test_unknown_columns(method, frame):
    good = FRAMES[frame]({"age": [1.0, 2.0, 4.0], "size": [3.0, 1.0, 2.0]})
    bad = FRAMES[frame]({"age": [1.0], "length": [3.0]})
    nb = NaiveBayes("gaussian").fit(good, ["a", "b", "b"])
    before = state(nb, good)
    with pytest.raises(ValueError, match=r"(?s)length.*size|size.*length"):
        WITH_X[method](nb, bad)
    assert state(nb, good) == before


@pytest.mark.parametrize("frame", FRAMES)
def test_columns_in_another_order(frame):
    good = FRAMES[frame]({"age": [1.0, 2.0, 4.0], "size": [30.0, 10.0, 20.0]})
    nb = NaiveBayes("gaussian").fit(good, ["a", "b", "b"])
    with pytest.raises(ValueError, match=r"order|'age'"):
        nb.predict(FRAMES[frame]({"size": [30.0], "age": [1.0]}))


def test_families_of_unknown_columns():
    frame = pd.DataFrame({"age": [1.0, 2.0], "size": [3.0, 1.0]})
    nb = NaiveBayes("gaussian").fit(frame, ["a", "b"])
    nb.set_params(families={"length": "gaussian"})
    sentence = "families names a column 'length', but the columns are 'age', 'size'"
    refused(nb, frame, lambda nb: nb.fit(frame, ["a", "b"]), ValueError, sentence)


# Columns without a value


EMPTY = {
    "float": (np.array([[1.0, np.nan], [2.0, np.nan]]), 1),
    "object": (np.array([[1.0, None], [2.0, None]], object), 1),
    "text": (pa.table({"n": [1.0, 2.0], "t": pa.array([None, None], pa.string())}), "t"),
    "category": (pd.DataFrame({"n": [1.0, 2.0], "t": pd.Categorical([None, None], categories=["x"])}), "t"),
    "null": (pl.DataFrame({"n": [1.0, 2.0], "t": [None, None]}), "t"),
    "nullable": (pd.DataFrame({"n": [1.0, 2.0], "t": pd.array([None, None], "Int64")}), "t"),
    "bool": (pa.table({"n": [1.0, 2.0], "t": pa.array([None, None], pa.bool_())}), "t"),
}


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("model", [NaiveBayes, LogisticRegression])
def test_a_column_with_no_value_present_is_left_out(name, model):
    x, column = EMPTY[name]
    sentence = f"^column {column!r} has no value present; the model leaves it out until rows have one$"
    with pytest.warns(EmptyColumns, match=sentence):
        found = model().fit(x, ["a", "b"])
    assert np.isfinite(found.predict_proba(x)).all()


@pytest.mark.parametrize("name", EMPTY)
def test_a_column_comes_back_with_its_values(name):
    """Whatever they are: nothing was known of the column."""
    x, column = EMPTY[name]
    names = ["n", "t"] if column == "t" else [0, 1]
    more = pd.DataFrame(dict(zip(names, ([1.0, 2.0, 1.5, 2.5], ["u", "v", "u", "v"]), strict=True)))
    nb = NaiveBayes().partial_fit(x, ["a", "b"])
    assert column not in nb.families_
    nb.partial_fit(more, ["a", "b", "a", "b"])
    assert nb.families_[column] == Categorical()
    assert nb.predict(more).tolist() == ["a", "b", "a", "b"]
    assert nb.forget(more, ["a", "b", "a", "b"]).class_count_.tolist() == [1, 1]


def test_a_table_without_any_value():
    with pytest.raises(ValueError, match=r"^no column has a value present; there is nothing to learn from$"):
        NaiveBayes().fit(np.full((3, 2), np.nan), ["a", "b", "b"])


@pytest.mark.parametrize("family", [name for name in OF_CELLS if not FAMILIES[name].marks_missing])
def test_a_column_with_no_value_present_in_any_family(family):
    x = readable(family, [[1.0, np.nan], [0.0, np.nan]])
    if FAMILIES[family].joint:
        sentence = "no row has a value in each of the columns 0, 1; leave out what is often missing"
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            NaiveBayes(family).fit(x, ["a", "b"])
        return
    with pytest.warns(EmptyColumns, match="^column 1 has no value present"):
        p = NaiveBayes(family).fit(x, ["a", "b"]).predict_proba(x)
    if FAMILIES[family].independent:
        np.testing.assert_allclose(p, NaiveBayes(family).fit(x[:, :1], ["a", "b"]).predict_proba(x[:, :1]))


def test_a_column_whose_values_weigh_nothing():
    x = np.array([[1.0, 5.0], [2.0, np.nan], [3.0, np.nan]])
    with pytest.warns(EmptyColumns, match=r"^column 1 has no value present"):
        NaiveBayes().fit(x, ["a", "b", "b"], sample_weight=[0, 1, 1])


@pytest.mark.parametrize("model", [NaiveBayes(), LogisticRegression()])
def test_folds_in_which_a_column_has_no_value_or_one(model):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    table = pd.DataFrame({"x": rng.normal(3 * y), "rare": [None] * 59 + ["u"], "none": np.nan, "one": 1.0, "same": "s"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EmptyColumns)
        assert cross_validate(model, table, y, 5).error < 0.2


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_values_may_come_later(family):
    first = readable(family, [[1.0, np.nan], [0.0, np.nan]])
    nb = NaiveBayes(family).partial_fit(first, ["a", "b"])
    assert not np.isnan(nb.predict_joint_log_proba(first)).any()
    nb.partial_fit(readable(family, [[1.0, 1.0], [0.0, 1.0]]), ["a", "b"])
    assert not np.isnan(nb.predict_proba(readable(family, [[1.0, 1.0], [0.0, 0.0]]))).any()
