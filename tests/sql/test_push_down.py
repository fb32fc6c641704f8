"""A fit in a database is the fit on one machine: counts to the bit, moments to 1e-12, and the same choices."""

import sqlite3

import numpy as np
import pyarrow as pa
import pytest

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes
from likely.data import Sample, encode_target, read
from likely.families import Bernoulli, Exponential, Gaussian, Histogram, Poisson
from likely.models.learned import count
from likely.models.naive_bayes import NaiveBayesModel
from likely.sql import fit
from likely.sql.rows import DatabaseError
from likely.statistics import Moments

from ..databases import FAMILIES, mixed, put

QUERY = "SELECT * FROM rows"


def on_one_machine(table, target="y"):
    classes, codes = encode_target(table[target])
    return Sample(read(table.drop_columns(target)), codes, classes)


def assert_same(found, expected):
    """The same choices and the same statistics."""
    assert found.chosen_families == expected.chosen_families
    assert found.classes.tolist() == expected.classes.tolist()
    assert found.class_counts.tolist() == expected.class_counts.tolist()
    for mine, theirs in zip(found.blocks, expected.blocks, strict=True):
        assert mine.frame.columns == theirs.frame.columns
        for a, b in zip(mine.frame.cells or (), theirs.frame.cells or (), strict=True):
            assert a.dtype == b.dtype
            assert a.tolist() == b.tolist()
        for name, array in theirs.statistics.arrays().items():
            got = mine.statistics.arrays()[name]
            if array.dtype.kind == "i":
                assert got.dtype == array.dtype
                assert np.array_equal(got, array), name
            else:
                np.testing.assert_allclose(got, array, rtol=1e-12, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_named_families(connection, missing):
    table = mixed()
    put(connection, table)
    model = NaiveBayesModel(FAMILIES, missing=missing)
    assert_same(fit(model, connection, QUERY, "y"), model.fit(on_one_machine(table)))


@pytest.mark.parametrize(
    "family", [Exponential(), Gaussian(), Histogram(bins=8), Bernoulli(threshold=1.5), "multinomial"]
)
def test_one_family_of_numbers(connection, family):
    table = mixed(400, holes=0.0 if family == "multinomial" else 0.1).select(["skewed", "visits", "y"])
    put(connection, table)
    model = NaiveBayesModel(family)
    assert_same(fit(model, connection, QUERY, "y"), model.fit(on_one_machine(table)))


def test_choices_are_those_of_one_machine(connection):
    table = mixed().drop_columns(["member"])  # which SQLite has as whole numbers
    put(connection, table)
    found, expected = (
        fit(NaiveBayesModel(), connection, QUERY, "y"),
        NaiveBayesModel().fit(on_one_machine(table)),
    )
    assert_same(found, expected)
    for name, weight in expected.chosen_weights.items():
        assert found.chosen_weights[name] == pytest.approx(weight, rel=1e-9)


def test_a_class_and_a_category_that_the_sample_has_not(connection, monkeypatch):
    monkeypatch.setattr("likely.sql.push_down.SAMPLE", 100)
    table = mixed(1002)
    rare = (
        mixed(2, seed=1, holes=0.0).set_column(8, "y", [["zebra", "zebra"]]).set_column(4, "colour", [["odd", "odd"]])
    )
    table = pa.concat_tables([table, rare])
    put(connection, table)
    found = fit(NaiveBayesModel(FAMILIES), connection, QUERY, "y")
    step = -(-table.num_rows // 100)
    sample = on_one_machine(table)
    assert "zebra" not in table["y"].to_pylist()[::step]
    plans = NaiveBayesModel(FAMILIES).plans(sample.every(step))
    expected = count(plans, sample)
    assert found.classes.tolist() == ["a 'tiger'", "lion", "zebra", "Ω"]
    assert_same(found, found._with(expected))
    colours = found.block_of("colour")[0].frame.cells[0].tolist()
    assert "odd" in colours


def test_numbers_far_from_zero_lose_no_digits(connection):
    table = mixed(1000, shift=1e8).select(["normal", "y"])
    put(connection, table)
    model = NaiveBayesModel(Gaussian())
    found, expected = fit(model, connection, QUERY, "y").blocks[0], model.fit(on_one_machine(table)).blocks[0]
    deviation = np.sqrt(expected.statistics.m2 / expected.statistics.n)
    assert (np.abs(found.statistics.mean - expected.statistics.mean) / deviation).max() < 1e-7  # eps of 1e8
    np.testing.assert_allclose(found.statistics.m2, expected.statistics.m2, rtol=1e-12)


def test_an_estimator_with_calibration(connection):
    table = mixed()
    put(connection, table)
    X = table.drop_columns("y")
    found = fit(NaiveBayes(FAMILIES, calibrate=True), connection, QUERY, "y")
    expected = NaiveBayes(FAMILIES, calibrate=True).fit(X, table["y"])
    assert isinstance(found, NaiveBayes)
    assert found.feature_names_in_.tolist() == expected.feature_names_in_.tolist()
    np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), atol=1e-9)


