"""The SELECT gives the probabilities that predict gives, on each database."""

import numpy as np
import pyarrow as pa
import pytest

from likely import NaiveBayes
from likely.export.scoring import scoring
from likely.export.sql import select
from likely.families import Categorical, Poisson
from likely.priors import MaximumLikelihood
from likely.sql.dialects import DIALECTS, dialect_of

from ..databases import put
from .models import (
    COMPLETE,
    GAUSSIANS,
    MARGINALISED,
    MODELS,
    NEW,
    WITH_GAPS,
    expected,
    fitted,
    gaussian,
    stored,
)


def answers(connection, model, table, keep=None):
    """What the SELECT returns, a dict for each row in the order of `at`."""
    if "at" not in table.column_names:
        table = table.append_column("at", pa.array(range(table.num_rows)))
    put(connection, table, "new rows")
    statement = select(scoring(model), dialect_of(connection), "new rows", keep or ["at"])
    cursor = connection.execute(statement)
    names = [column[0] for column in cursor.description]
    return sorted((dict(zip(names, row, strict=True)) for row in cursor.fetchall()), key=lambda row: row["at"])


def assert_as_predicted(connection, model, table):
    found = answers(connection, model, table)
    p = expected(model, table)
    labels = model.model.classes.tolist()
    np.testing.assert_allclose([[row[f"p({label})"] for label in labels] for row in found], p, atol=1e-9, rtol=1e-9)
    assert [row["prediction"] for row in found] == [labels[k] for k in p.argmax(axis=1)]
    np.testing.assert_allclose([row["probability"] for row in found], p.max(axis=1), rtol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_as_predicted(connection, name):
    assert_as_predicted(connection, fitted(name), NEW)


@pytest.mark.parametrize("name", GAUSSIANS)
def test_gaussians(connection, name):
    model = gaussian(name)
    assert_as_predicted(connection, model, COMPLETE)


@pytest.mark.parametrize("name", ["full", "diagonal"])
def test_gaussians_of_rows_with_gaps(connection, name):
    found, p = answers(connection, gaussian(name), WITH_GAPS), expected(gaussian(name), WITH_GAPS)
    gaps = np.isnan(np.column_stack([WITH_GAPS[column].to_numpy() for column in WITH_GAPS.column_names])).any(axis=1)
    assert gaps.any()
    for row, is_gap, own in zip(found, gaps, p, strict=True):
        if is_gap and name not in MARGINALISED:
            assert row["prediction"] is None
            assert row["probability"] is None
        else:
            assert row["probability"] == pytest.approx(own.max(), rel=1e-9)


def test_hostile_names_and_values(connection):
    names = ['a"; DROP TABLE rows; --', "it's", "select", "per % cent {x}"]
    labels = ["'; DROP TABLE rows; --", '"', "back\\slash'", "-- Ω"]
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 200)
    table = pa.table(
        {
            names[0]: rng.normal(y),
            names[1]: pa.array([labels[k] for k in (y + rng.integers(0, 2, 200)) % 4]),
            names[2]: rng.normal(-y),
            names[3]: rng.poisson(y),
        }
    )
    nb = NaiveBayes().fit(table, [labels[k] for k in y])
    assert_as_predicted(connection, stored(nb), table)


def test_what_is_impossible(connection):
    """A row that is impossible in every class has the class prior; one that is so in some has none of these."""
    table = pa.table({"colour": ["red", "red", "blue", "green"], "visits": [0, 0, 3, 4]})
    families = {"colour": Categorical(MaximumLikelihood()), "visits": Poisson(MaximumLikelihood())}
    nb = NaiveBayes(families).fit(table, ["a", "a", "b", "b"])
    new = pa.table({"colour": ["red", "blue", "blue", "red", "pink"], "visits": [0, 2, 0, 5, 0]})
    model = stored(nb)
    assert expected(model, new)[:, 0].tolist() == [1.0, 0.0, 0.0, 0.5, 0.5]
    assert_as_predicted(connection, model, new)


