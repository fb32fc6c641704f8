import io
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

from likely.labelling.export import exported, save_model
from likely.store import load

from .sessions import answer, session, truth


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_labels_are_a_table(tmp_path: Path, kind: str) -> None:
    made = session(tmp_path, 40, given=10)
    answer(made, 5)
    data = io.BytesIO(exported(made, "kind", kind))  # type: ignore[arg-type]
    table = pyarrow.csv.read_csv(data) if kind == "csv" else pyarrow.parquet.read_table(data)
    assert table.column_names == ["text", "kind", "chosen"]
    assert table["kind"].to_pylist() == [truth(40)[row] for row in made.labelled]
    assert set(table["chosen"].to_pylist()) <= {"given", "random", "uncertain"}


def test_the_model_is_a_file_of_likely(tmp_path: Path) -> None:
    made = session(tmp_path, 40, given=30)
    save_model(made, tmp_path / "m.likely", "kind", "table", None)
    stored = load(tmp_path / "m.likely")
    assert (stored.origin.rows, stored.origin.target) == (30, "kind")
    assert made.error is not None
    assert (stored.origin.wrong, stored.origin.left_out) == (made.error.wrong, made.error.judged)
    assert stored.model.classes.tolist() == ["ham", "spam"]


def test_without_a_model_there_is_nothing_to_save(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="label rows of two classes first"):
        save_model(session(tmp_path, 5), tmp_path / "m.likely", "kind", "table", None)
