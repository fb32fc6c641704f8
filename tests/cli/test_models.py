"""Commands on models that there are: describe, explain, evaluate, learn, forget, merge, sample."""

import csv
import io
import json
import os
import signal
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from likely import store
from likely.cli.demo import ANIMALS
from likely.data import read
from likely.models.explain import Explanation

from .command import COMMAND, likely, refused, worked
from .test_fit import TABLE

FAMILIES = "shoulder_cm=gaussian,teeth_mm=gaussian,legs=categorical,sightings=poisson"


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Path, Path]:
    """The table in two files."""
    header, *rows = ANIMALS.read_text().splitlines(keepends=True)
    paths = tmp_path / "north.csv", tmp_path / "south.csv"
    paths[0].write_text(header + "".join(rows[:60]))
    paths[1].write_text(header + "".join(rows[60:]))
    return paths


def fit(data: Path, output: Path, *options: str) -> Path:
    worked(likely("fit", data, "-t", "animal", "-o", output, "--families", FAMILIES, *options))
    return output


def scores(path: Path) -> np.ndarray:
    return store.load(path).model.score(read(TABLE.drop_columns("animal")))


def test_to_learn_in_parts_or_apart_is_to_learn_at_once(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north, south = (fit(part, tmp_path / f"{part.stem}.likely") for part in parts)
    whole = fit(ANIMALS, tmp_path / "whole.likely")
    told = worked(likely("merge", north, south, "-o", tmp_path / "merged.likely"))
    assert told == f"{tmp_path}/merged.likely: 2 models with 122 rows\n"
    np.testing.assert_allclose(scores(tmp_path / "merged.likely"), scores(whole), rtol=1e-12)
    assert store.load(tmp_path / "merged.likely").origin.rows == 122
    before = scores(north)
    assert worked(likely("learn", north, parts[1])) == f"{north}: learned 62 rows; 122 in all\n"
    np.testing.assert_allclose(scores(north), scores(whole), rtol=1e-12)
    assert (store.load(north).origin.rows, store.load(north).origin.wrong) == (122, None)
    assert worked(likely("forget", north, parts[1])) == f"{north}: forgot 62 rows; 60 are left\n"
    np.testing.assert_allclose(scores(north), before, rtol=1e-9)


def test_what_was_never_learned_is_not_forgotten(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    before = north.read_bytes()
    assert "some of these rows were never learned" in refused(likely("forget", north, ANIMALS))
    assert north.read_bytes() == before


def test_learning_into_another_file_leaves_the_first(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    before = north.read_bytes()
    worked(likely("learn", north, parts[1], "-o", tmp_path / "more.likely"))
    assert north.read_bytes() == before
    assert store.load(tmp_path / "more.likely").origin.rows == 122


def test_models_that_read_differently_do_not_merge(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    worked(likely("fit", parts[1], "-t", "animal", "-o", tmp_path / "south.likely"))
    said = refused(likely("merge", north, tmp_path / "south.likely", "-o", tmp_path / "both.likely"))
    assert "south.likely does not go together with" in said
    assert not (tmp_path / "both.likely").exists()


def test_explain_is_what_the_library_explains(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    reasons = Explanation(store.load(path).model, read(TABLE.drop_columns("animal")))[14]
    told = worked(likely("explain", path, ANIMALS, "--row", 14))
    assert told.endswith(f"{reasons}\n")
    assert told.startswith("row 14: hyena, with probability 0.")
    found = json.loads(worked(likely("explain", path, ANIMALS, "--row", 14, "--json")))
    assert found["prediction"] == "hyena"
    total = found["class_prior"]["lion"] + sum(reason["adds"]["lion"] for reason in found["reasons"])
    assert total == pytest.approx(found["score"]["lion"])
    assert "there are 122 rows, and no row 122" in refused(likely("explain", path, ANIMALS, "--row", 122))


def test_describe_tells_what_is_in_the_file(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    told = worked(likely("describe", path))
    for line in (
        "model: naive Bayes",
        "target: animal",
        "lion       42",
        "sightings    Poisson()",
        "error left out: 0.",
    ):
        assert line in told
    found = json.loads(worked(likely("describe", path, "--json")))
    assert found["classes"] == {"hyena": 46, "lion": 42, "warthog": 34}
    rate = next(line for line in found["lines"] if line["column"] == "sightings")
    assert rate["parameter"] == "rate"


def test_evaluate_on_rows_that_were_not_learned(parts: tuple[Path, Path], tmp_path: Path) -> None:
    path = fit(parts[0], tmp_path / "m.likely")
    found = json.loads(worked(likely("evaluate", path, parts[1], "--json")))
    model, rows = store.load(path).model, TABLE.slice(60)
    wrong = model.predict(read(rows.drop_columns("animal"))) != np.array(rows["animal"].to_pylist())
    assert found["rows"] == 62
    assert found["error"] == pytest.approx(wrong.mean())
    assert found["interval"][0] < found["error"] < found["interval"][1]
    assert "95 % interval" in worked(likely("evaluate", path, parts[1]))
    parts[1].write_text(parts[1].read_text().replace("warthog", "boar"))
    told = worked(likely("evaluate", path, parts[1]))
    assert "The model has never learned boar." in told


def test_sample_draws_rows_that_look_like_those_learned(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    told = worked(likely("sample", path, "-n", 500, "--seed", 1))
    assert told == worked(likely("sample", path, "-n", 500, "--seed", 1))
    rows = list(csv.DictReader(io.StringIO(told)))
    assert list(rows[0]) == ANIMALS.read_text().splitlines()[0].split(",")
    share = Counter(row["animal"] for row in rows)["lion"] / 500
    assert share == pytest.approx(42 / 122, abs=4 * np.sqrt(0.25 / 500))
    worked(likely("sample", path, "-o", tmp_path / "drawn.csv"))
    worked(likely("evaluate", path, tmp_path / "drawn.csv"))


def test_ctrl_c_leaves_the_model_as_it_was(tmp_path: Path) -> None:
    path, pipe = fit(ANIMALS, tmp_path / "m.likely"), tmp_path / "pipe"
    before = path.read_bytes()
    os.mkfifo(pipe)
    with subprocess.Popen([str(COMMAND), "learn", str(path), str(pipe)], stderr=subprocess.DEVNULL) as process:
        with pipe.open("wb") as file:  # once it is opened at the other end too
            file.write(ANIMALS.read_bytes())
            file.flush()
            process.send_signal(signal.SIGINT)
        process.wait(30)
    assert process.returncode != 0
    assert path.read_bytes() == before
    assert {entry.name for entry in tmp_path.iterdir()} == {"m.likely", "pipe"}
