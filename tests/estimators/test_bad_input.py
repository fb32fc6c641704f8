"""Bad input: one sentence that names column, row and value, nothing changed, no warning, no NaN."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.exceptions import DataConversionWarning

from likely import NaiveBayes, merge
from likely.families import FAMILIES, Bernoulli, Gaussian, Histogram, Multinomial, Poisson
from likely.priors import MaximumLikelihood

X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [4.0, 3.0], [2.5, 2.5], [0.5, 4.0]])
Y = np.array(["a", "a", "a", "b", "b", "b"])

WITH_X = {
    "fit": lambda nb, x: nb.fit(x, labels_for(x)),
    "partial_fit": lambda nb, x: nb.partial_fit(x, labels_for(x)),
    "forget": lambda nb, x: nb.forget(x, labels_for(x)),
    "predict": lambda nb, x: nb.predict(x),
    "predict_proba": lambda nb, x: nb.predict_proba(x),
    "predict_log_proba": lambda nb, x: nb.predict_log_proba(x),
    "predict_joint_log_proba": lambda nb, x: nb.predict_joint_log_proba(x),
    "log_likelihood": lambda nb, x: nb.log_likelihood(x, labels_for(x)),
    "explain": lambda nb, x: list(nb.explain(x)),
    "score": lambda nb, x: nb.score(x, labels_for(x)),
}
LEARNING = ["fit", "partial_fit", "forget"]
SCORING = ["predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "log_likelihood"]
WITH_Y = {
    "fit": lambda nb, y, w=None: nb.fit(X, y, sample_weight=w),
    "partial_fit": lambda nb, y, w=None: nb.partial_fit(X, y, sample_weight=w),
    "forget": lambda nb, y, w=None: nb.forget(X, y, sample_weight=w),
    "log_likelihood": lambda nb, y, w=None: nb.log_likelihood(X, y, sample_weight=w),
}

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def labels_for(x):
    """As many labels as there are rows, or as there could be."""
    if scipy.sparse.issparse(x) or isinstance(x, (pd.DataFrame, pl.DataFrame, pa.Table, np.ndarray)):
        rows = x.shape[0] if len(x.shape) else 1
    else:
        rows = len(x) if hasattr(x, "__len__") else 1
    return np.resize(np.array(["a", "b"]), rows)


def state(nb, probe):
    """All that can be seen of a fitted model."""
    return (
        nb.predict_joint_log_proba(probe).tolist(),
        nb.classes_.tolist(),
        nb.class_count_.tolist(),
        repr(nb.families_),
        nb.n_features_in_,
        getattr(nb, "feature_names_in_", np.array([])).tolist(),
        repr(nb.get_params()),
        sorted(vars(nb)),
    )


def refused(nb, probe, call, error, sentence):
    """That the call raises exactly this sentence and leaves the model as it was."""
    before = state(nb, probe)
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        call(nb)
    assert state(nb, probe) == before


def never_fitted(estimator, call, error):
    """That a first call which fails leaves no trace."""
    before = sorted(vars(estimator))
    with pytest.raises(error):
        call(estimator)
    assert sorted(vars(estimator)) == before


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


# Cells


CELLS = {
    "gaussian": (Gaussian(), [np.inf, -np.inf, 1e200], "Gaussian needs finite numbers, up to 1e150"),
    "histogram": (Histogram(), [np.inf, -np.inf], "Histogram needs finite numbers, up to 1e150"),
    "poisson": (Poisson(), [np.inf, -np.inf, -1.0, 1.5], "Poisson needs whole numbers of 0 or more"),
    "multinomial": (
        Multinomial(),
        [np.inf, -np.inf, -1.0],
        "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more",
    ),
    "bernoulli": (Bernoulli(), [np.inf, -np.inf, -1.0, 2.0, 0.5], "Bernoulli needs 0 or 1"),
}
BITS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
BAD_CELLS = [(name, value) for name, (_, values, _) in CELLS.items() for value in values]


@pytest.mark.parametrize("method", [name for name in WITH_X if name not in ("explain", "score")])
@pytest.mark.parametrize(("name", "value"), BAD_CELLS)
def test_cells_that_a_family_cannot_read(method, name, value):
    family, _, needs = CELLS[name]
    nb = NaiveBayes(family).fit(BITS, ["a", "a", "b", "b"])
    x = BITS[:3].copy()
    x[2, 1] = value
    refused(nb, BITS, lambda nb: WITH_X[method](nb, x), ValueError, f"{needs}; column 1, row 2, has {value}")


@pytest.mark.parametrize("method", ["predict", "fit", "partial_fit"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, -1.0])
def test_cells_are_named_by_the_name_of_their_column(method, value):
    good = pd.DataFrame({"age": [1, 2, 3, 4], "visits": [0.0, 1.0, 2.0, 4.0]})
    bad = good.assign(visits=[0.0, 1.0, 2.0, value])
    nb = NaiveBayes({"visits": "poisson"}).fit(good, ["a", "a", "b", "b"])
    sentence = f"Poisson needs whole numbers of 0 or more; column 'visits', row 3, has {value}"
    refused(nb, good, lambda nb: WITH_X[method](nb, bad), ValueError, sentence)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, lambda x: x.astype(np.float32)])
def test_infinite_cells_where_families_are_chosen(value, container):
    x = X.copy()
    x[4, 1] = value
    nb = NaiveBayes().fit(X, Y)
    with pytest.raises(ValueError, match=rf"needs finite numbers, up to 1e150; column 1, row 4, has {value}$"):
        nb.fit(container(x), Y)


SPARSE_CELLS = {
    "multinomial": (
        [np.nan, np.inf, -np.inf, -1.0],
        "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more",
    ),
    "complement": (
        [np.nan, np.inf, -np.inf, -1.0],
        "Negative values in data, NaN and infinity are no tokens: a bag needs numbers of 0 or more",
    ),
    "bernoulli": ([np.nan, np.inf, -np.inf, -1.0, 2.0], "Bernoulli needs 0 or 1"),
}


@pytest.mark.parametrize("method", [*LEARNING, *SCORING])
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, (values, _) in SPARSE_CELLS.items() for value in values]
)
def test_stored_values_that_a_family_cannot_read(method, name, value):
    good = scipy.sparse.csr_array(BITS)
    nb = NaiveBayes(name).fit(good, ["a", "a", "b", "b"])
    x = BITS[:3].copy()
    x[2, 1] = value
    sentence = f"{SPARSE_CELLS[name][1]}; column 1, row 2, has {value}"
    refused(nb, good, lambda nb: WITH_X[method](nb, scipy.sparse.csr_array(x)), ValueError, sentence)


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
def test_a_column_with_no_value_present(name):
    x, column = EMPTY[name]
    nb = NaiveBayes().fit(X, Y)
    sentence = f"column {column!r} has no value present; leave it out"
    refused(nb, X, lambda nb: nb.fit(x, ["a", "b"]), ValueError, sentence)
    never_fitted(NaiveBayes(), lambda nb: nb.fit(x, ["a", "b"]), ValueError)


@pytest.mark.parametrize("family", OF_CELLS)
def test_a_column_with_no_value_present_in_any_family(family):
    x = np.array([[1.0, np.nan], [0.0, np.nan]])
    sentence = "column 1 has no value present; leave it out"
    if FAMILIES[family].joint:
        sentence = "no row has a value in each of the columns 0, 1; leave out what is often missing"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        NaiveBayes(family).fit(x, ["a", "b"])


def test_a_column_whose_values_weigh_nothing():
    x = np.array([[1.0, 5.0], [2.0, np.nan], [3.0, np.nan]])
    with pytest.raises(ValueError, match=r"^column 1 has no value present; leave it out$"):
        NaiveBayes().fit(x, ["a", "b", "b"], sample_weight=[0, 1, 1])


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_values_may_come_later(family):
    nb = NaiveBayes(family).partial_fit(np.array([[1.0, np.nan], [0.0, np.nan]]), ["a", "b"])
    assert not np.isnan(nb.predict_joint_log_proba([[1.0, np.nan], [0.0, np.nan]])).any()
    nb.partial_fit(np.array([[1.0, 1.0], [0.0, 1.0]]), ["a", "b"])
    assert not np.isnan(nb.predict_proba([[1.0, 1.0], [0.0, 0.0]])).any()


# Labels


BAD_LABELS = {
    "None": (
        np.array(["a", None, "a", "b", "b", "b"], object),
        ValueError,
        "labels must be present and finite; row 1 of y has None",
    ),
    "NaN": (
        np.array(["a", "a", np.nan, "b", "b", "b"], object),
        ValueError,
        "labels must be present and finite; row 2 of y has nan",
    ),
    "NA": (
        pd.Series(["a", "a", "a", "b", "b", None], dtype="string"),
        ValueError,
        "labels must be present and finite; row 5 of y has <NA>",
    ),
    "NaN among numbers": (
        [1.0, 1.0, 1.0, np.nan, 2.0, 2.0],
        ValueError,
        "labels must be present and finite; row 3 of y has nan",
    ),
    "infinite": ([1, 1, 1, 2, 2, np.inf], ValueError, "labels must be present and finite; row 5 of y has inf"),
    "polars": (
        pl.Series(["a", "a", "a", "b", "b", None]),
        ValueError,
        "labels must be present and finite; row 5 of y has None",
    ),
    "mixed": (
        np.array(["a", "a", "a", 2, "b", "b"], object),
        TypeError,
        "labels must be all text or all numbers: column 'y' mixes types: it has 'a', and in row 3 2",
    ),
    "continuous": (
        [1.0, 1.0, 1.0, 1.0, 2.5, 2.0],
        ValueError,
        "Unknown label type: continuous. Classes are names or whole numbers, but row 4 of y has 2.5; for a regression "
        "target use a regressor",
    ),
    "too few": (Y[:5], ValueError, "Found input variables with inconsistent numbers of samples: [6, 5]"),
    "too many": (np.tile(Y, 2), ValueError, "Found input variables with inconsistent numbers of samples: [6, 12]"),
    "two columns": (
        np.stack([Y, Y], axis=1),
        ValueError,
        "y should be a 1d array, got an array of shape (6, 2) instead.",
    ),
    "a single one": ("a", ValueError, "y should be a 1d array, got an array of shape () instead."),
    "dates": (np.full(6, "2020-01-01", "M8[D]"), TypeError, "labels must be text or numbers, not datetime64[D]"),
    "complex": (np.ones(6, complex), TypeError, "labels must be text or numbers, not complex128"),
    "none at all": (None, ValueError, "NaiveBayes requires y to be passed, but the target y is None."),
}


@pytest.mark.parametrize("method", WITH_Y)
@pytest.mark.parametrize("name", BAD_LABELS)
def test_labels(method, name):
    y, error, sentence = BAD_LABELS[name]
    refused(NaiveBayes("gaussian").fit(X, Y), X, lambda nb: WITH_Y[method](nb, y), error, sentence)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("name", BAD_LABELS)
def test_labels_leave_no_trace(method, name):
    y, error, _ = BAD_LABELS[name]
    never_fitted(NaiveBayes(), lambda nb: WITH_Y[method](nb, y), error)


def test_labels_as_a_column_warn_and_are_read():
    with pytest.warns(DataConversionWarning, match=r"A column-vector y was passed when a 1d array was expected"):
        nb = NaiveBayes().fit(X, Y[:, None])
    assert nb.classes_.tolist() == ["a", "b"]


def test_numbers_where_the_classes_are_text():
    nb = NaiveBayes("gaussian").fit(X, Y)
    sentence = "classes: text and numbers do not mix: 'a', 'b' and 0, 1"
    for method in ("partial_fit", "forget"):
        refused(nb, X, lambda nb, m=method: WITH_Y[m](nb, [0, 0, 0, 1, 1, 1]), ValueError, sentence)


def test_classes_to_come_of_another_kind():
    nb = NaiveBayes("gaussian").fit(X, Y)
    before = state(nb, X)
    with pytest.raises((TypeError, ValueError), match=r"text and numbers do not mix: 'a', 'b' and 0, 1"):
        nb.partial_fit(X, Y, classes=[0, 1])
    assert state(nb, X) == before


@pytest.mark.parametrize(("learned", "y", "named"), [(Y, ["z"] * 6, "'z'"), ([0, 0, 0, 1, 1, 1], [3] * 6, "3")])
def test_the_likelihood_of_a_class_that_was_never_learned(learned, y, named):
    nb = NaiveBayes("gaussian").fit(X, learned)
    refused(nb, X, lambda nb: nb.log_likelihood(X, y), ValueError, f"class {named} of y was never learned")


# Weights


BAD_WEIGHTS = {
    "negative": ([1, 1, -0.5, 1, 1, 1], "weights must be finite and 0 or more; row 2 has -0.5"),
    "NaN": ([1, 1, 1, 1, np.nan, 1], "weights must be finite and 0 or more; row 4 has nan"),
    "infinite": ([np.inf, 1, 1, 1, 1, 1], "weights must be finite and 0 or more; row 0 has inf"),
    "all zero": ([0, 0, 0, 0, 0, 0], "every weight is zero: there is nothing to learn from"),
    "zero": (0, "every weight is zero: there is nothing to learn from"),
    "too few": ([1, 1, 1], "sample_weight has shape (3,), but one weight for each of 6 rows is needed"),
    "two columns": (np.ones((6, 2)), "sample_weight has shape (6, 2), but one weight for each of 6 rows is needed"),
}


@pytest.mark.parametrize("method", ["fit", "partial_fit", "forget"])
@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_weights(method, name):
    weight, sentence = BAD_WEIGHTS[name]
    refused(NaiveBayes("gaussian").fit(X, Y), X, lambda nb: WITH_Y[method](nb, Y, weight), ValueError, sentence)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("name", BAD_WEIGHTS)
def test_weights_leave_no_trace(method, name):
    never_fitted(NaiveBayes(), lambda nb: WITH_Y[method](nb, Y, BAD_WEIGHTS[name][0]), ValueError)


def test_weights_that_are_no_numbers():
    nb = NaiveBayes("gaussian").fit(X, Y)
    before = state(nb, X)
    with pytest.raises((TypeError, ValueError), match=r"weight"):
        nb.fit(X, Y, sample_weight=["much"] * 6)
    assert state(nb, X) == before


def test_a_class_whose_rows_weigh_nothing():
    nb = NaiveBayes("gaussian").fit(X, Y, sample_weight=[1, 1, 1, 0, 0, 0])
    assert nb.predict_proba(X).tolist() == [[1, 0]] * 6


# Little data


ONE_ROW = {
    "floats": [[1.5, 2.5]],
    "whole numbers": [[3, 0]],
    "bools": np.array([[True, False]]),
    "text": [["x", "y"]],
    "mixed": [["x", 1.5]],
    "a frame": pd.DataFrame({"a": ["x"], "b": [1.5], "c": [3], "d": [True]}),
    "sparse": scipy.sparse.csr_array(np.array([[0, 2]])),
}


@pytest.mark.parametrize("name", ONE_ROW)
@pytest.mark.parametrize("missing", ["ignore", "value", "auto"])
def test_one_row(name, missing):
    nb = NaiveBayes(missing=missing).fit(ONE_ROW[name], ["only"])
    assert nb.predict(ONE_ROW[name]).tolist() == ["only"]
    assert nb.predict_proba(ONE_ROW[name]).tolist() == [[1.0]]
    assert nb.predict_log_proba(ONE_ROW[name]).tolist() == [[0.0]]
    assert np.isfinite(nb.predict_joint_log_proba(ONE_ROW[name])).all()
    assert "nan" not in str(nb.describe()) + str(nb.explain(ONE_ROW[name]))


@pytest.mark.parametrize("family", OF_CELLS)
def test_one_row_in_every_family(family):
    nb = NaiveBayes(family).fit([[1, 0]], ["only"])
    assert nb.predict_proba([[1, 0], [0, 1]]).tolist() == [[1.0], [1.0]]
    assert np.isfinite(nb.predict_joint_log_proba([[1, 0]])).all()


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_one_class(family):
    x = BITS if family == "bernoulli" else np.abs(np.rint(X))
    nb = NaiveBayes(family).fit(x, ["only"] * len(x))
    assert nb.predict_proba(x).tolist() == [[1.0]] * len(x)
    assert np.isfinite(nb.predict_joint_log_proba(x)).all()


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_one_row_of_each_class(family):
    x = np.array([[1, 0, 1], [0, 1, 1]])
    nb = NaiveBayes(family).fit(x, ["a", "b"])
    p = nb.predict_proba(x)
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert p[0, 0] >= 0.5 >= p[1, 0]


@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram"])
def test_one_row_of_each_class_is_told_apart(family):
    nb = NaiveBayes(family).fit([[0.0], [10.0]], ["a", "b"])
    assert nb.predict([[0.5], [9.5]]).tolist() == ["a", "b"]


@pytest.mark.parametrize("value", [0, 1, 7.5, -3, 1e17, 1e150, 5e-324])
def test_one_value_throughout(value):
    nb = NaiveBayes().fit(np.full((6, 2), value), Y)
    assert np.allclose(nb.predict_proba([[value, value], [2.0, 3.0]]), 0.5, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram"])
def test_numbers_as_large_as_they_may_be(family):
    x = np.array([[1e150], [-1e150], [1e150], [5e149]])
    nb = NaiveBayes(family).fit(x, ["a", "a", "b", "b"])
    for answer in (nb.predict_proba(x), nb.predict_proba([[0.0]])):
        assert np.isfinite(answer).all()
        assert np.allclose(answer.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["auto", "gaussian", "histogram"])
def test_numbers_far_from_all_that_was_learned(family):
    nb = NaiveBayes(family).fit([[1e-12], [2e-12], [5e-12], [6e-12]], ["a", "a", "b", "b"])
    p = nb.predict_proba([[1e150], [-1e150]])
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["auto", *OF_CELLS])
def test_a_class_of_which_a_column_is_unknown(family):
    x = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, np.nan], [1.0, np.nan]])
    nb = NaiveBayes(family).fit(x, ["a", "a", "b", "b"])
    p = nb.predict_proba([[1.0, 1.0], [0.0, 1.0], [np.nan, 1.0]])
    assert np.isfinite(p).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("family", ["bernoulli", "categorical", "multinomial", "poisson", "histogram"])
def test_maximum_likelihood_gives_no_nan(family):
    nb = NaiveBayes(FAMILIES[family](MaximumLikelihood())).fit(BITS[:3], ["a", "b", "b"])
    rows = np.array([[a, b] for a in (0.0, 1.0, np.nan) for b in (0.0, 1.0, np.nan)])
    assert not np.isnan(nb.predict_joint_log_proba(rows)).any()
    p = nb.predict_proba(rows)
    assert not np.isnan(p).any()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_maximum_likelihood_of_a_class_without_a_spread():
    sentence = "Gaussian has no variance for column 1 in class {}; give it a prior, or leave the column out"
    x = [[1.0, 2.0], [2.0, 2.0], [3.0, 4.0], [5.0, 1.0]]
    nb = NaiveBayes(Gaussian(MaximumLikelihood())).fit(X, Y)
    refused(nb, X, lambda nb: nb.fit(x, ["p", "p", "q", "q"]), ValueError, sentence.format("'p'"))
    refused(nb, X, lambda nb: nb.fit(x, [3, 3, 4, 4]), ValueError, sentence.format("3"))
    never_fitted(clone_of(nb), lambda nb: nb.fit(x, [3, 3, 4, 4]), ValueError)


def clone_of(nb):
    return type(nb)(**nb.get_params())


# Forgetting, merging, fading


def test_forgetting_what_was_never_learned():
    nb = NaiveBayes("poisson").fit([[1, 2], [3, 4]], ["a", "b"])
    for x, y, where in (
        ([[9, 2]], ["a"], "column 0, class 'a'"),
        ([[1, 9]], ["a"], "column 1, class 'a'"),
        ([[1, 2]], ["z"], "class 'z'"),
        ([[1, 2], [1, 2]], ["a", "a"], "class 'a'"),
    ):
        sentence = (
            f"some of these rows were never learned: {where} would be left with less than nothing; "
            "nothing was forgotten"
        )
        refused(nb, [[1, 2]], lambda nb, x=x, y=y: nb.forget(x, np.array(y, object)), ValueError, sentence)


def test_forgetting_names_a_class_that_is_a_number():
    nb = NaiveBayes("poisson").fit([[1], [3]], [5, 6])
    sentence = (
        "some of these rows were never learned: class 6 would be left with less than nothing; nothing was forgotten"
    )
    refused(nb, [[1]], lambda nb: nb.forget([[1], [1]], [6, 6]), ValueError, sentence)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (
            lambda: NaiveBayes("gaussian").fit(X[:, :1], Y),
            "the models read their columns differently; give both the same families",
        ),
        (
            lambda: NaiveBayes("histogram").fit(X, Y),
            "columns range(0, 2) are read as Gaussian() here and as Histogram() there; "
            "give both models the same families",
        ),
        (
            lambda: NaiveBayes("gaussian").fit(X, [0, 0, 0, 1, 1, 1]),
            "classes: text and numbers do not mix: 'a', 'b' and 0, 1",
        ),
        (
            lambda: NaiveBayes("gaussian").fit(pd.DataFrame(X, columns=["p", "q"]), Y),
            "the columns differ: 0 here, 'p' there",
        ),
    ],
)
def test_merging_what_does_not_fit(other, sentence):
    nb, other = NaiveBayes("gaussian").fit(X, Y), other()
    refused(nb, X, lambda nb: nb.merge(other), ValueError, sentence)


def test_merging_different_bins():
    nb = NaiveBayes("histogram").fit(X, Y)
    sentence = "column 0 was cut into different bins; give Histogram the edges of its bins"
    refused(nb, X, lambda nb: nb.merge(NaiveBayes("histogram").fit(X + 1, Y)), ValueError, sentence)


def test_merging_no_models():
    with pytest.raises(ValueError, match=r"model"):
        merge([])


@pytest.mark.parametrize("other", [3, None, "model"])
def test_merging_what_is_no_model(other):
    nb = NaiveBayes("gaussian").fit(X, Y)
    before = state(nb, X)
    with pytest.raises(TypeError):
        nb.merge(other)
    assert state(nb, X) == before


@pytest.mark.parametrize("factor", [0, -0.5, 1.1, np.nan, np.inf])
def test_fading_by_an_impossible_factor(factor):
    nb = NaiveBayes("gaussian").fit(X, Y)
    sentence = f"the factor must be above 0 and at most 1, not {factor}"
    refused(nb, X, lambda nb: nb.decay(factor), ValueError, sentence)


# Parameters


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"class_prior": "often"}, "class_prior is 'frequencies', 'uniform', a Dirichlet or numbers, not 'often'"),
        ({"class_prior": [0.5, 0.25, 0.25]}, "class_prior has 3 numbers for 2 classes"),
        ({"class_prior": {"a": 1.0}}, "class_prior has no number for class 'b'"),
        ({"class_prior": [0.9, 0.2]}, "class_prior must be probabilities that sum to 1, not [0.9, 0.2]"),
        ({"missing": "perhaps"}, "missing is 'ignore', 'value' or 'auto', not 'perhaps'"),
        (
            {"families": "normal"},
            "'normal' is not a family; the families are bernoulli, categorical, multinomial, complement, poisson, "
            "gaussian, histogram, multivariate_gaussian, text",
        ),
    ],
)
def test_parameters(parameters, sentence):
    nb = NaiveBayes("gaussian").fit(X, Y).set_params(**parameters)
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        nb.fit(X, Y)
    never_fitted(NaiveBayes(**parameters), lambda nb: nb.fit(X, Y), ValueError)
    assert nb.class_count_.tolist() == [3, 3]


def test_a_posterior_of_an_unknown_column():
    nb = NaiveBayes("gaussian").fit(X, Y)
    refused(nb, X, lambda nb: nb.posterior("size"), ValueError, "there is no column 'size'")
