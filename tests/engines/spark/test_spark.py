"""Spark: partitions counted where they lie, by a real session on this machine."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet as pq
from sklearn.naive_bayes import GaussianNB

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.engines import spark
from likely.engines.spark import FrameParts, SparkParts
from likely.families import FAMILIES
from likely.models.naive_bayes import NaiveBayesModel
from likely.store import load

from ...cli.command import likely as command
from ...cli.command import worked
from ...laws import test_engines as laws
from .rows import ROWS, TABLE, X

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own, of pandas and of sockets


def test_a_frame_is_fitted_as_on_one_machine(session: Any, folder: Path) -> None:
    frame = session.read.parquet(str(folder)).repartition(3, "number")
    found = spark.fit(NaiveBayes(), frame, "y", sample_weight="weight")
    rows = frame.toArrow()
    whole = NaiveBayes().fit(rows.drop_columns(["weight", "y"]), rows["y"], sample_weight=rows["weight"].to_numpy())
    assert found.families_ == whole.families_
    assert found.feature_names_in_.tolist() == ["number", "count", "word"]
    np.testing.assert_array_equal(found.class_count_, whole.class_count_)
    np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), rtol=1e-6)


def test_a_gaussian_classifier_and_partitions_without_rows(session: Any, folder: Path) -> None:
    frame = session.read.parquet(str(folder)).select("number", "count", "y").repartition(1).repartition(5, "y")
    assert len(FrameParts(frame, "y", None)) == 5
    found = spark.fit(GaussianClassifier(shrinkage=0.1), frame, "y")
    table = TABLE.select(["number", "count"])
    whole = GaussianClassifier(shrinkage=0.1).fit(table, TABLE["y"])
    np.testing.assert_allclose(found.predict_proba(table), whole.predict_proba(table), rtol=1e-9)


@pytest.mark.parametrize("partitions", [1, 3])
def test_logistic_regression_has_the_objective_of_one_machine(session: Any, folder: Path, partitions: int) -> None:
    frame = session.read.parquet(str(folder)).repartition(partitions, "count")
    found = spark.fit(LogisticRegression(tol=1e-10), frame, "y", sample_weight="weight")
    whole = LogisticRegression(tol=1e-10).fit(X, TABLE["y"], sample_weight=TABLE["weight"].to_numpy())
    assert found.features_ == whole.features_
    assert found.objective_ == pytest.approx(whole.objective_, rel=1e-8)
    assert found.gap_ <= 1e-10 * found.objective_


def test_paths_are_read_by_the_tasks(session: Any, folder: Path) -> None:
    found = spark.fit(NaiveBayes(), str(folder / "*.parquet"), "y", sample_weight="weight")
    whole = NaiveBayes().fit(X, TABLE["y"], sample_weight=TABLE["weight"].to_numpy())
    assert found.families_ == whole.families_
    np.testing.assert_array_equal(found.class_count_, whole.class_count_)
    np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
    logistic = spark.fit(LogisticRegression(tol=1e-10), [folder], "y", sample_weight="weight", session=session)
    alone = LogisticRegression(tol=1e-10).fit(X, TABLE["y"], sample_weight=TABLE["weight"].to_numpy())
    assert logistic.objective_ == pytest.approx(alone.objective_, rel=1e-8)
    totals = found.loo_totals(spark.parts(folder, "y", "weight"))
    assert totals.rows == ROWS
    assert totals.weight == TABLE["weight"].to_numpy().sum()
    with pytest.raises(ValueError, match="there is no column 'z'; the columns are 'number', 'count'"):
        spark.fit(NaiveBayes(), folder, "z")


def test_predictions_are_columns_of_a_lazy_frame(session: Any, folder: Path) -> None:
    model = NaiveBayes().fit(X, TABLE["y"])
    frame = spark.predict(model, session.read.parquet(str(folder)))
    assert frame.columns == [*TABLE.column_names, "prediction", "probability"]
    found = frame.toArrow()
    again = found.select(X.column_names)
    assert found["prediction"].to_pylist() == model.predict(again).tolist()
    np.testing.assert_array_equal(found["probability"].to_numpy(), model.predict_proba(again).max(axis=1))
    with pytest.raises(ValueError, match="there is a column 'prediction' already; rename it"):
        spark.predict(model, frame)


def test_a_session_of_spark_connect(session: Any, port: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql.connect.session import SparkSession

    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")  # functions make columns for it
    remote = SparkSession.builder.remote(f"sc://localhost:{port}").create()
    try:
        frame = remote.read.parquet(str(folder)).drop("weight")
        found, whole = spark.fit(NaiveBayes(), frame, "y"), NaiveBayes().fit(X, TABLE["y"])
        np.testing.assert_array_equal(found.class_count_, whole.class_count_)
        np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), rtol=1e-6)
        answers = spark.predict(found, frame).toArrow()
        assert answers["prediction"].to_pylist() == found.predict(answers.select(X.column_names)).tolist()
        assert SparkParts(remote, [1, 2]).total(lambda number, part: [part]) == [1, 2]
        with SparkParts(remote, [1, 2]).kept(lambda number, part: [part]) as kept:
            assert kept.each(lambda number, part: (number, part), [1, 0]) == [(1, [2]), (0, [1])]
            assert kept.total(lambda number, part: part * 2) == [1, 1, 2, 2]
        logistic, alone = spark.fit(LogisticRegression(), frame, "y"), LogisticRegression().fit(X, TABLE["y"])
        assert logistic.objective_ == pytest.approx(alone.objective_, rel=1e-5)
    finally:
        remote.client.close()


def test_a_column_that_is_not_there_is_refused_before_any_work(session: Any, folder: Path) -> None:
    with pytest.raises(ValueError, match="there is no column 'z'; the columns are 'number', 'count'"):
        spark.fit(NaiveBayes(), session.read.parquet(str(folder)), "z")


def test_the_command_line(session: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the session that is there."""
    monkeypatch.setattr(session, "stop", lambda: None)
    options = ("-t", "y", "--weights", "weight", "-o")
    worked(command("fit", folder, *options, tmp_path / "here.likely"))
    assert command("fit", folder, *options, tmp_path / "there.likely", "--engine", "local[1]").code == 0
    here, there = (load(tmp_path / f"{name}.likely").model for name in ("here", "there"))
    assert there.chosen_families == here.chosen_families
    np.testing.assert_array_equal(there.class_counts, here.class_counts)
    out = tmp_path / "out"
    assert command("predict", tmp_path / "there.likely", folder, "-o", out, "--engine", "local[1]").code == 0
    worked(command("predict", tmp_path / "there.likely", folder, "-o", tmp_path / "one.parquet"))
    assert pq.read_table(out).equals(pq.read_table(tmp_path / "one.parquet"))


