"""What is found of rows in files: whether they were learned, and what cannot be judged."""

from pathlib import Path

from .animals import ANIMALS, fit
from .command import likely, refused, worked


def part(path: Path, *rows: int, change: tuple[str, str] = ("", "")) -> Path:
    header, *lines = ANIMALS.read_text().splitlines(keepends=True)
    path.write_text((header + "".join(lines[slice(*rows)])).replace(*change))
    return path


def test_rows_are_looked_up_in_the_digest(fitted: Path, tmp_path: Path) -> None:
    some, out = part(tmp_path / "some.csv", 60), tmp_path / "r.html"
    assert "of 60 rows (leave-one-out)" in worked(likely("report", fitted, some, "-o", out))
    model = fit(some, tmp_path / "m.likely")
    assert "of 62 rows (rows that the model has not learned)" in worked(likely("report", model, ANIMALS, "-o", out))
    assert "60 of these 122 rows were learned: the figures are of the 62 new rows alone." in out.read_text("utf-8")


def test_without_a_digest_other_rows_may_have_been_learned_unless_said_otherwise(tmp_path: Path) -> None:
    fitted = fit(ANIMALS, tmp_path / "m.likely", "--no-digest")
    some, out = part(tmp_path / "some.csv", 60), tmp_path / "r.html"
    assert "rows that the model may have learned" in worked(likely("report", fitted, some, "-o", out, "--title", "<b>"))
    assert "<title>&lt;b&gt;</title>" in out.read_text("utf-8")
    told = worked(likely("report", fitted, some, "-o", out, "--learned", "yes"))
    assert "(leave-one-out)" in told
    boar = part(tmp_path / "boar.csv", 122, change=("warthog", "boar"))
    worked(likely("report", fitted, boar, "-o", out))
    assert "The model has never learned boar." in out.read_text("utf-8")


def test_what_cannot_be_reported_is_refused_and_nothing_is_written(fitted: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    header, *lines = ANIMALS.read_text().splitlines(keepends=True)
    bare = tmp_path / "bare.csv"
    bare.write_text("".join(line.rpartition(",")[0] + "\n" for line in (header, *lines)))
    assert "there is no column 'animal'" in refused(likely("report", fitted, bare, "-o", out))
    gap = tmp_path / "gap.csv"
    gap.write_text(header + "".join(line.rpartition(",")[0] + ",\n" for line in lines[:2]))
    assert "no row has a class" in refused(likely("report", fitted, gap, "-o", out))
    (tmp_path / "none.csv").write_text(header)
    assert "none.csv" in refused(likely("report", fitted, tmp_path / "none.csv", "-o", out))
    boar = part(tmp_path / "boar.csv", 122, change=("warthog", "boar"))
    assert "never learned class 'boar'" in refused(likely("report", fitted, boar, "-o", out, "--learned", "yes"))
    assert not out.exists()
