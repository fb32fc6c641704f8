"""Collections of Dask's: each partition counted where it lies."""

import contextlib
import os
import signal
import socket
from functools import partial
from logging import CRITICAL
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster, get_client

import likely
from likely import LogisticRegression, NaiveBayes
from likely.engines.dask import DaskParts, connected, parts
from likely.validation import audit, cross_validate, leave_one_out, relevance

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 300)
TABLE = pd.DataFrame(
    {
        "number": RNG.normal(Y),
        "count": RNG.poisson(3 + Y),
        "word": RNG.choice(["red", "green", "blue"], 300),
        "y": np.array(["a", "b", "c"])[Y],
        "weight": RNG.integers(1, 4, 300),
    }
)
X = TABLE[["number", "count", "word"]]


def test_a_frame_with_its_classes_and_weights_as_columns() -> None:
    frame = dd.from_pandas(TABLE, npartitions=7)
    found = NaiveBayes().fit(frame, "y", sample_weight="weight")
    whole = NaiveBayes().fit(X, TABLE["y"], sample_weight=TABLE["weight"])
    assert found.families_ == whole.families_
    assert found.feature_names_in_.tolist() == ["number", "count", "word"]
    assert found.n_features_in_ == 3
    np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), rtol=1e-9)


def test_a_frame_and_a_series() -> None:
    frame = dd.from_pandas(TABLE, npartitions=5)
    found = NaiveBayes(calibrate=True).fit(frame[list(X)], frame["y"])
    whole = NaiveBayes(calibrate=True).fit(X, TABLE["y"])
    np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), rtol=1e-6)


def test_an_array() -> None:
    array = RNG.normal(size=(200, 4)) + Y[:200, None]
    found = NaiveBayes().fit(da.from_array(array, chunks=(60, 2)), da.from_array(Y[:200], chunks=60))
    whole = NaiveBayes().fit(array, Y[:200])
    assert found.families_ == whole.families_
    np.testing.assert_allclose(found.predict_proba(array), whole.predict_proba(array), rtol=1e-9)


def test_a_bag_of_texts() -> None:
    texts = [f"{word} {word} fox" for word in TABLE["word"]]
    labels = TABLE["y"].tolist()
    found = NaiveBayes().fit(db.from_sequence(texts, npartitions=6), db.from_sequence(labels, npartitions=6))
    whole = NaiveBayes().fit(texts, labels)
    np.testing.assert_allclose(found.predict_proba(texts), whole.predict_proba(texts), rtol=1e-9)


