"""Models learned from a stream."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from likely.cli import training as module
from likely.cli.labelled_batches import batches_for_new_model, sample_of_all
from likely.cli.model_factory import BLEND, LOGISTIC, new_models
from likely.cli.options import Reading
from likely.cli.training import TrainingRun, train, train_on_cluster
from likely.data import read
from likely.data.dataset import Dataset
from likely.engines.engine import added
from likely.engines.threads import ThreadParts
from likely.errors import BadCell
from likely.fitting import part_totals
from likely.models.naive_bayes import NaiveBayesModel

from ..samples import sample_of
from ..texts import alone, together
from .animals import COLUMNS, LABELS

PLAIN = Reading()


def learned(path: Path, kind: str) -> TrainingRun:
    source = Dataset(path, kept=["y"])
    sample, parts = sample_of_all(source, "y", PLAIN, batches_for_new_model(source, "y", PLAIN))
    return train(source, new_models(kind, {}), sample, parts)


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
    assert set(found.models) == set(found.results) == {"naive Bayes", "Gaussian classifier", LOGISTIC, BLEND}
    assert len({result.how.split(", ", 1)[1] for result in found.compared.values()}) == 1
    assert found.compared[BLEND] is found.results[BLEND]
    assert "leave-one-out" in found.results["naive Bayes"].how


def test_more_rows_than_memory_shall_hold(numbers: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 10)
    monkeypatch.setattr(module, "CONSIDERED_BYTES", 1 << 10)
    with pytest.raises(ValueError, match="holds all rows in memory, and these take more than 0 MB; use fewer, or fit"):
        learned(numbers, "logistic")
    assert set(learned(numbers, "auto").models) == {"naive Bayes", "Gaussian classifier"}
    assert "Logistic regression and the blend were not considered" in capsys.readouterr().err


def test_a_row_that_logistic_regression_cannot_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1.5,p\n2,q\n1e200,p\n1,q\n")
    with pytest.raises(ValueError, match=r"t\.csv, line 4: .*column 'a'"):
        learned(tmp_path / "t.csv", "logistic")


def test_a_row_that_no_family_can_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("a,y\n" + "1.5,p\n2.5,q\n" * 20)
    (tmp_path / "t.csv").write_text("a,y\n1.5,p\n2,\n1e200,p\n1,q\n")
    source = Dataset(tmp_path / "s.csv", tmp_path / "t.csv", kept=["y"])
    sample, parts = sample_of_all(source, "y", PLAIN, batches_for_new_model(source, "y", PLAIN))
    with pytest.raises(BadCell, match=r"t\.csv, line 4: Gaussian needs .* column 'a' has 1e\+200"):
        train(source, new_models("naive-bayes", {}), sample, parts)
    known = sample_of(pa.table({"a": [1.0, 1e200, 2.0]}), ["p", "q", "p"])
    with pytest.raises(BadCell, match=r"^Gaussian needs finite numbers, up to 1e150; column 'a' has 1e\+200"):
        train(source, new_models("naive-bayes", {}), known, iter(()))


def small_parts(monkeypatch: pytest.MonkeyPatch, part: int = 256) -> None:
    """Files are as large files are: looked at in parts."""
    monkeypatch.setattr("likely.data.stream.raw.BLOCK", 512)
    monkeypatch.setattr("likely.data.stream.csv_sample.PART", part)


def test_what_is_seen_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 16)
    rows = [f"{i % 9 if i % 10 else ''},{'p' if i < 300 else 'r' if i == 490 else 'q'}" for i in range(500)]
    (tmp_path / "t.csv").write_text("a,y\n" + "\n".join(rows) + "\n")
    found = learned(tmp_path / "t.csv", "naive-bayes")
    assert found.totals.missing == {"a": 50}
    assert found.totals.classes == {"p": 300, "q": 199, "r": 1}
    assert found.late == ["r"]
    assert found.totals.count == 500


def test_rows_sorted_by_class_choose_as_rows_in_any_order_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one class neither a family nor a column weight can be chosen."""
    small_parts(monkeypatch)
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 1000)
    twice = np.repeat(np.where(y == 1, rng.gamma(2.0, 3.0, 2000), rng.normal(20, 1, 2000))[:, None], 2, axis=1)
    rows = [f"{a:.3f},{b:.3f},{'pq'[k]}" for k, (a, b) in zip(y, twice, strict=True)]
    (tmp_path / "sorted.csv").write_text("a,b,y\n" + "\n".join(rows) + "\n")
    shuffled = [rows[at] for at in rng.permutation(2000)]
    (tmp_path / "shuffled.csv").write_text("a,b,y\n" + "\n".join(shuffled) + "\n")
    one, other = (learned(tmp_path / f"{name}.csv", "naive-bayes") for name in ("sorted", "shuffled"))
    assert not one.late
    models = [run.models["naive Bayes"] for run in (one, other)]
    assert models[0].chosen_families == models[1].chosen_families
    assert max(models[0].chosen_weights.values()) < 0.7
    errors = [run.results["naive Bayes"].error for run in (one, other)]
    assert errors[0] == pytest.approx(errors[1], abs=0.01)


