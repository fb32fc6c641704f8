"""A first look at an installed Likely, with nothing there but pytest: tables, texts, mail, and the command line."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.csv
import pytest

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes, load
from likely.datasets import ANIMALS, MAILBOX
from likely.validation import leave_one_out

TABLE = pyarrow.csv.read_csv(ANIMALS, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))
X, Y = TABLE.drop_columns("animal"), TABLE["animal"].to_numpy(zero_copy_only=False)


@pytest.mark.parametrize("model", [NaiveBayes(), BayesNetwork("tan"), LogisticRegression()], ids=str)
def test_a_table(model, tmp_path):
    fitted = model.fit(X, Y)
    assert (fitted.predict(X) == Y).mean() > 0.85
    fitted.save(tmp_path / "m.likely")
    np.testing.assert_array_equal(load(tmp_path / "m.likely").predict_proba(X), fitted.predict_proba(X))


def test_numbers():
    numbers = X.select(["shoulder_cm", "teeth_mm"])
    assert (GaussianClassifier().fit(numbers, Y).predict(numbers) == Y).mean() > 0.8


def test_texts():
    texts = ["cheap pills now", "meeting at noon", "pills pills cheap", "noon meeting room"] * 5
    assert leave_one_out(NaiveBayes(), texts, ["spam", "ham"] * 10).error == 0


def likely(*arguments):
    command = Path(sys.executable).with_name("likely")
    done = subprocess.run([command, *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_line(tmp_path):
    model, answers = tmp_path / "m.likely", tmp_path / "answers.csv"
    assert "leave-one-out" in likely("fit", ANIMALS, "-t", "animal", "-o", model)
    likely("predict", model, ANIMALS, "-o", answers)
    assert len(answers.read_text().splitlines()) == TABLE.num_rows + 1
    assert "class prior" in likely("explain", model, ANIMALS, "--row", "14")


def test_mail(tmp_path):
    boxes = [shutil.copy(box, tmp_path) for box in sorted(MAILBOX.glob("*.mbox"))]
    assert "fun" in likely("fit", *boxes, "-o", tmp_path / "m.likely")