@pytest.mark.parametrize(
    ("y", "weight", "says"),
    [
        ("z", None, "there is no column 'z'; the columns are 'number', 'count', 'word', 'y', 'weight'"),
        ("y", "w", "there is no column 'w'"),
        (dd.from_pandas(TABLE["y"], npartitions=2), None, "y has 2 partitions, and X has 3; give them the same"),
    ],
)
def test_what_does_not_fit_is_refused_before_any_work(y: Any, weight: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parts(dd.from_pandas(TABLE, npartitions=3), y, weight)


def test_classes_in_memory_are_refused() -> None:
    with pytest.raises(TypeError, match="y of a collection of Dask's is one too, or the name of a column, not list"):
        NaiveBayes().fit(dd.from_pandas(X, npartitions=3), TABLE["y"].tolist())
    with pytest.raises(ValueError, match="unlabelled rows are learned from tables in memory alone"):
        NaiveBayes().fit(dd.from_pandas(TABLE, npartitions=3), "y", unlabelled=X)


def test_leave_one_out_of_all_rows_in_a_second_pass() -> None:
    frame = dd.from_pandas(TABLE[[*X, "y"]], npartitions=7)
    nb = NaiveBayes().fit(frame, "y")
    found = nb.loo_totals(parts(frame, "y"))
    whole = leave_one_out(NaiveBayes(), X, TABLE["y"], frame="kept")
    assert found.rows == len(TABLE)
    assert found.error == pytest.approx(whole.error, rel=1e-12)
    assert found.log_loss == pytest.approx(whole.log_loss, rel=1e-9)
    worst = found.audit.least[0]
    assert frame.partitions[worst.partition].compute()["y"].iloc[worst.row] == worst.label != worst.looks_like
    here = relevance(NaiveBayes().fit(X, TABLE["y"]))
    assert relevance(nb).columns == here.columns
    np.testing.assert_allclose(relevance(nb).log_factors, here.log_factors, rtol=1e-9)
    calibrated = NaiveBayes(calibrate="temperature").fit(frame, "y").loo_totals(parts(frame, "y"))
    assert calibrated.log_loss < whole.log_loss


def test_what_needs_a_table_in_memory_refuses_a_collection() -> None:
    with pytest.raises(TypeError, match="a table in memory is needed here, not a collection of Dask's; call its comp"):
        FITTED.explain(dd.from_pandas(X, npartitions=3))


@pytest.mark.parametrize("npartitions", [1, 7])
def test_logistic_regression_has_the_objective_of_one_machine(npartitions: int) -> None:
    frame = dd.from_pandas(TABLE, npartitions=npartitions)
    found = LogisticRegression(tol=1e-10).fit(frame, "y", sample_weight="weight")
    whole = LogisticRegression(tol=1e-10).fit(X, TABLE["y"], sample_weight=TABLE["weight"])
    assert found.objective_ == pytest.approx(whole.objective_, rel=1e-8)
    assert found.gap_ <= 1e-10 * found.objective_
    lazy = found.predict_proba(frame[list(X)])
    np.testing.assert_array_equal(lazy.compute().to_numpy(), found.predict_proba(X))


def test_options_of_logistic_regression_that_need_rows_in_memory_are_refused() -> None:
    frame = dd.from_pandas(TABLE, npartitions=3)
    for options, says in (
        ({"class_weight": "balanced"}, "class_weight is for rows in memory"),
        ({"calibrate": True}, "leave-one-out of logistic regression needs rows in memory"),
        ({"C": "auto"}, "C is chosen by rows in memory alone"),
    ):
        with pytest.raises(ValueError, match=says):
            LogisticRegression(**options).fit(frame, "y")


def test_a_partition_whose_weights_are_all_zero_adds_nothing() -> None:
    weighed = TABLE.assign(weight=np.where(np.arange(300) < 100, 0, TABLE["weight"]))
    found = NaiveBayes().fit(dd.from_pandas(weighed, npartitions=3), "y", sample_weight="weight")
    whole = NaiveBayes().fit(X, weighed["y"], sample_weight=weighed["weight"])
    np.testing.assert_array_equal(found.class_count_, whole.class_count_)


def test_workers_with_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = DaskParts([1])._made(lambda number, part: part, [0])
    monkeypatch.setattr(likely, "__version__", "9.9")
    with pytest.raises(ValueError, match=r"a worker has Likely 9\.9, and this is .*; install the same on both"):
        made[0].compute()


FITTED = NaiveBayes().fit(X, TABLE["y"])


@pytest.mark.parametrize("method", ["predict_proba", "predict_log_proba"])
def test_probabilities_of_a_frame_are_a_lazy_frame(method: str) -> None:
    found = getattr(FITTED, method)(dd.from_pandas(X, npartitions=4))
    assert isinstance(found, dd.DataFrame)
    assert list(found.columns) == ["a", "b", "c"]
    computed = found.compute()
    assert computed.index.equals(X.index)
    np.testing.assert_array_equal(computed.to_numpy(), getattr(FITTED, method)(X))


def test_classes_of_a_frame_are_a_lazy_series_also_where_partitions_are_empty() -> None:
    frame = dd.from_pandas(X, npartitions=4)
    found = FITTED.predict(frame[frame["number"] > 1.5])
    assert isinstance(found, dd.Series)
    chosen = X[X["number"] > 1.5]
    assert found.compute().tolist() == FITTED.predict(chosen).tolist()
    assert FITTED.predict(frame[frame["number"] > 1e9]).compute().tolist() == []


def test_answers_to_an_array_are_lazy_arrays() -> None:
    array = RNG.normal(size=(200, 4)) + Y[:200, None]
    fitted = NaiveBayes().fit(array, Y[:200])
    lazy = da.from_array(array, chunks=(60, 2))
    assert fitted.predict(lazy).shape == (200,)
    np.testing.assert_array_equal(fitted.predict(lazy).compute(), fitted.predict(array))
    assert fitted.predict_proba(lazy).shape == (200, 3)
    np.testing.assert_array_equal(fitted.predict_proba(lazy).compute(), fitted.predict_proba(array))


def test_answers_to_a_bag_are_a_lazy_bag() -> None:
    texts = [f"{word} {word} fox" for word in TABLE["word"]]
    fitted = NaiveBayes().fit(texts, TABLE["y"])
    bag = db.from_sequence(texts, npartitions=5)
    assert fitted.predict(bag).compute(scheduler="threads") == fitted.predict(texts).tolist()
    found = np.array(fitted.predict_proba(bag).compute(scheduler="threads"))
    np.testing.assert_array_equal(found, fitted.predict_proba(texts))


def killing(flag: Path, frame: pd.DataFrame) -> pd.DataFrame:
    """The partition as it is; the first worker that gets to the middle dies there, by a signal that it cannot catch."""
    if frame["number"].iloc[0] == TABLE["number"].iloc[150]:
        with contextlib.suppress(FileExistsError):
            flag.touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
    return frame


def test_a_worker_killed_in_the_middle_changes_not_a_bit(tmp_path: Path) -> None:
    frame = dd.from_pandas(TABLE, npartitions=20)
    expected = NaiveBayes().fit(frame, "y", sample_weight="weight")
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=CRITICAL)
    with cluster, Client(cluster, set_as_default=True):
        killed = frame.map_partitions(partial(killing, tmp_path / "killed"), meta=frame._meta)
        found = NaiveBayes().fit(killed, "y", sample_weight="weight")
    assert (tmp_path / "killed").exists()
    assert found.predict_joint_log_proba(X).tobytes() == expected.predict_joint_log_proba(X).tobytes()


