"""`likely audit`: labels that were planted wrong are found, and where they are."""

import json
import re
from pathlib import Path

import pytest

from likely.data import read
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import audit

from ..samples import sample_of
from .animals import ANIMALS, COLUMNS, LABELS, halves
from .command import likely, refused, worked

PLANTED = {38: "warthog", 65: "hyena", 71: "lion"}
"""Row 38 is a lion and the others are warthogs, beyond doubt."""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    header, *rows = ANIMALS.read_text().splitlines()
    for row, label in PLANTED.items():
        rows[row] = rows[row].rpartition(",")[0] + f",{label}"
    path = tmp_path / "t.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_planted_errors_are_found(planted: Path) -> None:
    found = json.loads(worked(likely("audit", planted, "-t", "animal", "--json")))
    wrong = LABELS.astype(object).copy()
    wrong[list(PLANTED)] = list(PLANTED.values())
    expected = audit(NaiveBayesModel(), read(COLUMNS), wrong)
    assert found["noise"] == pytest.approx(expected.noise)
    assert [one["row"] for one in found["suspects"]] == [one.row for one in expected.suspects]
    suspects = {one["row"]: one for one in found["suspects"]}
    assert set(PLANTED) <= set(suspects)
    assert len(suspects) < 10
    for row, label in PLANTED.items():
        assert (suspects[row]["label"], suspects[row]["looks_like"]) == (label, LABELS[row])
        assert suspects[row]["where"] == f"{planted}, line {row + 2}"
    told = worked(likely("audit", planted, "-t", "animal"))
    assert told == f"{expected}\n"


def test_the_model_that_is_named_judges(planted: Path) -> None:
    blend = json.loads(worked(likely("audit", planted, "-t", "animal", "--model", "blend", "--json")))
    plain = json.loads(worked(likely("audit", planted, "-t", "animal", "--json")))
    assert set(PLANTED) <= {one["row"] for one in blend["suspects"]}
    assert blend["noise"] != plain["noise"]
    done = likely("audit", planted, "-t", "animal", "--model", "auto")
    assert done.code == 2
    assert "an audit uses one model" in done.err


def test_rows_of_several_files_are_told_by_their_own(planted: Path, tmp_path: Path) -> None:
    north, south = halves(tmp_path)
    header, *rows = planted.read_text().splitlines(keepends=True)
    north.write_text(header + "".join(rows[:60]))
    south.write_text(header + "".join(rows[60:]))
    found = json.loads(worked(likely("audit", north, south, "-t", "animal", "--json")))
    places = {one["row"]: one["where"] for one in found["suspects"]}
    assert (places[38], places[65]) == (f"{north}, line 40", f"{south}, line 7")


def test_folders_of_texts(tmp_path: Path) -> None:
    for label, word in (("study", "lecture notes"), ("fun", "party music")):
        (tmp_path / "data" / label).mkdir(parents=True)
        for i in range(12):
            (tmp_path / "data" / label / f"{i}.txt").write_text(f"{word} number {i}")
    (tmp_path / "data" / "study" / "wrong.txt").write_text("party music party music")
    (suspect,) = json.loads(worked(likely("audit", tmp_path / "data", "--json")))["suspects"]
    assert re.search(r"data/study/wrong\.txt$", suspect["where"])
    assert suspect["looks_like"] == "fun"


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    assert worked(likely("audit", ANIMALS, "-t", "animal")).startswith("none of 122 rows is surprising")


def test_a_target_must_be_there() -> None:
    assert "there is no column 'beast'" in refused(likely("audit", ANIMALS, "-t", "beast"))


def test_the_rows_that_are_planted_are_told_beyond_doubt() -> None:
    sample = sample_of(COLUMNS, LABELS)
    p = NaiveBayesModel().learn(sample).predict_proba(sample.table)
    assert (p[list(PLANTED), sample.y[list(PLANTED)]] > 0.9999).all()
