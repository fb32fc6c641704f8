"""`likely validate`: each method tells what the library's function of that name tells."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv

from likely.data import read
from likely.families import MultivariateGaussian
from likely.models.gaussian import GaussianModel
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import cross_validate, holdout, leave_one_out, replay

from .animals import ANIMALS, COLUMNS, LABELS, TABLE
from .command import likely, refused, worked

METHODS: dict[str, Callable[..., Any]] = {
    "loo": leave_one_out,
    "kfold": lambda *given, **options: cross_validate(*given, 7, seed=3, **options),
    "holdout": lambda *given, **options: holdout(*given, seed=3, **options),
    "replay": replay,
}


def same(found: dict[str, Any], expected: Any) -> None:
    for name in ("error", "log_loss", "brier", "calibration_error"):
        assert found[name] == pytest.approx(getattr(expected, name), rel=1e-12), name
    assert found["rows"] == len(expected.y)
    assert found["confusion"] == expected.confusion.tolist()
    assert found["interval"] == pytest.approx(list(expected.interval))


@pytest.mark.parametrize("method", METHODS)
def test_figures_are_those_of_the_library(method: str) -> None:
    options = ["--method", method, "-k", 7, "--seed", 3]
    found = json.loads(worked(likely("validate", ANIMALS, "-t", "animal", *options, "--json")))
    expected = METHODS[method](NaiveBayesModel(), read(COLUMNS), LABELS)
    assert list(found) == ["naive Bayes"]
    same(found["naive Bayes"], expected)
    assert worked(likely("validate", ANIMALS, "-t", "animal", *options)) == f"{expected}\n"


def test_by_default_models_are_judged_as_fit_does(tmp_path: Path) -> None:
    """`fit --model auto` and `validate --model auto` show the same losses, and recommend the same model."""
    arguments = [ANIMALS, "-t", "animal", "--model", "auto"]
    fitted = json.loads(worked(likely("fit", *arguments, "-o", tmp_path / "m.likely", "--json")))
    found = json.loads(worked(likely("validate", *arguments, "--json")))
    assert {name: one["log_loss"] for name, one in found.items()} == pytest.approx(fitted["log_losses"], rel=1e-12)
    shown = worked(likely("validate", *arguments))
    assert f"Recommended: {fitted['model']} (likely fit" in shown
    assert fitted["reason"] in shown
    assert "Recommended" not in worked(likely("validate", *arguments, "--method", "loo"))
    (blend,) = json.loads(worked(likely("validate", ANIMALS, "-t", "animal", "--model", "blend", "--json"))).values()
    assert blend == found["blend"]


def test_weights_count(tmp_path: Path) -> None:
    weight = [1 + i % 3 for i in range(122)]
    arrow_csv.write_csv(TABLE.append_column("w", pa.array(weight)), tmp_path / "t.csv")
    arguments = ["validate", tmp_path / "t.csv", "-t", "animal", "--method", "kfold", "--weights", "w", "--json"]
    found = json.loads(worked(likely(*arguments)))["naive Bayes"]
    same(found, cross_validate(NaiveBayesModel(), read(COLUMNS), LABELS, 10, sample_weight=weight))


def test_every_kind_of_model(tmp_path: Path) -> None:
    numbers = TABLE.select(["shoulder_cm", "sightings", "animal"]).drop_null()
    arrow_csv.write_csv(numbers, tmp_path / "t.csv")
    arguments = ["validate", tmp_path / "t.csv", "-t", "animal", "--method", "kfold", "-k", 3, "--json", "--model"]
    found = json.loads(worked(likely(*arguments, "auto")))
    models = {
        "naive Bayes": NaiveBayesModel(),
        "Gaussian classifier": GaussianModel(MultivariateGaussian()),
        "logistic regression": LogisticModel("auto"),
        "blend": LogisticModel("auto", shrink_to="naive_bayes"),
    }
    assert list(found) == list(models)
    table, y = read(numbers.drop_columns("animal")), numbers["animal"]
    for name, model in models.items():
        same(found[name], cross_validate(model, table, y, 3))
    assert json.loads(worked(likely(*arguments, "blend"))) == {"blend": found["blend"]}
    (plain,) = json.loads(worked(likely(*arguments, "logistic"))).values()
    same(plain, cross_validate(LogisticModel("auto"), table, y, 3))


def test_of_categories_there_is_no_gaussian() -> None:
    arguments = ["validate", ANIMALS, "-t", "animal", "--method", "holdout", "--json", "--model"]
    assert set(json.loads(worked(likely(*arguments, "auto")))) == {"naive Bayes", "logistic regression", "blend"}
    assert "'habitat'" in refused(likely(*arguments, "gaussian"))


def test_logistic_regression_is_replayed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.cli.validate.FITS", 4)
    options = ["--ignore", "teeth_mm", "--ignore", "habitat", "--ignore", "shoulder_cm", "--method", "replay"]
    told = worked(likely("validate", ANIMALS, "-t", "animal", "--model", "logistic", *options))
    assert told.startswith("logistic regression, 110 rows in order, 30 at a time\n")


def test_the_blend_is_replayed_as_time_ordered_rows() -> None:
    options = ["--ignore", "teeth_mm", "--ignore", "habitat", "--ignore", "shoulder_cm", "--method", "replay"]
    found = json.loads(worked(likely("validate", ANIMALS, "-t", "animal", "--model", "blend", *options, "--json")))
    model = LogisticModel("auto", shrink_to="naive_bayes", time_ordered=True)
    columns = read(COLUMNS.drop_columns(["teeth_mm", "habitat", "shoulder_cm"]))
    same(found["blend"], replay(model, columns, LABELS, batch=122 // 20))


def test_rows_are_named_by_their_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,p\n-4,q\n3,p\n2,q\n")
    said = refused(likely("validate", tmp_path / "t.csv", "-t", "y", "--families", "a=poisson"))
    assert said.startswith(f"{tmp_path}/t.csv, line 3: Poisson needs")
