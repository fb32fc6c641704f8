"""`likely predict`: the rows as they were, and what the model says of each."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet as pq

from likely import store
from likely.data import read
from likely.models.explain import Explanation

from .animals import ANIMALS, FORMATS, TABLE
from .command import COMMAND, installed, likely, refused, worked


def rows_of(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_answered_as_the_library_answers(name: str, fitted: Path, tmp_path: Path) -> None:
    FORMATS[name](TABLE, tmp_path / name)
    model = store.load(fitted).model
    p = model.predict_proba(read(TABLE.drop_columns("animal")))
    found = rows_of(worked(likely("predict", fitted, tmp_path / name, "--proba", "--top", 2)))
    assert [row["prediction"] for row in found] == model.classes[p.argmax(axis=1)].tolist()
    assert [row["prediction 2"] for row in found] == model.classes[np.argsort(-p, axis=1)[:, 1]].tolist()
    np.testing.assert_allclose([float(row["probability"]) for row in found], p.max(axis=1), rtol=1e-15)
    np.testing.assert_allclose([[float(row[f"p({k})"]) for k in model.classes] for row in found], p, rtol=1e-15)


def test_the_columns_of_the_input_are_kept_as_they_are_written(fitted: Path, tmp_path: Path) -> None:
    lines = ANIMALS.read_text().splitlines()
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*reversed(lines[0].split(",")), "more"])
        writer.writerows([*reversed(line.split(",")), 'a "b",\n007'] for line in lines[1:])
    done = likely("predict", fitted, path)
    assert (done.code, done.err) == (0, f"{path} has columns that the model does not know: 'more'.\n")
    given, found = rows_of(path.read_text()), rows_of(done.out)
    assert [{name: row[name] for name in given[0]} for row in found] == given
    plain = worked(likely("predict", fitted, ANIMALS)).splitlines()
    assert [line.rsplit(",", 2)[0] for line in plain] == lines  # without quotes that were not there


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.parquet", "out.jsonl"])
def test_files_of_every_format_are_written(name: str, fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    assert worked(likely("predict", fitted, ANIMALS, "-o", path)) == ""
    if name.endswith("parquet"):
        found = pq.read_table(path).to_pylist()
    elif name.endswith("jsonl"):
        found = [json.loads(line) for line in path.read_text().splitlines()]
    else:
        found = rows_of(path.read_text(), "\t" if name.endswith("tsv") else ",")
    assert len(found) == 122
    assert found[14]["prediction"] == "hyena"
    p = store.load(fitted).predict_proba(read(TABLE.drop_columns("animal")))
    np.testing.assert_allclose([float(row["probability"]) for row in found], p.max(axis=1), rtol=1e-15)


def test_the_blend_answers_as_the_library_does(blend: Path) -> None:
    stored, table = store.load(blend), read(TABLE.drop_columns("animal"))
    found = rows_of(worked(likely("predict", blend, ANIMALS, "--proba", "--explain")))
    p = stored.calibration(stored.model.predict_proba(table, log=True))
    np.testing.assert_allclose([[float(row[f"p({k})"]) for k in stored.model.classes] for row in found], p, rtol=1e-15)
    assert found[14]["because"].startswith("shoulder_cm 81.8 (+")


def test_reasons_are_added(fitted: Path) -> None:
    found = rows_of(worked(likely("predict", fitted, ANIMALS, "--explain")))
    reasons = Explanation(store.load(fitted).model, read(TABLE.drop_columns("animal")))[14]
    odds = {reason.column: f"{reasons.log_odds(reason.contributions):+.2f}" for reason in reasons.ranked[:3]}
    values = {"shoulder_cm": "81.8", "habitat": "riverbank", "sightings": "2"}
    assert found[14]["because"] == "; ".join(f"{name} {values[name]} ({told})" for name, told in odds.items())


def test_one_row_from_standard_input(fitted: Path) -> None:
    row = "".join(ANIMALS.read_text().splitlines(keepends=True)[:2]).encode()
    told = worked(installed("predict", fitted, "-", stdin=row))
    assert told.splitlines()[1].startswith("true,108.2,59.7,3,1,savanna,lion,lion,0.99")


@pytest.mark.parametrize("kind", ["fitted", "logistic", "blend"])
def test_nothing_is_imported_that_takes_long(kind: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(kind)
    code = "import gc, sys; from likely.cli import main; main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    code += "; print(gc.isenabled(), gc.get_freeze_count() > 1000)"
    arguments = [sys.executable, "-c", code, "predict", str(model), str(ANIMALS)]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()
    assert "likely.cli.predict" in told
    assert told[-2:] == ["True", "True"]
    slow = {"sklearn", "pandas", "rich", "scipy", "pyarrow.parquet", "pyarrow.compute", "numpy.random", "numpy.ma"}
    assert not slow & set(told)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("108.2", "tall"), "line 2: column 'shoulder_cm' has 'tall', which is no number"),
        (("legs", "feet"), "there is no column 'legs', which the model reads"),
        (("legs", " Legs"), "there is no column 'legs', which the model reads; rename 'Legs' if that is it"),
        (("animal", "prediction"), "there is a column 'prediction' already; rename it"),
    ],
)
def test_what_the_model_cannot_read(change: tuple[str, str], says: str, fitted: Path, tmp_path: Path) -> None:
    path, output = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text(ANIMALS.read_text().replace(*change, 1))
    assert says in refused(likely("predict", fitted, path, "-o", output))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"what is this? " * 20])
def test_a_model_that_is_none(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    path.write_bytes(content)
    assert "model" in refused(likely("predict", path, ANIMALS))


def test_times_are_read_as_they_were_learned(tmp_path: Path) -> None:
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    rows = [f"2024-0{1 + i % 2}-{1 + i % 28:02},{'ab'[i % 2]}" for i in range(60)]
    path.write_text("day,y\n" + "\n".join(rows) + "\n")
    worked(likely("fit", path, "-t", "y", "-o", output))
    found = rows_of(worked(likely("predict", output, path)))
    assert [row["prediction"] for row in found] == ["ab"[i % 2] for i in range(60)]
    assert found[0]["day"] == "2024-01-01"


def test_classes_may_be_numbers(tmp_path: Path) -> None:
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    path.write_text("x,y\n" + "".join(f"{i % 2 * 5 + i % 3},{i % 2}\n" for i in range(30)))
    worked(likely("fit", path, "-t", "y", "-o", output))
    assert [row["prediction"] for row in rows_of(worked(likely("predict", output, path)))][:4] == ["0", "1", "0", "1"]
    told: Any = json.loads(worked(likely("evaluate", output, path, "--json")))
    assert (told["error"], told["classes"]) == (0.0, [0, 1])


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibrated") / "animals.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "--calibrate", "-o", path))
    return path


def test_decisions_by_thresholds_costs_and_abstaining(fitted: Path, tmp_path: Path) -> None:
    plain = rows_of(worked(likely("predict", fitted, ANIMALS, "--proba")))
    p = np.array([float(row["p(lion)"]) for row in plain])
    limited = rows_of(worked(likely("predict", fitted, ANIMALS, "--threshold", "lion=0.2", "--top", 2)))
    assert [row["prediction"] == "lion" for row in limited] == (p >= 0.2).tolist()
    assert all(row["prediction"] != row["prediction 2"] for row in limited)
    np.testing.assert_allclose(
        [float(row["probability"]) for row in limited],
        [float(row[f"p({found['prediction']})"]) for row, found in zip(plain, limited, strict=True)],
    )
    (tmp_path / "costs.json").write_text('{"lion as hyena": 20, "lion as warthog": 20}')
    costs = "lion as hyena: 20, lion as warthog: 20"
    dear, again = (worked(likely("predict", fitted, ANIMALS, "--cost", of)) for of in (costs, tmp_path / "costs.json"))
    assert dear == again
    assert sum(row["prediction"] == "lion" for row in rows_of(dear)) > sum(row["prediction"] == "lion" for row in plain)
    unsure = rows_of(worked(likely("predict", fitted, ANIMALS, "--abstain", 0.9)))
    assert [row["prediction"] == "unsure" for row in unsure] == [float(row["probability"]) < 0.9 for row in plain]


def test_sets_hold_the_true_class(calibrated: Path, fitted: Path) -> None:
    found = rows_of(worked(likely("predict", calibrated, ANIMALS, "--sets", 0.9)))
    assert np.mean([row["animal"] in json.loads(row["classes"]) for row in found]) > 0.85
    assert all(json.loads(row["classes"])[0] == row["prediction"] for row in found)
    assert "--calibrate" in refused(likely("predict", fitted, ANIMALS, "--sets", 0.9), 2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--threshold", "tiger=0.2"), "no class 'tiger' for a threshold"),
        (("--threshold", "0.2"), "--threshold CLASS=PROBABILITY"),
        (("--cost", "lion as tiger: 2"), "'lion as tiger'"),
        (("--cost", "gone.json"), "gone.json"),
    ],
)
def test_decisions_that_are_not_understood(fitted: Path, options: tuple[str, str], sentence: str) -> None:
    done = likely("predict", fitted, ANIMALS, *options)
    assert done.code in (1, 2)
    assert sentence in done.err


def test_rows_that_arrive_by_a_pipe_are_answered_one_by_one(fitted: Path) -> None:
    header, first, second = ANIMALS.read_bytes().splitlines(keepends=True)[:3]
    with subprocess.Popen(
        [str(COMMAND), "predict", str(fitted), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(header + first)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"has_fur,")
        assert process.stdout.readline().startswith(first.strip())  # before the pipe is closed
        waited = []
        for _ in range(20):
            begin = perf_counter()
            process.stdin.write(second)
            process.stdin.flush()
            assert process.stdout.readline().startswith(second.strip())
            waited.append(perf_counter() - begin)
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0
    assert min(waited) < 0.1


def test_log_odds_are_added(fitted: Path) -> None:
    stored = store.load(fitted)
    odds = stored.log_odds(read(TABLE.drop_columns("animal")))
    p = stored.predict_proba(read(TABLE.drop_columns("animal")))
    found = rows_of(worked(likely("predict", fitted, ANIMALS, "--log-odds")))
    names = [f"log_odds({k})" for k in stored.model.classes]
    np.testing.assert_allclose([[float(row[name]) for name in names] for row in found], odds, rtol=1e-15)
    np.testing.assert_allclose(1 / (1 + np.exp(-odds)), p, rtol=1e-9, atol=1e-15)
