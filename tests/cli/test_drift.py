"""`likely drift`: a model or a table, and new rows."""

import json
from pathlib import Path

import numpy as np
import pytest

from .animals import ANIMALS
from .command import likely, refused, worked


def table(path: Path, seed: int, shift: float = 0.0) -> Path:
    rng = np.random.default_rng(seed)
    lines = ["when,size,colour,kind"]
    for _ in range(600):
        kind = rng.choice(["a", "b"])
        size = rng.normal(10 + 3 * shift + (kind == "a"))
        lines.append(f"2024-01-{rng.integers(1, 28):02},{size:.3f},{rng.choice(['red', 'blue'])},{kind}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return table(tmp_path / "old.csv", 0)


def test_two_tables(old: Path, tmp_path: Path) -> None:
    shown = worked(likely("drift", old, table(tmp_path / "new.csv", 1, 1.0)))
    assert shown.startswith("1 of ")
    assert "size    mean: 10.4" in shown
    assert worked(likely("drift", old, table(tmp_path / "same.csv", 2))).startswith("0 of ")


def test_a_picture(old: Path, tmp_path: Path) -> None:
    out = tmp_path / "drift.svg"
    worked(likely("drift", old, table(tmp_path / "new.csv", 1, 1.0), "-o", out))
    assert "Drift: 1 of " in out.read_text()
    assert "written to .svg, .png or .pdf" in refused(likely("drift", old, old, "-o", tmp_path / "drift.gif"))


def test_a_model_is_enough(old: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.likely"
    worked(likely("fit", old, "-t", "kind", "-o", model))
    shown = worked(likely("drift", model, table(tmp_path / "new.csv", 1, 1.0)))
    assert "Class shares" not in shown  # its probabilities are not calibrated
    worked(likely("fit", old, "-t", "kind", "-o", model, "--calibrate"))
    found = json.loads(worked(likely("drift", model, table(tmp_path / "new.csv", 1, 1.0), "--json")))
    assert [one["column"] for one in found["columns"] if one["moved"]] == ["size"]
    assert found["classes"]["labels"] == ["a", "b"]
    assert sum(found["classes"]["after"]) == pytest.approx(1)


def test_new_rows_need_no_labels(old: Path, tmp_path: Path) -> None:
    model, new = tmp_path / "m.likely", table(tmp_path / "new.csv", 1)
    worked(likely("fit", old, "-t", "kind", "-o", model))
    new.write_text("\n".join(line.rsplit(",", 1)[0] for line in new.read_text().splitlines()) + "\n")
    assert worked(likely("drift", model, new)).startswith("0 of ")


def test_what_can_not_be_compared_is_said(old: Path, logistic: Path, tmp_path: Path) -> None:
    assert "compare the old table" in refused(likely("drift", logistic, ANIMALS))
    assert "it has none of the columns 'when', 'size', 'colour', 'kind'" in refused(likely("drift", old, ANIMALS))


def test_columns_that_new_rows_lack_are_not_compared(old: Path, tmp_path: Path) -> None:
    new = table(tmp_path / "new.csv", 1, 1.0)
    lines = [line.split(",") for line in new.read_text().splitlines()]
    new.write_text("\n".join(",".join(line[1:3]) for line in lines) + "\n")
    done = likely("drift", old, new)
    assert done.code == 0
    assert done.out.startswith("1 of ")
    assert done.err == f"Not compared, as {new} does not have them: 'when', 'when weekday', 'kind'.\n"


def test_a_cell_that_can_not_be_read_is_named_by_its_line(old: Path, tmp_path: Path) -> None:
    new, model = tmp_path / "new.csv", tmp_path / "m.likely"
    lines = old.read_text().splitlines()
    lines[300] = "2024-01-03,-1e200,red,a"
    new.write_text("\n".join(lines) + "\n")
    worked(likely("fit", old, "-t", "kind", "-o", model))
    for before, after in ((old, new), (new, old), (new, new), (model, new)):
        assert refused(likely("drift", before, after)).startswith(f"{new}, line 301: Gaussian needs finite numbers")
