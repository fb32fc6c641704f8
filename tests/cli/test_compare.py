"""Kinds of model on the same rows."""

import json
import re
from pathlib import Path

from .animals import ANIMALS
from .command import likely, refused, worked
from .test_plot import texts_of


def test_models_are_compared_and_one_is_recommended(tmp_path: Path) -> None:
    out = tmp_path / "c.svg"
    told = worked(
        likely("compare", ANIMALS, "-t", "animal", "--ignore", "habitat", "--rows", 60, "-o", out, "--seed", 1)
    )
    head = re.search(r"^rows learned +(.+)$", told, re.MULTILINE)
    assert head
    assert re.split(r"  +", head[1]) == ["naive Bayes", "Gaussian", "logistic", "blend"]
    assert re.search(r"^Recommended: (naive Bayes|Gaussian|logistic|blend)$", told, re.MULTILINE)
    assert "Compared by a random sample of 60 of 122 rows." in told
    texts = texts_of(out)
    assert {"Error", "Log loss", "rows learned", "naive Bayes", "blend"} <= set(texts)


def test_a_comparison_for_programs() -> None:
    found = json.loads(worked(likely("compare", ANIMALS, "-t", "animal", "--rows", 40, "--json")))
    assert (found["rows"], found["compared_by"]) == (122, 40)
    assert found["sizes"][-1] == 30
    assert set(found["models"]) == {"naive Bayes", "logistic", "blend"}
    assert found["recommended"] in found["models"]
    for of_model in found["models"].values():
        assert len(of_model["error"]) == len(of_model["log_loss"]) == len(found["sizes"])
        assert all(0 <= size["mean"] <= 1 for size in of_model["error"])
    assert any("column 'habitat' has other values" in note for note in found["notes"])


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    assert "say which column holds the classes" in refused(likely("compare", ANIMALS))
    lions = tmp_path / "lions.csv"
    lions.write_text("a,b\n" + "1,lion\n" * 50)
    assert "one class" in refused(likely("compare", lions, "-t", "b"))
    assert "written to .svg, .png or .pdf" in refused(
        likely("compare", ANIMALS, "-t", "animal", "-o", tmp_path / "c.gif")
    )
