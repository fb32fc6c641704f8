"""`likely fit` on tables of all formats, and on what is wrong with them."""

import csv as python_csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv

from likely import GaussianClassifier, NaiveBayes, store
from likely.data import read
from likely.data.stream import raw
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import between, percent
from likely.validation import leave_one_out
from likely.validation.measures import wilson

from ..samples import sample_of
from ..texts import together
from .animals import ANIMALS, COLUMNS, FAMILIES, FORMATS, LABELS, TABLE
from .command import installed, likely, refused, worked

SAMPLE = sample_of(TABLE.drop_columns("animal"), TABLE["animal"])


@pytest.fixture(scope="module")
def model() -> NaiveBayesModel:
    """What the library learns from the same table."""
    return NaiveBayesModel().learn(SAMPLE)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_model_that_the_library_learns(
    name: str, model: NaiveBayesModel, tmp_path: Path
) -> None:
    path, output = tmp_path / name, tmp_path / "m.likely"
    FORMATS[name](TABLE, path)
    told = json.loads(worked(likely("fit", path, "--target", "animal", "-o", output, "--json")))
    stored = store.load(output)
    table = read(TABLE.drop_columns("animal"))
    np.testing.assert_array_equal(stored.model.score(table), model.score(table))
    assert told["rows"] == stored.origin.rows == 122
    assert told["classes"] == {"hyena": 46, "lion": 42, "warthog": 34}
    assert told["columns"]["teeth_mm"] == {"family": "Histogram()", "missing": 18}
    assert stored.origin.target == "animal"
    wrong = int((~leave_one_out(NaiveBayesModel(), table, LABELS).right).sum())
    assert (stored.origin.wrong, stored.origin.left_out) == (wrong, 122)
    assert told["validation"]["error"] == pytest.approx(wrong / 122)
    assert np.array(told["validation"]["confusion"]).sum() == 122


def test_the_installed_command_tells_how_it_read_and_how_often_it_is_wrong(tmp_path: Path) -> None:
    told = worked(installed("fit", ANIMALS, "-t", "animal", "-o", tmp_path / "m.likely"))
    assert "naive Bayes of 122 rows, 6 columns and 3 classes" in told
    assert re.search(r"^teeth_mm +number +Histogram\(\) +18$", told, re.MULTILINE)
    found = leave_one_out(NaiveBayesModel(), read(COLUMNS), LABELS)
    error, ends = percent(found.error), between(*wilson((~found.right).sum(), 122))
    assert re.search(rf"^error +{error} +95 % interval {ends}$", told, re.MULTILINE)
    assert re.search(r"^has_fur +\d+\.\d$", told, re.MULTILINE)
    assert "\x1b" not in told


@pytest.mark.parametrize(
    ("encoding", "options"),
    [("utf-8-sig", []), ("utf-16", []), ("utf-16-le", []), ("latin-1", []), ("cp1252", ["--encoding", "cp1252"])],
)
@pytest.mark.parametrize(("delimiter", "newline"), [(",", "\n"), (";", "\r\n")])
def test_text_of_any_encoding(encoding: str, options: list[str], delimiter: str, newline: str, tmp_path: Path) -> None:
    """With quotes, delimiters and newlines in cells."""
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    kinds = ["caf\xe9", 'a "b"', "one, two; three", "first\nsecond"]
    with path.open("w", newline="", encoding=encoding) as file:
        writer = python_csv.writer(file, delimiter=delimiter, lineterminator=newline)
        writer.writerow(["size", "gr\xf6\xdfe", "y"])
        writer.writerows([i % 5, kinds[i % 4], "pq"[i % 2]] for i in range(40))
    worked(likely("fit", path, "-t", "y", "-o", output, *options))
    (block,) = (block for block in store.load(output).model.known.blocks if block.frame.cells is not None)
    assert block.frame.columns[0] == "gr\xf6\xdfe"
    assert sorted(block.frame.cells[0].tolist()) == sorted(kinds)


def test_standard_input_and_patterns_of_names(tmp_path: Path) -> None:
    header, *rows = ANIMALS.read_text().splitlines(keepends=True)
    (tmp_path / "part 1.csv").write_text(header + "".join(rows[:60]))
    (tmp_path / "part 2.csv").write_text(header + "".join(rows[60:]))
    output = tmp_path / "m.likely"
    worked(likely("fit", tmp_path / "part *.csv", "-t", "animal", "-o", output))
    assert store.load(output).origin.rows == 122
    worked(installed("fit", "-", "-t", "animal", "-o", output, stdin=ANIMALS.read_bytes()))
    assert store.load(output).origin.rows == 122