@pytest.mark.parametrize("labels", [[3, 1], [True, False]])
def test_classes_that_are_no_texts(connection, labels):
    nb = NaiveBayes("gaussian").fit(pa.table({"x": [1.0, 2.0, 8.0, 9.0]}), np.repeat(labels, 2))
    found = answers(connection, stored(nb), pa.table({"x": [1.5, 8.5]}))
    assert [row["prediction"] for row in found] == labels


def test_many_classes_and_columns(connection):
    """More than a function has arguments, or an expression is deep."""
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(130), 3)
    table = pa.table({f"c{j}": rng.normal(y % (j + 2)) for j in range(12)})
    nb = NaiveBayes("gaussian").fit(table, y)
    assert_as_predicted(connection, stored(nb), table.slice(0, 5))


def test_a_cell_that_can_not_be_read(connection):
    nb = NaiveBayes("poisson").fit(pa.table({"visits": [1, 2, 8, 9], "calls": [1, 2, 3, 4]}), ["a", "a", "b", "b"])
    found = answers(connection, stored(nb), pa.table({"visits": [1.0, 1.5, -1.0], "calls": [1.0, None, 2.0]}))
    assert found[0]["prediction"] == "a"
    for row in found[1:]:
        assert (row["prediction"], row["probability"], row["p(a)"]) == (None, None, None)


def test_infinity_and_no_number(postgres):
    nb = NaiveBayes("gaussian").fit(pa.table({"x": [1.0, 2.0, 8.0, 9.0]}), ["a", "a", "b", "b"])
    found = answers(postgres, stored(nb), pa.table({"x": [float("inf"), float("nan"), 1e6, 8.0]}))
    assert [row["prediction"] for row in found] == [None, "a", "b", "b"]
    assert found[1]["p(a)"] == 0.5


def test_a_sentinel_is_missing(connection):
    table = pa.table({"x": [1.0, 2.0, -999.0, 9.0], "c": ["?", "q", "r", "r"]})
    nb = NaiveBayes({"x": "gaussian", "c": "categorical"}, missing_values=-999.0).fit(table, ["a", "a", "b", "b"])
    found = answers(connection, stored(nb), table)
    p = nb.predict_proba(table)
    np.testing.assert_allclose([row["p(a)"] for row in found], p[:, 0], rtol=1e-9)


def test_kept_columns(connection):
    model = fitted("families")
    statement = select(scoring(model), dialect_of(connection), "rows")
    put(connection, NEW)
    cursor = connection.execute(statement)
    names = [column[0] for column in cursor.description]
    assert names[:-5] == NEW.column_names
    assert names[-5:] == ["prediction", "probability", "p(a 'tiger')", "p(lion)", "p(Ω)"]


def test_a_name_that_an_answer_has():
    with pytest.raises(ValueError, match="there is a column 'prediction' already; keep other columns, or rename it"):
        select(scoring(fitted("families")), DIALECTS["sqlite"], "rows", ["prediction"])


def test_a_table_in_a_schema(postgres):
    put(postgres, NEW)
    postgres.execute('CREATE SCHEMA "My data"')
    postgres.execute('ALTER TABLE rows SET SCHEMA "My data"')
    statement = select(scoring(fitted("families")), dialect_of(postgres), "My data.rows", ["normal"])
    assert len(postgres.execute(statement).fetchall()) == NEW.num_rows


def test_negative_numbers_begin_no_comment():
    statement = select(scoring(fitted("families")), DIALECTS["duckdb"], "rows")
    assert "--" not in statement


def test_columns_without_names():
    nb = NaiveBayes("gaussian").fit(np.array([[1.0], [2.0], [8.0], [9.0]]), ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match="columns of a database have names, and the model has 0"):
        select(scoring(stored(nb)), DIALECTS["sqlite"], "rows")