def test_whole_numbers_and_booleans_are_classes_too(connection):
    table = pa.table({"x": [1.0, 2.0, 3.0, 4.0], "y": [3, 1, 3, 1]})
    put(connection, table)
    found = fit(NaiveBayesModel(Gaussian()), connection, QUERY, "y")
    assert found.classes.dtype == np.int64
    assert found.blocks[0].statistics.mean[:, 0].tolist() == [3.0, 2.0]


def test_hostile_names(connection):
    names = ['a"; DROP TABLE rows; --', "it's {x} %s", "select"]
    table = pa.table({names[0]: [1.0, 2.0, 8.0, 9.0], names[1]: ["p", "p", "q", "'"], names[2]: ["a", "a", "b", "b"]})
    put(connection, table)
    families = {names[0]: Gaussian(), names[1]: "categorical"}
    expected = NaiveBayesModel(families).fit(on_one_machine(table, names[2]))
    assert_same(fit(NaiveBayesModel(families), connection, QUERY, names[2]), expected)


def test_decimals(connection):
    connection.execute("CREATE TABLE rows (x NUMERIC(10, 2), y TEXT)")
    connection.execute("INSERT INTO rows VALUES (1.25, 'a'), (1.75, 'a'), (4, 'b'), (NULL, 'b')")
    statistics = fit(NaiveBayesModel(Gaussian()), connection, QUERY, "y").blocks[0].statistics
    assert statistics.mean[:, 0].tolist() == [1.5, 4.0]
    assert statistics.n[:, 0].tolist() == [2, 1]


def test_not_a_number_is_missing(postgres):
    postgres.execute("CREATE TABLE rows (x float8, y text)")
    postgres.execute("INSERT INTO rows VALUES (1, 'a'), ('NaN', 'a'), (3, 'b'), (5, 'b')")
    assert fit(NaiveBayesModel(Gaussian()), postgres, QUERY, "y").blocks[0].statistics.n[:, 0].tolist() == [1, 2]


def refused(connection, table, sentence, families="auto", model=None):
    put(connection, table)
    with pytest.raises(ValueError, match=sentence):
        fit(model or NaiveBayesModel(families), connection, QUERY, "y")