def test_logistic_regression_survives_a_killed_worker(tmp_path: Path) -> None:
    frame = dd.from_pandas(TABLE, npartitions=20)
    expected = LogisticRegression(tol=1e-10).fit(frame, "y")
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=CRITICAL)
    with cluster, Client(cluster, set_as_default=True):
        killed = frame.map_partitions(partial(killing, tmp_path / "killed"), meta=frame._meta)
        found = LogisticRegression(tol=1e-10).fit(killed, "y")
    assert (tmp_path / "killed").exists()
    assert found.coef_.tobytes() == expected.coef_.tobytes()


def test_a_local_cluster_starts_next_to_another() -> None:
    """Which has the port that Dask takes first; a warning of Dask's would fail the test."""
    with socket.socket() as other:
        with contextlib.suppress(OSError):  # taken already
            other.bind(("127.0.0.1", 8787))
            other.listen()
        with connected(None):
            assert get_client().scheduler is not None


def test_processes_of_this_machine_are_no_more_than_of_use_and_do_not_watch_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("likely.engines.dask.count", lambda: 3)
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    before = dask.config.get("distributed.nanny.pre-spawn-environ")

    def seen() -> tuple[bool, str | None, str | None]:
        profile = dask.config.get("distributed.worker.profile.enabled")
        return profile, os.environ.get("MALLOC_TRIM_THRESHOLD_"), os.environ.get("OMP_NUM_THREADS")

    with connected(None, most=1):
        assert list(get_client().run(seen).values()) == [(False, None, "1")]
    assert dask.config.get("distributed.nanny.pre-spawn-environ") == before


def test_no_scheduler_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.engines.dask.TIMEOUT", 0.2)
    with (
        pytest.raises(ConnectionError, match="there is no Dask scheduler at tcp://127"),
        connected("tcp://127.0.0.1:9"),
    ):
        pass


def test_a_name_of_a_column_is_for_frames() -> None:
    with pytest.raises(TypeError, match="'y' names a column, and only a DataFrame has names; give a collection with"):
        NaiveBayes().fit(da.zeros((20, 2), chunks=(10, 2)), "y")


@pytest.mark.parametrize("method", ["decide", "predict_set", "explain"])
def test_what_needs_a_table_in_memory_says_so(method: str) -> None:
    fitted = NaiveBayes(calibrate=True).fit(X, TABLE["y"])
    with pytest.raises(TypeError, match="a table in memory is needed here, not a collection of Dask's; call its comp"):
        getattr(fitted, method)(dd.from_pandas(X, npartitions=2))


@pytest.mark.parametrize("judge", [leave_one_out, audit, cross_validate, lambda model, X, y: model.score(X, y)])
def test_validation_in_memory_says_so(judge: Any) -> None:
    fitted = NaiveBayes().fit(X, TABLE["y"])
    with pytest.raises(TypeError, match="a table in memory is needed here, not a collection of Dask's; call its comp"):
        judge(fitted, dd.from_pandas(TABLE, npartitions=2), "y")


def test_texts_on_other_processes() -> None:
    """Rows that were looked at come back with what was read of them."""
    texts = [f"{word} {number:.3f} fox jumps" for word, number in zip(TABLE["word"], TABLE["number"], strict=True)]
    frame = dd.from_pandas(pd.DataFrame({"text": texts, "y": TABLE["y"]}), npartitions=3)
    bags = [db.from_sequence(list(each), npartitions=3) for each in (texts, TABLE["y"])]
    whole = NaiveBayes().fit(texts, TABLE["y"])
    with connected(None, 2):
        for found in (NaiveBayes().fit(frame, "y"), NaiveBayes().fit(*bags)):
            np.testing.assert_array_equal(found.class_count_, whole.class_count_)
            assert found.model_.blocks[0].statistics.words is not None
        answers = found.predict(bags[0]).compute()
    assert answers == whole.predict(texts).tolist()
    assert {type(answer) for answer in answers} == {str}