def test_texts_are_learned_as_on_one_machine(session: Any) -> None:
    words = zip(TABLE["word"].to_pylist(), TABLE["count"].to_pylist(), strict=True)
    texts = pa.table({"text": [f"{word} fox {count} jumps over it" for word, count in words], "y": TABLE["y"]})
    found = spark.fit(NaiveBayes("text_multinomial"), session.createDataFrame(texts).repartition(3), "y")
    whole = NaiveBayes("text_multinomial").fit(texts.drop_columns("y"), texts["y"])
    some = texts.drop_columns("y")
    np.testing.assert_allclose(found.predict_proba(some), whole.predict_proba(some), rtol=1e-9)
    answers = spark.predict(found, session.createDataFrame(texts)).toArrow()
    assert answers["prediction"].to_pylist() == whole.predict(some).tolist()


def test_what_is_wrong_is_said_before_any_work(session: Any) -> None:
    frame = session.createDataFrame(TABLE)
    nb = NaiveBayes().fit(X, TABLE["y"])
    with pytest.raises(
        TypeError, match="a DataFrame of Spark's, or paths of Parquet files is needed, not pyarrow's Tab"
    ):
        spark.fit(NaiveBayes(), TABLE, "y")
    with pytest.raises(TypeError, match="GaussianNB is no classifier of Likely's, such as NaiveBayes"):
        spark.fit(GaussianNB(), frame, "y")
    with pytest.raises(TypeError, match=r"not a DataFrame of Spark's; use fit and predict of likely\.engines\.spark"):
        NaiveBayes().fit(frame, "y")
    with pytest.raises(TypeError, match=r"as session.read.parquet\(path\) gives it, is needed, not builtins's str"):
        spark.predict(nb, "data")
    with pytest.raises(ValueError, match="the model reads a column 'count'; the columns are 'number', 'word'"):
        spark.predict(nb, frame.drop("count"))
    with pytest.raises(ValueError, match="NaiveBayes has learned nothing yet; fit it first"):
        spark.predict(NaiveBayes(), frame)
    with pytest.raises(ValueError, match="the model learned an array; fit it on named columns"):
        spark.predict(NaiveBayes().fit(np.eye(4), [0, 1, 0, 1]), frame)


def test_jobs_have_names_on_the_pages_of_spark(session: Any) -> None:
    session.sparkContext.setJobDescription("mine")
    spark.fit(NaiveBayes(), session.createDataFrame(TABLE).repartition(3), "y")
    assert session.sparkContext.getLocalProperty("spark.job.description") == "mine"
    store = session.sparkContext._jsc.sc().statusStore()
    jobs = store.jobsList(None)
    names = {job.description().get() for job in map(jobs.apply, range(jobs.size())) if job.description().isDefined()}
    assert {"Likely: 3 of 3 partitions", "Likely: the sum over 3 partitions"} <= names


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_as_on_one_machine(session: Any, family: str) -> None:
    """As tests/laws has it of other engines, with parts that have no rows."""
    parts = SparkParts(session, np.split(np.arange(laws.ROWS), laws.CUTS["empty"]))
    laws.assert_alike(NaiveBayesModel(family), laws.cells_of(FAMILIES[family]), parts)