class TestRefusals:
    def test_text(self, connection):
        words = [f"the {n} of the lion and the {n * 7} of it" for n in range(60)]
        table = pa.table({"note": words, "y": ["a", "b"] * 30})
        refused(connection, table, "^column 'note' is read as Text, which SQL can't count; name another family")

    def test_columns_that_vary_together(self, connection):
        table = mixed(50).select(["normal", "skewed", "y"])
        sentence = "column 'normal' is read as MultivariateGaussian, which SQL can't count"
        refused(connection, table, sentence, "multivariate_gaussian")

    @pytest.mark.parametrize("model", [GaussianClassifier(), BayesNetwork(), LogisticRegression()])
    def test_other_models(self, connection, model):
        with pytest.raises(ValueError, match=f"a database counts for naive Bayes, and not for {type(model).__name__}"):
            fit(model, connection, QUERY, "y")

    def test_infinity(self, postgres):
        table = pa.table({"x": [1.0, float("inf"), 2.0, 3.0], "y": ["a", "b", "a", "b"]})
        refused(postgres, table, "Gaussian needs finite numbers, up to 1e150; column 'x'.* inf", Gaussian())

    def test_a_bad_cell_outside_the_sample(self, connection, monkeypatch):
        monkeypatch.setattr("likely.sql.push_down.SAMPLE", 10)
        table = pa.table({"visits": [1, 2] * 20 + [3, -1], "y": ["a", "b"] * 21})
        refused(connection, table, "Poisson needs whole numbers of 0 or more; column 'visits' has -1", Poisson())

    def test_a_part_of_a_count(self, connection, monkeypatch):
        monkeypatch.setattr("likely.sql.push_down.SAMPLE", 10)
        table = pa.table({"visits": [1.0, 2.0] * 20 + [3.0, 1.5], "y": ["a", "b"] * 21})
        refused(connection, table, "Poisson needs whole numbers of 0 or more; column 'visits' has 1.5", Poisson())

    def test_a_text_among_the_numbers_of_sqlite(self, monkeypatch):
        monkeypatch.setattr("likely.sql.push_down.SAMPLE", 10)
        connection = sqlite3.connect(":memory:")
        put(connection, pa.table({"x": [1.0, 2.0] * 21, "y": ["a", "b"] * 21}))
        connection.execute("INSERT INTO rows VALUES ('a lot', 'a')")
        with pytest.raises(ValueError, match="Gaussian needs finite numbers, up to 1e150; column 'x' has 'a lot'"):
            fit(NaiveBayesModel(Gaussian()), connection, QUERY, "y")

    def test_no_class(self, connection):
        table = pa.table({"x": [1.0, 2.0, 3.0], "y": ["a", None, "b"]})
        refused(connection, table, "column 'y' has no class in 1 rows; add to the query that it IS NOT NULL")

    def test_no_rows(self, connection):
        table = pa.table({"x": pa.array([], pa.float64()), "y": pa.array([], pa.string())})
        refused(connection, table, "the query has no rows; there is nothing to learn from")

    def test_no_such_target(self, connection):
        put(connection, pa.table({"x": [1.0], "z": ["a"]}))
        with pytest.raises(ValueError, match="the query has no column 'y'; its columns are 'x', 'z'"):
            fit(NaiveBayesModel(), connection, QUERY, "y")

    def test_a_target_that_is_no_class(self, connection):
        table = pa.table({"x": [1.0, 2.0], "y": [0.5, 1.5]})
        refused(connection, table, "column 'y' holds numbers that are not whole, such as 0.5, and no classes")

    def test_a_column_that_is_empty_in_the_sample_alone(self, connection, monkeypatch):
        monkeypatch.setattr("likely.sql.push_down.SAMPLE", 10)
        rare = [None] * 39 + [1.0]
        table = pa.table({"x": [1.0, 2.0] * 20, "rare": pa.array(rare, pa.float64()), "y": ["a", "b"] * 20})
        refused(
            connection, table, "column 'rare' has 1 values in 40 rows, and none in the sample of 10; name its family"
        )

    def test_dates(self, postgres):
        postgres.execute("CREATE TABLE rows (born date, y text)")
        postgres.execute("INSERT INTO rows VALUES ('2020-01-02', 'a'), ('2021-01-02', 'b')")
        with pytest.raises(
            ValueError, match=r"column 'born' holds dates or times.* select extract\(epoch FROM \"born\"\)"
        ):
            fit(NaiveBayesModel(), postgres, QUERY, "y")

    def test_a_query_that_is_wrong(self, connection):
        with pytest.raises(DatabaseError, match=r"did not carry out a query, and nothing was learned: .*nowhere"):
            fit(NaiveBayesModel(), connection, "SELECT * FROM nowhere", "y")

    def test_a_dialect_that_nobody_speaks(self, connection):
        with pytest.raises(ValueError, match="dialect is one of duckdb, sqlite, postgres, not 'oracle'"):
            fit(NaiveBayesModel(), connection, QUERY, "y", dialect="oracle")


def test_statistics_that_no_aggregates_make_are_refused_before_they_are_counted(monkeypatch):
    connection = sqlite3.connect(":memory:")
    put(connection, mixed(100).select(["normal", "y"]))
    monkeypatch.setattr(Moments, "aggregates", ())
    with pytest.raises(ValueError, match="column 'normal' is read as Gaussian, which SQL can't count; name another"):
        fit(NaiveBayesModel("gaussian"), connection, QUERY, "y")


def test_a_lost_connection(postgres_place):
    import psycopg

    table = mixed(300)
    with psycopg.connect(**postgres_place) as other, psycopg.connect(**postgres_place) as connection:
        put(connection, table, "lost")
        connection.commit()
        process, estimator = connection.info.backend_pid, NaiveBayes(FAMILIES)
        statements = []

        class Watched:
            """Ends the server's side after a few statements."""

            def execute(self, statement):
                statements.append(statement)
                if len(statements) == 5:
                    other.execute("SELECT pg_terminate_backend(%s)", [process])
                return connection.execute(statement)

        with pytest.raises(DatabaseError, match=r"and nothing was learned: .*terminat"):
            fit(estimator, Watched(), "SELECT * FROM lost", "y", dialect="postgres")
        assert len(statements) == 5
        assert not hasattr(estimator, "model_")
        other.execute("DROP TABLE lost")
        other.commit()
