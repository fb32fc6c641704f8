"""`likely schema`: the types of columns, shown, changed and read by."""

from pathlib import Path

from likely import store

from .animals import ANIMALS
from .command import likely, refused, worked


def test_a_schema_is_written_changed_and_read_by(tmp_path: Path) -> None:
    path, output = tmp_path / "schema.toml", tmp_path / "m.likely"
    assert worked(likely("schema", ANIMALS, "-o", path)) == ""
    assert path.read_text() == worked(likely("schema", ANIMALS))
    path.write_text(
        path.read_text().replace('"legs" = "integer"', '"legs" = "category"').replace("number", "ignore", 1)
    )
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", output, "--schema", path))
    model = store.load(output).model
    assert "shoulder_cm" not in model.names
    assert model.kinds[list(model.names).index("legs")] == "category"
    assert "lion" in worked(likely("predict", output, ANIMALS))


def test_what_to_check_comes_first(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i % 5 if i else 'n.a.'},{i % 2}\n" for i in range(40)))
    lines = worked(likely("schema", tmp_path / "t.csv")).splitlines()
    assert lines[0].startswith("# a: numbers, and 1 of 40 cells is 'n.a.': read as missing")


def test_what_is_no_schema(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('[columns]\na = "float"\n')
    said = refused(likely("schema", ANIMALS, "--schema", tmp_path / "s.toml"))
    assert said == f"{tmp_path}/s.toml is no schema: column 'a' cannot be of type 'float'; the types are " + (
        "number, integer, category, text, date, time, yesno, ignore"
    )
    assert "'zip' is not COLUMN=TYPE" in refused(likely("schema", ANIMALS, "--type", "zip"), 2)
    (tmp_path / "texts" / "a").mkdir(parents=True)
    (tmp_path / "texts" / "a" / "1.txt").write_text("hello")
    assert "a schema is for tables" in refused(likely("schema", tmp_path / "texts"))