@pytest.mark.parametrize("column", ["visits", "driver's visits", 'a "quoted" name', "row 7, column 'a'"])
def test_a_column_of_any_name_has_a_family_that_reads_all_its_cells(column: str, tmp_path: Path) -> None:
    counts = np.random.default_rng(0).poisson(3, 600)
    rows = [f"{n},{'pq'[i % 2]}" for i, n in enumerate(counts.tolist())]
    quoted = '"' + column.replace('"', '""') + '"'
    (tmp_path / "t.csv").write_text(f"{quoted},y\n" + "\n".join([*rows, "-3,p", "2,q"]) + "\n")
    model = learned(tmp_path / "t.csv", "naive-bayes").models["naive Bayes"]
    assert model.class_counts.sum() == 602
    assert type(model.chosen_families[column]).__name__ != "Poisson"


@pytest.mark.parametrize("column", ["visits", "driver's visits"])
def test_a_cell_that_the_chosen_family_cannot_read_is_missing_and_counted(
    column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In none of the parts that were looked at."""
    small_parts(monkeypatch, 16)
    counts = np.random.default_rng(0).poisson(3, 3000)
    rows = [f"{n},{'pq'[i % 2]}" for i, n in enumerate(counts.tolist())]
    rows[2900] = "-3,p"
    (tmp_path / "t.csv").write_text(f"{column},y\n" + "\n".join(rows) + "\n")
    found = learned(tmp_path / "t.csv", "naive-bayes")
    model = found.models["naive Bayes"]
    assert type(model.chosen_families[column]).__name__ == "Poisson"
    assert model.class_counts.sum() == 3000
    assert found.totals.missing == {column: 1}
    assert found.source.unread[column].texts == {"-3": 1}


def test_too_many_classes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_totals, "MOST_CLASSES", 100)
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i % 7},{i}\n" for i in range(200)))
    with pytest.raises(ValueError, match="more than 100 classes: the target looks like a number or an identifier"):
        learned(tmp_path / "t.csv", "naive-bayes")


def test_a_table_in_one_batch_gives_what_the_library_learns(tmp_path: Path) -> None:
    from .animals import TABLE, write_csv

    write_csv(TABLE.rename_columns([*COLUMNS.column_names, "y"]), tmp_path / "t.csv")
    found = learned(tmp_path / "t.csv", "blend").models[BLEND]
    model = new_models("blend", {})[BLEND].learn(sample_of(COLUMNS, LABELS))
    np.testing.assert_array_equal(found.score(read(COLUMNS)), model.score(read(COLUMNS)))
    assert isinstance(found.generative, NaiveBayesModel)


def written(path: Path, texts: list[str], y: Any) -> Path:
    path.write_text("said,y\n" + "\n".join(map(",".join, zip(texts, y, strict=True))) + "\n")
    return path


def test_of_texts_the_better_model_is_chosen_before_all_rows_are_read(tmp_path: Path) -> None:
    better = learned(written(tmp_path / "t.csv", *together(400)), "auto")
    assert set(better.compared) == {"naive Bayes", BLEND}
    assert set(better.results) == {"naive Bayes", BLEND}
    assert better.in_memory is not None
    simple = learned(written(tmp_path / "a.csv", *alone(400)), "auto")
    assert set(simple.compared) == {"naive Bayes", BLEND}
    assert set(simple.models) == set(simple.results) == {"naive Bayes"}
    assert simple.in_memory is None


def test_texts_that_memory_does_not_hold_are_for_naive_bayes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 10)
    found = learned(written(tmp_path / "t.csv", *together(400)), "auto")
    assert set(found.models) == set(found.compared) == {"naive Bayes"}
    assert "the blend were not considered" in capsys.readouterr().err


def test_time_ordered_texts_are_not_compared_out_of_order(tmp_path: Path) -> None:
    source = Dataset(written(tmp_path / "t.csv", *together(60)), kept=["y"])
    sample, _ = sample_of_all(source, "y", PLAIN, batches_for_new_model(source, "y", PLAIN))
    assert TrainingRun(source, new_models("auto", {}), sample).by_texts
    assert not TrainingRun(source, new_models("auto", {}, time_ordered=True), sample).by_texts


class Noted(ThreadParts):
    """Parts whose samples are noted as they come."""

    def total(self, work: Any) -> Any:
        self.totals = [work(number, part) for number, part in enumerate(self.parts)]
        return added(self.totals)


def test_no_part_sends_more_of_a_sample_than_all_rows_have(tmp_path: Path) -> None:
    y = np.arange(480_000) % 3
    table = pa.table({"a": np.arange(len(y)) % 7 / 2, "y": np.array(["p", "q", "r"])[y]})
    for at in range(2):
        pq.write_table(table.slice(240_000 * at, 240_000), tmp_path / f"{at}.parquet", row_group_size=8_000)
    source = Dataset(tmp_path, kept=["y"])
    sample, _ = sample_of_all(source, "y", PLAIN, iter(()))
    parts = Noted(source.split())
    found = train_on_cluster(source, new_models("naive-bayes", {}), sample, parts, "y", PLAIN).totals.rows
    whole = learned(tmp_path, "naive-bayes").totals.rows
    assert [totals.rows.step for totals in parts.totals] == [found.step] * 2 == [whole.step] * 2
    assert found.step == 8
    assert found.count == pytest.approx(whole.count, rel=0.02)  # of other places
