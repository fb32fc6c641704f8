"""Commands whose files are read by the workers of a cluster."""

from pathlib import Path
from typing import Any

import dask
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from likely.cli.cluster import new_folder
from likely.data import read
from likely.store import load

from .command import likely, refused, worked

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 900)
TABLE = pa.table(
    {
        "number": RNG.normal(Y),
        "count": RNG.poisson(2 + Y),
        "word": np.array(["red", "green", "blue"])[RNG.integers(0, 3, 900)],
        "y": np.array(["a", "b", "c"])[Y],
    }
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three files of Parquet, of several row groups each, and a cluster that is this process."""
    monkeypatch.setattr("likely.data.stream.formats.PART_BYTES", 1)
    monkeypatch.setattr("likely.engines.dask.connected", lambda *_: dask.config.set(scheduler="threads"))
    (tmp_path / "in").mkdir()
    for at in range(3):
        pq.write_table(TABLE.slice(300 * at, 300), tmp_path / "in" / f"{at}.parquet", row_group_size=100)
    return tmp_path / "in"


def fit(*arguments: Any) -> Any:
    worked(likely("fit", *arguments[:-1], "-t", "y", "-o", arguments[-1]))
    return load(arguments[-1]).model


def test_a_fit_is_that_of_one_machine(files: Path, tmp_path: Path) -> None:
    here = fit(files, tmp_path / "here.likely")
    there = fit(files, "--engine", "dask", tmp_path / "there.likely")
    assert there.chosen_families == here.chosen_families
    np.testing.assert_array_equal(there.class_counts, here.class_counts)
    table = read(TABLE.drop_columns(["y"]))
    np.testing.assert_allclose(there.score(table), here.score(table), rtol=1e-9)


def test_files_without_rows_change_nothing(files: Path, tmp_path: Path) -> None:
    """As Spark writes them, at the beginning, in the middle and at the end."""
    full = fit(files, tmp_path / "full.likely")
    for name in ("-1", "1a", "3"):
        pq.write_table(TABLE.slice(0, 0), files / f"{name}.parquet")
    table = read(TABLE.drop_columns(["y"]))
    for engine in ((), ("--engine", "dask")):
        found = fit(files, *engine, tmp_path / "found.likely")
        np.testing.assert_array_equal(found.class_counts, full.class_counts)
        np.testing.assert_allclose(found.score(table), full.score(table), rtol=1e-9)
        out = tmp_path / ("there" if engine else "here.parquet")
        worked(likely("predict", tmp_path / "full.likely", files, "-o", out, *engine))
    assert pq.read_table(tmp_path / "there").equals(pq.read_table(tmp_path / "here.parquet"))
    assert pq.read_table(tmp_path / "there").num_rows == 900


@pytest.mark.parametrize("kind", ["gaussian", "network"])
def test_other_models_that_count(files: Path, tmp_path: Path, kind: str) -> None:
    options = ("--model", kind, "--ignore", "word")
    here = fit(files, *options, tmp_path / "here.likely")
    there = fit(files, *options, "--engine", "dask", tmp_path / "there.likely")
    table = read(TABLE.drop_columns(["y", "word"]))
    np.testing.assert_allclose(there.score(table), here.score(table), rtol=1e-8)


def test_cells_that_cannot_be_read_are_counted_over_all_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.engines.dask.connected", lambda *_: dask.config.set(scheduler="threads"))
    for at in range(2):
        rows = [f"{'n.a.' if i % 100 == at else i / 7},{'pq'[i % 2]}" for i in range(300)]
        (tmp_path / f"{at}.csv").write_text("a,y\n" + "\n".join(rows) + "\n")
    outputs = [
        worked(likely("fit", *engine, tmp_path / "[01].csv", "-t", "y", "-o", tmp_path / "m.likely"))
        for engine in ((), ("--engine", "dask"))
    ]
    assert "n.a." in outputs[0]
    assert outputs[0] == outputs[1]


def test_predictions_are_a_folder_of_parquet(files: Path, tmp_path: Path) -> None:
    fit(files, tmp_path / "m.likely")
    worked(likely("predict", tmp_path / "m.likely", files, "-o", tmp_path / "one.parquet", "--proba"))
    worked(likely("predict", tmp_path / "m.likely", files, "-o", tmp_path / "out", "--proba", "--engine", "dask"))
    parts = sorted((tmp_path / "out").iterdir())
    assert [part.name for part in parts] == [f"part-{at:05}.parquet" for at in range(9)]
    assert pq.read_table(tmp_path / "out").equals(pq.read_table(tmp_path / "one.parquet"))
    assert "name it with -o" in likely("predict", tmp_path / "m.likely", files, "--engine", "dask").err
    again = likely("predict", tmp_path / "m.likely", files, "-o", tmp_path / "out", "--engine", "dask")
    assert "is a directory" in again.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--engine", "ray"), "'ray' is no engine; use dask, local[*], or the address"),
        (("--engine", "dask", "--model", "blend"), "--model blend holds all rows in the memory of one machine"),
        (("--engine", "dask", "-"), "standard input is read only on this machine"),
    ],
)
def test_what_no_cluster_can_do_is_refused_before_any_work(
    arguments: tuple[str, ...], says: str, files: Path, tmp_path: Path
) -> None:
    done = likely("fit", files, *arguments, "-t", "y", "-o", tmp_path / "m.likely")
    assert done.code == 2
    assert says in " ".join(done.err.split())
    assert not (tmp_path / "m.likely").exists()


def test_folders_of_texts_are_refused(tmp_path: Path) -> None:
    for label in "ab":
        (tmp_path / "texts" / label).mkdir(parents=True)
        (tmp_path / "texts" / label / "1.txt").write_text(f"a text of {label}")
    done = likely("fit", tmp_path / "texts", "-o", tmp_path / "m.likely", "--engine", "dask")
    assert "folders of texts and mail are read only on this machine" in " ".join(done.err.split())


def test_a_bad_row_is_named_and_nothing_is_written(files: Path, tmp_path: Path) -> None:
    bad = TABLE.slice(0, 50).set_column(1, "count", pa.array([-1, *range(49)]))
    pq.write_table(bad, files / "5.parquet")
    arguments = ("--families", "count=poisson", "--engine", "dask", "-t", "y", "-o", tmp_path / "m.likely")
    assert "5.parquet, row 1: " in refused(likely("fit", files, *arguments))
    assert not (tmp_path / "m.likely").exists()


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def half() -> None:
        with new_folder(tmp_path / "out") as folder:
            (folder / "a").write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert list(tmp_path.iterdir()) == []
    with new_folder(tmp_path / "out") as folder:
        (folder / "a").write_text("all")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a"]
    with pytest.raises(FileExistsError, match="it exists already; name a new folder"), new_folder(tmp_path / "out"):
        pass
