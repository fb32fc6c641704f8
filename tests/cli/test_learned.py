"""Models learned from a stream."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likely.cli import learned as module
from likely.cli.chosen import LOGISTIC, unlearned
from likely.cli.labelled import anew
from likely.cli.learned import Learned, learn
from likely.cli.options import Reading
from likely.cli.sources import Tables
from likely.data import read
from likely.models.naive_bayes import NaiveBayes

from .animals import COLUMNS, LABELS

PLAIN = Reading(None, (), (), None, None, None)


def learned(path: Path, kind: str) -> Learned:
    source = Tables([str(path)])
    return learn(source, lambda: unlearned(kind, {}), lambda: anew(source, "y", PLAIN), None)


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
    assert set(found.models) == set(found.judged) == {"naive Bayes", "Gaussian classifier", LOGISTIC}
    assert len({result.how.split(", ", 1)[1] for result in found.compared.values()}) == 1
    assert found.compared[LOGISTIC] is found.judged[LOGISTIC]
    assert "left out of its own count" in found.judged["naive Bayes"].how


def test_more_rows_than_memory_shall_hold(numbers: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 10)
    monkeypatch.setattr(module, "CONSIDERED_BYTES", 1 << 10)
    with pytest.raises(ValueError, match="holds all rows in memory, and these take more than 0 MB; give fewer, or fit"):
        learned(numbers, "logistic")
    assert set(learned(numbers, "auto").models) == {"naive Bayes", "Gaussian classifier"}
    assert "Logistic regression was not considered" in capsys.readouterr().err


def test_a_row_that_logistic_regression_cannot_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1.5,p\n2,q\n1e200,p\n1,q\n")
    with pytest.raises(ValueError, match=r"t\.csv, line 4: .*column 'a'"):
        learned(tmp_path / "t.csv", "logistic")


def test_what_is_seen_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.csv.BLOCK", 256)
    monkeypatch.setattr("likely.cli.labelled.FIRST_BYTES", 500)
    rows = [f"{i % 9 if i % 10 else ''},{'p' if i < 300 else 'q'}" for i in range(500)]
    (tmp_path / "t.csv").write_text("a,y\n" + "\n".join(rows) + "\n")
    found = learned(tmp_path / "t.csv", "naive-bayes")
    assert found.missing == {"a": 50}
    assert list(found.late) == ["q"]
    assert 200 < found.late["q"] <= 300
    assert found.kept.rows == 500


def test_a_table_in_one_batch_gives_what_the_library_learns(tmp_path: Path) -> None:
    from .animals import TABLE, write_csv

    write_csv(TABLE.rename_columns([*COLUMNS.column_names, "y"]), tmp_path / "t.csv")
    found = learned(tmp_path / "t.csv", "logistic").models[LOGISTIC]
    model = unlearned("logistic", {})[LOGISTIC]
    classes, y = np.unique(LABELS, return_inverse=True)
    model.learn(read(COLUMNS), classes, y.astype(np.int32))
    np.testing.assert_array_equal(found.score(read(COLUMNS)), model.score(read(COLUMNS)))
    assert isinstance(found.generative, NaiveBayes)
