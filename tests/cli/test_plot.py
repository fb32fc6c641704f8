"""Decision boundaries in files."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from .animals import ANIMALS
from .command import installed, likely, refused, worked


def texts_of(svg: Path) -> list[str | None]:
    return [element.text for element in ElementTree.parse(svg).iter() if element.tag.endswith("}text")]


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_boundary_in_each_format(ending: str, begins: bytes, fitted: Path, tmp_path: Path) -> None:
    out = tmp_path / f"b.{ending}"
    told = worked(likely("plot", fitted, ANIMALS, "--columns", "shoulder_cm, teeth_mm", "-o", out))
    assert told.startswith(f"{out}: Decision boundary over shoulder_cm and teeth_mm between hyena, lion, warthog.")
    assert out.read_bytes().startswith(begins)
    if ending == "svg":
        texts = texts_of(out)
        assert {"shoulder_cm", "teeth_mm", "hyena", "The 4 other columns are left out, as if missing."} <= set(texts)
        assert texts == texts_of(Path(__file__).parents[2] / "docs" / "plot.svg")  # as the README says


def test_a_boundary_without_columns_is_that_of_the_best_two(fitted: Path, tmp_path: Path) -> None:
    told = worked(installed("plot", fitted, ANIMALS, "-o", tmp_path / "b.svg"))
    assert "Decision boundary over sightings and has_fur" in told


def test_the_boundary_of_logistic_regression(logistic: Path, tmp_path: Path) -> None:
    told = worked(likely("plot", logistic, ANIMALS, "--columns", "shoulder_cm,habitat", "-o", tmp_path / "b.svg"))
    assert "habitat: 4 of 4. The 4 other columns are left out: missing, read as means." in told


def test_what_cannot_be_plotted_is_refused(fitted: Path, tmp_path: Path) -> None:
    out = tmp_path / "b.svg"
    assert "'legs' names 1 column, not two" in refused(
        likely("plot", fitted, ANIMALS, "--columns", "legs", "-o", out), 2
    )
    assert "there is no column 'a'" in refused(likely("plot", fitted, ANIMALS, "--columns", "a,legs", "-o", out))
    assert "written to .svg, .png or .pdf" in refused(likely("plot", fitted, ANIMALS, "-o", tmp_path / "b.gif"))
    assert not out.exists()


def test_the_graph_of_a_network(fitted: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "n.likely", tmp_path / "n.svg"
    told = worked(likely("fit", ANIMALS, "-t", "animal", "--model", "network", "--structure", "tan", "-o", model))
    assert "Bayes network of 122 rows" in told
    assert "A Bayes network: class → each of" in worked(likely("plot", model, "--network", "-o", out))
    assert {"class", "for each row"} <= set(texts_of(out))
    for verb in ("predict", "evaluate", "explain"):
        worked(likely(verb, model, ANIMALS))
    worked(likely("describe", model))
    wrong = refused(likely("fit", ANIMALS, "-t", "animal", "--structure", "tan", "-o", tmp_path / "no"), 2)
    assert "only a Bayes network has one" in wrong
    assert "and no Bayes network" in refused(likely("plot", fitted, "--network", "-o", tmp_path / "no.svg"))
    assert "Missing argument 'DATA...'" in refused(likely("plot", fitted, "-o", tmp_path / "no.svg"), 2)
