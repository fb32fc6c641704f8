"""Batches with their classes and weights."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely import store
from likely.cli.labelled_batches import (
    as_classes,
    batches_for_model,
    batches_for_new_model,
    sample_of_all,
    schema_of,
    target_of,
)
from likely.cli.options import Reading
from likely.data import read
from likely.data.dataset import Dataset

from .animals import ANIMALS, COLUMNS
from .command import likely, refused

PLAIN = Reading()


def written(place: Path, text: str, **options: Any) -> Dataset:
    path = place / "t.csv"
    path.write_text(text)
    return Dataset(path, **options)


def test_columns_classes_and_weights(tmp_path: Path) -> None:
    source = written(tmp_path, "a,w,id,y\n1,2,7,q\n3,0.5,8,p\n", types={"id": "ignore"})
    (part,) = batches_for_new_model(source, "y", PLAIN._replace(weights="w"))
    assert part.columns.column_names == ["a"]
    assert part.sample.classes[part.sample.y].tolist() == ["q", "p"]
    assert part.sample.weight is not None
    assert part.sample.weight.tolist() == [2.0, 0.5]


def test_families_are_chosen_by_rows_of_all_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.raw.BLOCK", 256)
    monkeypatch.setattr("likely.data.stream.csv_sample.PART", 64)
    text = "a,y\n" + "".join(f"{i % 7},{'pq'[i >= 900]}\n" for i in range(1000))
    source = written(tmp_path, text)
    sample, parts = sample_of_all(source, "y", PLAIN, batches_for_new_model(source, "y", PLAIN))
    assert not source.whole
    assert len(sample) < 500
    assert sample.classes.tolist() == ["p", "q"]
    assert sum(len(part.sample) for part in parts) == 1000


def test_the_types_of_a_schema_that_a_python_model_has(fitted: Path) -> None:
    stored = store.load(fitted)
    schema = schema_of(stored._replace(origin=replace(stored.origin, schema=None, missing=-9)), "kind")
    types = {column.name: column.type for column in schema.columns}
    assert types["has_fur"] == "yesno"
    assert (types["legs"], types["teeth_mm"], types["habitat"]) == ("integer", "number", "category")
    assert types["kind"] == "category"
    assert "-9" in schema.missing


@pytest.mark.parametrize(
    ("text", "reading", "says"),
    [
        ("a,w,y\n1,x,p\n", PLAIN._replace(weights="w"), "weights must be numbers"),
        ("a,w,y\n1,2,p\n1,nan,p\n", PLAIN._replace(weights="w"), r"line 3: weights .*; column 'w' has nan"),
        ("a,y\n1,2.5\n", PLAIN, r"line 2: classes are names or whole numbers; column 'y' has 2\.5"),
        ("y\np\n", PLAIN, "besides 'y' there is no column to learn from"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_placed(text: str, reading: Reading, says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        list(batches_for_new_model(written(tmp_path, text), "y", reading))


def test_rows_for_a_model_have_its_columns_in_its_order(fitted: Path, tmp_path: Path) -> None:
    stored = store.load(fitted)
    turned = "\n".join(",".join(reversed(line.split(","))) for line in ANIMALS.read_text().splitlines()) + "\n"
    (part,) = batches_for_model(written(tmp_path, turned, schema=schema_of(stored), strict=True), stored, None)
    assert part.columns.column_names == COLUMNS.column_names
    assert part.sample.classes[part.sample.y].tolist()[:2] == ["lion", "lion"]
    np.testing.assert_array_equal(stored.model.score(part.sample.table), stored.model.score(read(COLUMNS)))


def test_a_model_of_columns_without_names_reads_no_file(fitted: Path) -> None:
    stored = store.load(fitted)
    learned = replace(stored.model.known, names=range(6))
    with pytest.raises(ValueError, match="columns without names"):
        schema_of(stored._replace(model=replace(stored.model, learned=learned)))


@pytest.mark.parametrize(
    ("classes", "cells", "expected"),
    [
        (np.array([1, 2]), ["1", "2"], [1, 2]),
        (np.array([1, 2]), ["1", "x"], ["1", "x"]),
        (np.array([True, False]), ["true", "false"], [True, False]),
        (np.array(["a"], object), [1, 2], ["1", "2"]),
    ],
)
def test_labels_have_the_type_of_the_classes(classes: Any, cells: list[Any], expected: list[Any]) -> None:
    assert as_classes(pa.chunked_array([cells]), classes).to_pylist() == expected


def test_only_tables_need_a_target(tmp_path: Path) -> None:
    source = written(tmp_path, "a,class\n1,p\n")
    with pytest.raises(ValueError, match="--target COLUMN"):
        target_of(source, None, pa.table({"class": ["p"]}))
    source.kind = "mail"  # type: ignore[misc]
    assert target_of(source, None, pa.table({"class": ["p"]})) == "class"


def test_columns_that_are_left_out_are_named_too(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id;y\n" + "".join(f"u{at};p\n" for at in range(40)))
    said = refused(likely("fit", tmp_path / "t.csv", "-t", "z", "--delimiter", ",", "-o", tmp_path / "m.likely"))
    assert said.endswith("there is no column 'z'; the columns are 'id;y'")
    said = refused(likely("fit", tmp_path / "t.csv", "-t", "y", "--ignore", "y", "-o", tmp_path / "m.likely"))
    assert said.endswith("column 'y' holds the classes, and can't be left out")
