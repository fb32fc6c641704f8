"""`likely export`: a model as SQL, JSON or ONNX."""

import csv
import json
import sqlite3
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from .animals import ANIMALS
from .command import likely, refused, worked

SQL = ("--to", "sql", "--dialect", "sqlite", "--table", "animals")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_sql_predicts_as_predict_does(fitted: Path) -> None:
    rows = rows_of(ANIMALS.read_text())
    connection = sqlite3.connect(":memory:")
    names = list(rows[0])
    connection.execute(f"CREATE TABLE animals ({', '.join(f'{name} NUMERIC' for name in names)})")
    cells = [[{"yes": 1, "no": 0, "true": 1, "false": 0, "": None}.get(c, c) for c in row.values()] for row in rows]
    connection.executemany(f"INSERT INTO animals VALUES ({', '.join('?' * len(names))})", cells)
    found = connection.execute(worked(likely("export", fitted, *SQL, "--keep", "animal"))).fetchall()
    wanted = rows_of(worked(likely("predict", fitted, ANIMALS)))
    assert [row[1] for row in found] == [row["prediction"] for row in wanted]
    np.testing.assert_allclose([row[2] for row in found], [float(row["probability"]) for row in wanted], rtol=1e-9)


def test_json_and_onnx_files(fitted: Path, tmp_path: Path) -> None:
    worked(likely("export", fitted, "--to", "json", "-o", tmp_path / "m.json"))
    assert (tmp_path / "m.json").read_text() == worked(likely("export", fitted, "--to", "json"))
    assert json.loads((tmp_path / "m.json").read_text())["model"] == "NaiveBayes"
    worked(likely("export", fitted, "--to", "onnx", "-o", tmp_path / "m.onnx"))
    session = onnxruntime.InferenceSession((tmp_path / "m.onnx").read_bytes())
    assert [output.name for output in session.get_outputs()] == ["label", "probabilities"]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "sqlite"])
def test_every_dialect(fitted: Path, dialect: str) -> None:
    out = worked(likely("export", fitted, "--to", "sql", "--dialect", dialect, "--table", 'a".b'))
    assert '"a"""."b"' in out


def test_what_belongs_together(fitted: Path) -> None:
    assert refused(likely("export", fitted, "--to", "sql"), 2) == "SQL needs --dialect and --table"
    assert refused(likely("export", fitted, "--to", "onnx"), 2) == "ONNX is no text; add -o FILE"
    sentence = "--dialect, --table and --keep are for --to sql"
    assert refused(likely("export", fitted, "--to", "json", "--table", "t"), 2) == sentence


def test_a_model_without_a_formula_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", path, "--model", "network"))
    told = refused(likely("export", path, *SQL, "-o", tmp_path / "m.sql"))
    assert told.endswith("is read as Network, which can't be exported")
    assert not (tmp_path / "m.sql").exists()