def test_options_say_how_columns_are_read(tmp_path: Path) -> None:
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    rows = [f"{i % 7},{i % 3 if i % 5 else '?'},word{i % 4} and more,{1 + i % 2},{i},{'ab'[i % 2]}" for i in range(60)]
    path.write_text("n,k,said,w,id,y\n" + "\n".join(rows) + "\n")
    options = ["--families", "n=categorical", "--text", "said", "--ignore", "id", "--missing", "?", "--weights", "w"]
    worked(likely("fit", path, "-t", "y", "-o", output, *options))
    stored = store.load(output)
    families = {str(name): type(family).__name__ for name, family in stored.model.chosen_families.items()}
    assert families["n"] == "Categorical"
    assert families["said"] == "Text"
    assert set(families) == {"n", "k", "said"}
    assert stored.model.kinds[stored.model.names.index("k")] == "int"
    assert stored.model.known.rows.table.sum() == 90
    assert (stored.origin.weights, stored.origin.missing) == ("w", "?")


def test_auto_keeps_the_model_that_is_clearly_better(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    spread = np.where(y == 1, 0.9, -0.9)  # one mean, and columns that vary together in one class and apart in the other
    x = rng.normal(size=(400, 2))
    x[:, 1] = spread * x[:, 0] + np.sqrt(1 - spread**2) * x[:, 1]
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    arrow_csv.write_csv(pa.table({"a": x[:, 0], "b": x[:, 1], "y": y}), path)
    told = json.loads(worked(likely("fit", path, "-t", "y", "-o", output, "--model", "auto", "--json")))
    assert told["model"] == "Gaussian classifier"
    assert set(told["log_losses"]) == {"naive Bayes", "Gaussian classifier", "logistic regression", "blend"}
    assert told["log_losses"]["Gaussian classifier"] == min(told["log_losses"].values())
    assert type(store.load(output).model).__name__ == "GaussianModel"


def test_texts_for_which_the_blend_is_clearly_better(tmp_path: Path) -> None:
    texts, y = together(600)
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    arrow_csv.write_csv(pa.table({"said": texts, "y": y}), path)
    call = "fit", path, "-t", "y", "-o", output
    told = worked(likely(*call))
    assert "naive Bayes of 600 rows" in told
    assert re.search(r"The blend is right \d+\.\d ± \d\.\d points more often: .* Fit it with `--model blend`;", told)
    assert json.loads(worked(likely(*call, "--json")))["advice"].startswith("The blend is right")
    for more in ((), ("--calibrate",)):
        told = worked(likely(*call, "--model", "auto", *more))
        assert "blend of 600 rows" in told
        assert re.search(r"Log loss, 600 held-out texts: naive Bayes [\d.]+, blend [\d.]+\.\nKept: blend\. ", told)
        assert "points more often" not in told


def test_auto_says_what_it_compared(tmp_path: Path) -> None:
    told = worked(likely("fit", ANIMALS, "-t", "animal", "-o", tmp_path / "m.likely", "--model", "auto")).splitlines()
    assert re.fullmatch(  # of categories there is no Gaussian
        r"Log loss, 5-fold cross-validation, stratified: "
        r"naive Bayes [\d.]+, logistic regression [\d.]+, blend [\d.]+\.",
        told[1],
    )
    assert told[2].startswith("Kept: blend. Its log loss, 0.")
    assert "is lower than that of simpler models: naive Bayes by 0." in told[2]
    assert told[0].endswith("m.likely: blend of 122 rows, 6 columns and 3 classes")


def test_logistic_regression_is_what_the_library_learns(logistic: Path) -> None:
    stored = store.load(logistic)
    model = LogisticModel("auto").learn(SAMPLE)
    np.testing.assert_array_equal(stored.model.score(SAMPLE.table), model.score(SAMPLE.table))
    assert stored.origin.rows == stored.origin.left_out == 122


def test_the_blend_is_what_the_library_learns(blend: Path) -> None:
    stored = store.load(blend)
    model = LogisticModel("auto", shrink_to="naive_bayes").learn(SAMPLE)
    np.testing.assert_array_equal(stored.model.score(SAMPLE.table), model.score(SAMPLE.table))
    assert stored.origin.rows == stored.origin.left_out == 122


def test_rows_in_order(tmp_path: Path) -> None:
    shuffled, path, output = TABLE.take(np.random.default_rng(0).permutation(122)), tmp_path / "t.csv", tmp_path / "m"
    arrow_csv.write_csv(shuffled, path)
    worked(likely("fit", path, "-t", "animal", "-o", output, "--model", "blend", "--time-ordered"))
    sample = sample_of(shuffled.drop_columns("animal"), shuffled["animal"])
    model = LogisticModel("auto", shrink_to="naive_bayes", time_ordered=True).learn(sample)
    stored = store.load(output).model
    assert isinstance(stored, LogisticModel)
    assert stored.time_ordered
    assert (stored.c, stored.known.nb_scale, stored.tried) == (model.c, model.known.nb_scale, model.tried)
    np.testing.assert_array_equal(stored.score(sample.table), model.score(sample.table))


def test_folders_have_no_order(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.txt").write_text("one two")
    said = refused(likely("fit", tmp_path, "-o", tmp_path / "m", "--model", "logistic", "--time-ordered"), 2)
    assert "are read from all folders" in said


@pytest.mark.parametrize("kind", ["naive-bayes", "gaussian"])
def test_calibration_is_that_of_the_estimator(kind: str, tmp_path: Path) -> None:
    numbers, path, output = TABLE.select(["shoulder_cm", "legs", "animal"]), tmp_path / "t.csv", tmp_path / "m.likely"
    arrow_csv.write_csv(numbers, path)
    told = json.loads(
        worked(likely("fit", path, "-t", "animal", "-o", output, "--model", kind, "--calibrate", "--json"))
    )
    estimator = NaiveBayes(calibrate=True) if kind == "naive-bayes" else GaussianClassifier(calibrate=True)
    x = numbers.drop_columns("animal")
    expected = estimator.fit(x, numbers["animal"].to_pylist()).predict_proba(x)
    np.testing.assert_allclose(store.load(output).predict_proba(read(x)), expected, atol=1e-6)
    found = installed("predict", output, path, "--proba").out.splitlines()[1].split(",")
    np.testing.assert_allclose([float(cell) for cell in found[-3:]], expected[0], atol=1e-6)
    assert 0 < told["validation"]["log_loss"] < np.log(3)


def test_folders_of_texts(tmp_path: Path) -> None:
    for label, word in (("study", "lecture notes"), ("fun", "party music")):
        (tmp_path / "data" / label).mkdir(parents=True)
        for i in range(6):
            (tmp_path / "data" / label / f"{i}.txt").write_text(f"{word} number {i}")
    output = tmp_path / "m.likely"
    worked(likely("fit", tmp_path / "data", "-o", output))
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "1.txt").write_text("music at the party")
    (tmp_path / "new" / "2.txt").write_bytes("notes of the lecture, caf\xe9".encode("latin-1"))
    told = worked(likely("predict", output, tmp_path / "new")).splitlines()
    assert told[0] == "file,prediction,probability"
    assert [line.split(",")[1] for line in told[1:]] == ["fun", "study"]


def test_mailboxes(tmp_path: Path) -> None:
    for label, word in (("study", "lecture notes"), ("fun", "party music")):
        letters = [
            f"From a@example.org Mon Jan  1 10:00:0{i} 2024\nFrom: a@example.org\nSubject: {word}\n\nThe {word} {i}\n\n"
            for i in range(6)
        ]
        (tmp_path / f"{label}.mbox").write_text("".join(letters))
    output = tmp_path / "m.likely"
    told = worked(likely("fit", tmp_path / "study.mbox", tmp_path / "fun.mbox", "-o", output))
    assert "naive Bayes of 12 rows, 2 columns and 2 classes" in told
    told = worked(likely("predict", output, tmp_path / "fun.mbox")).splitlines()
    assert told[0] == "message,subject,prediction,probability"
    assert [line.split(",")[2] for line in told[1:]] == ["fun"] * 6


def test_rows_without_a_class_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n" + "1,x\n2,\n3,z\n" * 10)
    done = likely("fit", tmp_path / "t.csv", "-t", "y", "-o", tmp_path / "m.likely")
    assert (done.code, "naive Bayes of 20 rows" in done.out) == (0, True)
    assert "Left out: 10 of 30 rows, which have no class" in done.err
    evaluated = likely("evaluate", tmp_path / "m.likely", tmp_path / "t.csv")
    assert (evaluated.code, "on 20 rows" in evaluated.out) == (0, True)
    assert "Left out: 10 of 30 rows" in evaluated.err


def test_the_line_of_an_error_counts_rows_without_a_class(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,w,y\n1,1,x\n2,1,\n3,-1,z\n4,1,z\n")
    done = likely("fit", tmp_path / "t.csv", "-t", "y", "--weights", "w", "-o", tmp_path / "m.likely")
    assert "t.csv, line 4: weights must be" in refused(done)


# What is wrong


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        ("", [], r"t\.csv is empty"),
        ("a,y\n", [], "there is a header, and no rows"),
        ("a,y\n1,x\n", ["-t", "z"], r"t\.csv: there is no column 'z'; the columns are 'a', 'y'"),
        ("a,y\n1,x\n1\n2,y\n", [], r"t\.csv, line 3, has 1 cells where the header has 2"),
        ("a,y\n1,\n2,\n", [], r"t\.csv: no row has a class in column 'y'"),
        ("a,y\n1,x\n2,\n", [], r"t\.csv: only one row has a class in column 'y'"),
        ("a,Yes\n1,x\n2,\n", [], r"there is no column 'y'; the columns are 'a', 'Yes'"),
        ("a,Y\n1,x\n2,\n", [], r"there is no column 'y'; did you mean 'Y'\?"),
        ("a,y\n1,0.5\n2,1\n", [], r"t\.csv, line 2: classes are names or whole numbers; column 'y' has 0\.5"),
        ("a,y\n1,x\n2,z\n", ["--ignore", "a"], "besides 'y' there is no column to learn from"),
        ("a,y\n,x\n,z\n", [], "besides 'y' there is no column to learn from"),
        ("a,w,y\n1,-2,x\n2,1,z\n", ["--weights", "w"], r"t\.csv, line 2: weights must be .*; column 'w' has -2\.0"),
        ("a,y\n-1,x\n2,z\n", ["--families", "a=poisson"], r"t\.csv, line 2: Poisson needs .*; column 'a',? has -1"),
        ("a,b,y\nx,1,p\n1,2,q\n", ["--families", "a=gaussian"], "column 'a' is text, and its family reads numbers"),
    ],
)  # fmt: skip
def test_bad_tables_are_refused_in_one_sentence(content: str, options: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(content)
    target = [] if "-t" in options else ["-t", "y"]
    done = likely("fit", tmp_path / "t.csv", *target, "-o", tmp_path / "m.likely", *options)
    assert re.search(says, refused(done))
    assert not (tmp_path / "m.likely").exists()


def test_a_target_must_be_named(tmp_path: Path) -> None:
    assert "name the column with the classes: --target COLUMN" in refused(likely("fit", ANIMALS, "-o", tmp_path / "m"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit"],
        ["fit", ANIMALS],
        ["fit", ANIMALS, "-o", "m", "--model", "tree"],
        ["fit", ANIMALS, "-o", "m", "--families", "legs"],
        ["fit", ANIMALS, "-o", "m", "--time-ordered"],
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[Any]) -> None:
    refused(likely(*arguments), 2)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    said = refused(installed("fit", tmp_path / "no.csv", "-t", "y", "-o", tmp_path / "m.likely"))
    assert said == f"{tmp_path}/no.csv: there is no such file"


@pytest.mark.parametrize("later", ["2.5", "-3", "many"])
def test_a_late_cell_decides_as_an_early_one_does(later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "BLOCK", 256)
    rng = np.random.default_rng(0)
    rows = [f"{rng.poisson(3)},{'ab'[i % 2]}" for i in range(500)]
    (tmp_path / "t.csv").write_text("n,y\n" + "\n".join(rows) + f"\n{later},a\n")
    output = tmp_path / "m.likely"
    worked(likely("fit", tmp_path / "t.csv", "-t", "y", "-o", output))
    stored = store.load(output)
    assert stored.origin.rows == 501
    assert stored.model.kinds == ("float" if later == "2.5" else "int",)
    assert (stored.model.known.blocks[0].seen().sum() == 500) == (later == "many")


def test_batches_give_what_one_table_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["fit", ANIMALS, "-t", "animal", "--families", FAMILIES, "-o"]
    worked(likely(*arguments, tmp_path / "whole.likely"))
    monkeypatch.setattr(raw, "BLOCK", 512)
    worked(likely(*arguments, tmp_path / "batches.likely"))
    table = read(TABLE.drop_columns("animal"))
    scores = [store.load(tmp_path / name).model.score(table) for name in ("whole.likely", "batches.likely")]
    np.testing.assert_allclose(*scores, rtol=1e-12)


def test_a_hundred_thousand_columns(tmp_path: Path) -> None:
    """In processes of their own: Arrow keeps the addresses of their gigabytes, and other tests could not fork."""
    path, output, columns = tmp_path / "t.csv", tmp_path / "m.likely", 100_000
    bits = np.random.default_rng(0).random((6, columns)) < 0.5
    bits[:, 7] = [True, False] * 3
    rows = [
        ",".join([label, *np.where(row, "true", "false").tolist()]) for label, row in zip("ab" * 3, bits, strict=True)
    ]
    path.write_text("\n".join([",".join(["y", *(f"c{j}" for j in range(columns))]), *rows]) + "\n")
    told = worked(installed("fit", path, "-t", "y", "-o", output))
    assert "naive Bayes of 6 rows, 100,000 columns and 2 classes" in told
    assert re.search(r"^column +log Bayes factor\nc7 ", told, re.MULTILINE)
    rows = worked(installed("predict", output, path)).splitlines()[1:]
    assert [row.rsplit(",", 2)[1] for row in rows] == ["a", "b"] * 3


def test_classes_that_families_were_chosen_without_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw, "BLOCK", 256)
    monkeypatch.setattr("likely.data.stream.csv_sample.PART", 16)
    rows = [f"{i % 9},{'b' if i == 490 else 'a'}" for i in range(500)]
    (tmp_path / "t.csv").write_text("n,y\n" + "\n".join(rows) + "\n")
    done = likely("fit", tmp_path / "t.csv", "-t", "y", "-o", tmp_path / "m.likely")
    assert done.code == 0
    assert "Class 'b' has no row in the sample on which the families" in done.err


def test_costs_of_the_validated_rows(tmp_path: Path) -> None:
    costs = ("--cost", "lion as hyena: 20, lion as warthog: 20")
    said = worked(likely("fit", ANIMALS, "-t", "animal", "-o", tmp_path / "m.likely", *costs))
    assert "mean cost of a row" in said
    found = json.loads(worked(likely("fit", ANIMALS, "-t", "animal", "-o", tmp_path / "m.likely", *costs, "--json")))
    assert 0 < found["decisions"]["cost"] <= found["decisions"]["cost_by_most_probable"]
    wrong = ("--cost", "tiger as lion: 1")
    assert "'tiger as lion'" in likely("fit", ANIMALS, "-t", "animal", "-o", tmp_path / "n.likely", *wrong).err
    assert not (tmp_path / "n.likely").exists()


def test_fit_imports_no_pandas(tmp_path: Path) -> None:
    code = "import sys; from likely.cli import main; main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    arguments = [sys.executable, "-c", code, "fit", str(ANIMALS), "-t", "animal", "-o", str(tmp_path / "m.likely")]
    modules = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()
    assert "likely.cli.fit" in modules
    assert not {"sklearn", "pandas"} & set(modules)  # pyarrow imports pandas for much: see `data/stream/columns.py`


@pytest.mark.parametrize("kind", ["logistic", "blend", "auto"])
def test_one_class_is_too_few_for_logistic_regression(kind: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n" + "1,p\n2,p\n" * 10)
    said = refused(likely("fit", tmp_path / "t.csv", "-t", "y", "--model", kind, "-o", tmp_path / "m.likely"))
    assert said == "logistic regression needs rows of two classes or more; all are of one class, 'p'"


@pytest.mark.parametrize("command", ["fit", "validate", "audit"])
def test_a_gaussian_classifier_of_a_column_without_numbers(command: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b,y\n" + "1,x,p\n2,z,q\n" * 10)
    arguments = [command, tmp_path / "t.csv", "-t", "y", "--model", "gaussian"]
    said = refused(likely(*arguments, *(["-o", tmp_path / "m.likely"] * (command == "fit"))))
    assert said == (
        "the Gaussian classifier needs numbers, and column 'b' has other values; leave it out by --ignore, "
        "or use --model naive-bayes"
    )
