"""Kinds of model on the same rows."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

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
    assert re.split(r"  +", head[1]) == ["naive Bayes", "Gaussian classifier", "logistic regression", "blend"]
    assert re.search(
        r"^Recommended: .+ \(likely fit --model (naive-bayes|gaussian|logistic|blend)\)$", told, re.MULTILINE
    )
    assert "Compared on a random sample of 60 of 122 rows." in told
    texts = texts_of(out)
    assert {"Error", "Log loss", "rows learned", "naive Bayes", "blend"} <= set(texts)


def test_a_comparison_for_programs() -> None:
    found = json.loads(worked(likely("compare", ANIMALS, "-t", "animal", "--rows", 40, "--json")))
    assert (found["rows"], found["compared_by"]) == (122, 40)
    assert found["sizes"][-1] == 30
    assert set(found["models"]) == {"naive Bayes", "logistic regression", "blend"}
    assert found["recommended"] in found["models"]
    for of_model in found["models"].values():
        assert len(of_model["error"]) == len(of_model["log_loss"]) == len(found["sizes"])
        assert all(0 <= size["mean"] <= 1 for size in of_model["error"])
    assert any("column 'habitat' has other values" in note for note in found["notes"])


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    assert "name the column with the classes" in refused(likely("compare", ANIMALS))
    lions = tmp_path / "lions.csv"
    lions.write_text("a,b\n" + "1,lion\n" * 50)
    assert "one class" in refused(likely("compare", lions, "-t", "b"))
    assert "written to .svg, .png or .pdf" in refused(
        likely("compare", ANIMALS, "-t", "animal", "-o", tmp_path / "c.gif")
    )


def test_every_model_has_the_name_that_fit_gives_it_and_an_option() -> None:
    """`compare` and `fit --model auto` speak of the same models, and what is recommended can be asked for."""
    from likely.cli.model_factory import OPTIONS, new_models
    from likely.cli.options import model_kind

    (option,) = model_kind(lambda: None).__click_params__
    assert {*OPTIONS.values()} <= {*option.type.choices}
    for name, kind in OPTIONS.items():
        assert list(new_models(kind, {})) == [name]
    assert list(new_models("auto", {})) == list(OPTIONS)
    assert all(model.title == name for name, model in new_models("auto", {}).items())


def test_what_is_recommended_is_what_auto_keeps(tmp_path: Path) -> None:
    """On the same rows: where the simplest will do, and where columns of numbers act together in each class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 150)
    x = rng.normal(size=(150, 2))
    alone, together = x + 1.5 * y[:, None], x.copy()
    together[:, 1] += np.where(y == 1, 2, -2) * x[:, 0]
    for cells, best in ((alone, "naive Bayes"), (together, "Gaussian classifier")):
        data = tmp_path / "t.csv"
        data.write_text("a,b,y\n" + "".join(f"{a},{b},{k}\n" for (a, b), k in zip(cells, y, strict=True)))
        compared = json.loads(worked(likely("compare", data, "-t", "y", "--json")))
        fitted = json.loads(
            worked(likely("fit", data, "-t", "y", "--model", "auto", "-o", tmp_path / "m.likely", "--json"))
        )
        assert (compared["recommended"], compared["reason"]) == (fitted["model"], fitted["reason"])
        assert compared["log_losses"] == pytest.approx(fitted["log_losses"], abs=1e-9)
        assert fitted["model"] == best


def test_too_few_rows(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,p\n2,q\n")
    assert refused(likely("compare", tmp_path / "t.csv", "-t", "y")) == (
        "2 rows of 2 classes are too few for a learning curve"
    )
