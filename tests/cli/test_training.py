"""Models learned from a stream."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likely.cli import training as module
from likely.cli.labelled_batches import batches_for_new_model
from likely.cli.model_factory import BLEND, new_models
from likely.cli.options import Reading
from likely.cli.sources import Tables
from likely.cli.training import TrainingRun, train
from likely.data import read
from likely.models.naive_bayes import NaiveBayesModel

from ..samples import sample_of
from .animals import COLUMNS, LABELS

PLAIN = Reading(None, (), (), None, None, None)


def learned(path: Path, kind: str) -> TrainingRun:
    source = Tables([str(path)])
    return train(source, lambda: new_models(kind, {}), lambda: batches_for_new_model(source, "y", PLAIN), None)


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    path = tmp_path / "t.csv"
    rows = (f"{a:.3f},{b:.3f},{'pq'[k]}" for k, a, b in zip(y, rng.normal(y), rng.normal(-y), strict=True))
    path.write_text("a,b,y\n" + "\n".join(rows) + "\n")
    return path


def test_all_models_are_compared_alike(numbers: Path) -> None:
    found = learned(numbers, "auto")
    assert set(found.models) == set(found.results) == {"naive Bayes", "Gaussian classifier", BLEND}
    assert len({result.how.split(", ", 1)[1] for result in found.compared.values()}) == 1
    assert found.compared[BLEND] is found.results[BLEND]
    assert "leave-one-out" in found.results["naive Bayes"].how


def test_more_rows_than_memory_shall_hold(numbers: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 10)
    monkeypatch.setattr(module, "CONSIDERED_BYTES", 1 << 10)
    with pytest.raises(ValueError, match="holds all rows in memory, and these take more than 0 MB; use fewer, or fit"):
        learned(numbers, "logistic")
    assert set(learned(numbers, "auto").models) == {"naive Bayes", "Gaussian classifier"}
    assert "The blend was not considered" in capsys.readouterr().err


def test_a_row_that_logistic_regression_cannot_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1.5,p\n2,q\n1e200,p\n1,q\n")
    with pytest.raises(ValueError, match=r"t\.csv, line 4: .*column 'a'"):
        learned(tmp_path / "t.csv", "logistic")


def test_what_is_seen_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.csv.BLOCK", 256)
    monkeypatch.setattr("likely.cli.labelled_batches.FIRST_BYTES", 500)
    rows = [f"{i % 9 if i % 10 else ''},{'p' if i < 300 else 'q'}" for i in range(500)]
    (tmp_path / "t.csv").write_text("a,y\n" + "\n".join(rows) + "\n")
    found = learned(tmp_path / "t.csv", "naive-bayes")
    assert found.missing == {"a": 50}
    assert list(found.late) == ["q"]
    assert 200 < found.late["q"] <= 300
    assert found.sample.rows == 500


def test_what_the_first_of_several_batches_chose_is_chosen_again_by_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows sorted by class: of one class no column weights can be chosen."""
    monkeypatch.setattr("likely.data.stream.csv.BLOCK", 2048)
    monkeypatch.setattr("likely.cli.labelled_batches.FIRST_BYTES", 500)
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 400)
    twice = np.repeat(rng.normal(y)[:, None], 2, axis=1)
    rows = (f"{a:.3f},{b:.3f},{'pq'[k]}" for k, (a, b) in zip(y, twice, strict=True))
    (tmp_path / "t.csv").write_text("a,b,y\n" + "\n".join(rows) + "\n")
    found = learned(tmp_path / "t.csv", "naive-bayes")
    assert list(found.late) == ["q"]
    model = found.models["naive Bayes"]
    assert isinstance(model, NaiveBayesModel)
    assert model.chosen_weights == model.retuned(found.sample.sample(model.classes, None)).chosen_weights
    assert max(model.chosen_weights.values()) < 0.7


@pytest.mark.parametrize("column", ["visits", "driver's visits", 'a "quoted" name', "row 7, column 'a'"])
def test_a_column_of_any_name_is_read_as_numbers_once_one_is_below_zero(
    column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first batches are counts, and so Poisson; a later cell is none."""
    monkeypatch.setattr("likely.data.stream.csv.BLOCK", 512)
    monkeypatch.setattr("likely.cli.labelled_batches.FIRST_BYTES", 1000)
    counts = np.random.default_rng(0).poisson(3, 600)
    rows = [f"{n},{'pq'[i % 2]}" for i, n in enumerate(counts.tolist())]
    quoted = '"' + column.replace('"', '""') + '"'
    (tmp_path / "t.csv").write_text(f"{quoted},y\n" + "\n".join([*rows, "-3,p", "2,q"]) + "\n")
    model = learned(tmp_path / "t.csv", "naive-bayes").models["naive Bayes"]
    assert model.class_counts.sum() == 602
    assert type(model.chosen_families[column]).__name__ != "Poisson"


def test_a_table_in_one_batch_gives_what_the_library_learns(tmp_path: Path) -> None:
    from .animals import TABLE, write_csv

    write_csv(TABLE.rename_columns([*COLUMNS.column_names, "y"]), tmp_path / "t.csv")
    found = learned(tmp_path / "t.csv", "blend").models[BLEND]
    model = new_models("blend", {})[BLEND].learn(sample_of(COLUMNS, LABELS))
    np.testing.assert_array_equal(found.score(read(COLUMNS)), model.score(read(COLUMNS)))
    assert isinstance(found.generative, NaiveBayesModel)
