"""Commands that draw: report, plot, compare."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from likely import load
from likely.cli.demo import ANIMALS

from .command import installed, likely, refused, worked

MAIL = ANIMALS.parent / "mailbox"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "animals.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", path))
    return path


def texts_of(svg: Path) -> list[str | None]:
    return [element.text for element in ElementTree.parse(svg).iter() if element.tag.endswith("}text")]


def part(path: Path, *rows: int, change: tuple[str, str] = ("", "")) -> Path:
    header, *lines = ANIMALS.read_text().splitlines(keepends=True)
    path.write_text((header + "".join(lines[slice(*rows)])).replace(*change))
    return path


def test_the_report_is_written_and_the_rows_learned_are_known_again(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    told = worked(installed("report", model, ANIMALS, "-o", out))
    assert told == f"{out}: 9.0% wrong, of 122 rows (each row left out of its own count)\n"
    page = out.read_text("utf-8")
    assert "<h1><bdi>Report on animals.likely</bdi></h1>" in page
    assert "always to answer “hyena” would be right 38 times" in page
    worked(likely("report", model, ANIMALS, "-o", tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_text("utf-8") == page


def test_other_rows_are_new_unless_said_otherwise(model: Path, tmp_path: Path) -> None:
    some, out = part(tmp_path / "some.csv", 60), tmp_path / "r.html"
    assert "rows that the model has not learned" in worked(likely("report", model, some, "-o", out, "--title", "<b>"))
    assert "<title>&lt;b&gt;</title>" in out.read_text("utf-8")
    told = worked(likely("report", model, some, "-o", out, "--rows", "learned"))
    assert "(each row left out of its own count)" in told
    boar = part(tmp_path / "boar.csv", 122, change=("warthog", "boar"))
    worked(likely("report", model, boar, "-o", out))
    assert "The model has never learned boar." in out.read_text("utf-8")


def test_texts_and_mail_have_reports_of_words(tmp_path: Path) -> None:
    path, out = tmp_path / "mail.likely", tmp_path / "mail.html"
    worked(likely("fit", MAIL, "-o", path))
    assert "of 60 rows (each row left out" in worked(likely("report", path, MAIL, "-o", out))
    page = out.read_text("utf-8")
    assert "Words that speak for study" in page
    assert "1 of 60 labels looks wrong." in page
    assert "no two columns of numbers or categories" in refused(likely("plot", path, MAIL, "-o", tmp_path / "p.svg"))


def test_what_cannot_be_reported_is_refused_and_nothing_is_written(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    header, *lines = ANIMALS.read_text().splitlines(keepends=True)
    bare = tmp_path / "bare.csv"
    bare.write_text("".join(line.rpartition(",")[0] + "\n" for line in (header, *lines)))
    assert "there is no column 'animal'" in refused(likely("report", model, bare, "-o", out))
    gap = tmp_path / "gap.csv"
    gap.write_text(header + lines[0] + lines[1].rpartition(",")[0] + ",\n")
    assert "labels must be present" in refused(likely("report", model, gap, "-o", out))
    (tmp_path / "none.csv").write_text(header)
    assert "none.csv" in refused(likely("report", model, tmp_path / "none.csv", "-o", out))
    boar = part(tmp_path / "boar.csv", 122, change=("warthog", "boar"))
    assert "never learned class 'boar'" in refused(likely("report", model, boar, "-o", out, "--rows", "learned"))
    assert "nowhere" in refused(likely("report", model, ANIMALS, "-o", tmp_path / "nowhere" / "r.html"))
    assert not out.exists()


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_boundary_in_each_format(ending: str, begins: bytes, model: Path, tmp_path: Path) -> None:
    out = tmp_path / f"b.{ending}"
    told = worked(likely("plot", model, ANIMALS, "--columns", "shoulder_cm, teeth_mm", "-o", out))
    assert told.startswith(f"{out}: Decision boundary over shoulder_cm and teeth_mm between hyena, lion, warthog.")
    assert out.read_bytes().startswith(begins)
    if ending == "svg":
        texts = texts_of(out)
        assert {"shoulder_cm", "teeth_mm", "hyena", "The 4 other columns are left out, as if missing."} <= set(texts)
        assert texts == texts_of(Path(__file__).parents[2] / "docs" / "plot.svg")  # as the README says


def test_a_boundary_without_columns_is_that_of_the_best_two(model: Path, tmp_path: Path) -> None:
    told = worked(installed("plot", model, ANIMALS, "-o", tmp_path / "b.svg"))
    assert "Decision boundary over sightings and has_fur" in told


def test_what_cannot_be_plotted_is_refused(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "b.svg"
    assert "'legs' names 1 and not two" in refused(likely("plot", model, ANIMALS, "--columns", "legs", "-o", out), 2)
    assert "there is no column 'a'" in refused(likely("plot", model, ANIMALS, "--columns", "a,legs", "-o", out))
    assert "written to .svg, .png or .pdf" in refused(likely("plot", model, ANIMALS, "-o", tmp_path / "b.gif"))
    assert not out.exists()


def test_models_are_compared_and_one_is_recommended(tmp_path: Path) -> None:
    out = tmp_path / "c.svg"
    told = worked(likely("compare", ANIMALS, "-t", "animal", "--ignore", "habitat", "--rows", 60, "-o", out, "--seed", 1))
    head = re.search(r"^rows learned +(.+)$", told, re.MULTILINE)
    assert head
    assert re.split(r"  +", head[1]) == ["naive Bayes", "Gaussian", "logistic", "dial"]
    assert re.search(r"^Take (naive Bayes|Gaussian|logistic|dial)\.$", told, re.MULTILINE)
    assert "60 of 122 rows were drawn to compare by." in told
    texts = texts_of(out)
    assert {"Error", "Log loss", "rows learned", "naive Bayes", "dial"} <= set(texts)


def test_a_comparison_for_programs() -> None:
    found = json.loads(worked(likely("compare", ANIMALS, "-t", "animal", "--rows", 40, "--json")))
    assert (found["rows"], found["compared_by"]) == (122, 40)
    assert found["sizes"][-1] == 30
    assert set(found["models"]) == {"naive Bayes", "logistic", "dial"}
    assert found["recommended"] in found["models"]
    for of_model in found["models"].values():
        assert len(of_model["error"]) == len(of_model["log_loss"]) == len(found["sizes"])
        assert all(0 <= size["mean"] <= 1 for size in of_model["error"])
    assert any("column 'habitat' holds none" in note for note in found["notes"])


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    assert "say which column holds the classes" in refused(likely("compare", ANIMALS))
    lions = tmp_path / "lions.csv"
    lions.write_text("a,b\n" + "1,lion\n" * 50)
    assert "one class" in refused(likely("compare", lions, "-t", "b"))
    assert "written to .svg, .png or .pdf" in refused(likely("compare", ANIMALS, "-t", "animal", "-o", tmp_path / "c.gif"))


def test_a_saved_model_and_the_same_model_in_python_have_one_report(model: Path, tmp_path: Path) -> None:
    import pandas as pd

    from likely.report import report

    worked(likely("report", model, ANIMALS, "-o", tmp_path / "r.html", "--title", "Animals"))
    table = pd.read_csv(ANIMALS)
    page = report(load(model), table.drop(columns="animal"), table["animal"], title="Animals")
    figures = re.compile(r'<td class="n">(.*?)</td>')
    assert figures.findall(page) == figures.findall((tmp_path / "r.html").read_text("utf-8"))
