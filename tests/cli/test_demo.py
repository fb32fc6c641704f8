"""The installed command, as a user runs it."""

import csv
import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import replace

import numpy as np
import pytest
from pyarrow import csv as arrow_csv

from likely import __version__
from likely.cli import COMMANDS
from likely.cli.demo import LABEL
from likely.datasets import ANIMALS
from likely.models.learned import count
from likely.models.naive_bayes import NaiveBayesModel

from ..samples import sample_of
from .command import installed, likely, worked


def test_families_are_shown(demo):
    families = dict(re.findall(r"^(\w+) +(?:bool|double|int64|string) +(\w+)", demo, re.MULTILINE))
    assert families == {
        "has_fur": "Bernoulli",
        "shoulder_cm": "Gaussian",
        "teeth_mm": "Histogram",
        "legs": "Histogram",
        "sightings": "Poisson",
        "habitat": "Categorical",
    }


def test_the_leave_one_out_error_is_next_to_the_training_error(demo):
    wrong = [int(n) for n in re.findall(r"^(?:on the rows it learned|leave-one-out) +(\d+) +122 ", demo, re.MULTILINE)]
    assert len(wrong) == 2
    assert wrong[0] <= wrong[1]
    share, low, high = (
        float(n)
        for n in re.search(r"^leave-one-out .* ([\d.]+) % +([\d.]+) % to ([\d.]+) %", demo, re.MULTILINE).groups()
    )
    assert low < share < high
    assert share == pytest.approx(100 * wrong[1] / 122, abs=0.05)


def test_leave_one_out_error_is_that_of_models_without_the_row():
    """The closed form against 122 models that never saw the row, their families and bins held fixed."""
    frame = arrow_csv.read_csv(ANIMALS, convert_options=arrow_csv.ConvertOptions(strings_can_be_null=True))
    sample = sample_of(frame.drop_columns(LABEL), frame[LABEL])
    model = NaiveBayesModel().learn(sample)
    loo = model.loo_scores(sample)
    for row in range(0, len(sample), 11):
        one = sample.take(np.array([row]))
        without = replace(model, learned=model.known - count(model.blocks, one))
        np.testing.assert_allclose(without.score(one.table)[0], loo[row], rtol=1e-9)


def test_explanation_sums_to_the_score(demo):
    number = r"(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) +[\d.]+ : [\d.]+$"
    *parts, score = re.findall(number, demo, re.MULTILINE)
    assert len(parts) == 7  # the class prior and six columns
    for k in range(3):
        assert sum(float(part[k]) for part in parts) == pytest.approx(float(score[k]), abs=0.005)
    assert re.search(r"^teeth_mm +missing +0.000 +0.000 +0.000", demo, re.MULTILINE)


def test_what_to_type_next_works(demo):
    code = demo.split("What to type next, in Python\n")[1]
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, "what to type next", "exec"), {})
    assert "'teeth_mm': Histogram()" in out.getvalue()
    assert "class prior" in out.getvalue()


def test_plain_text_in_a_pipe(demo):
    assert demo.isascii()
    assert "\x1b" not in demo
    assert max(map(len, demo.splitlines())) <= 80


def test_output_that_can_only_hold_ascii():
    assert installed("demo", PYTHONIOENCODING="ascii").code == 0


def test_another_row():
    assert "Why row 8 is predicted to be a" in worked(likely("demo", "--row", "8"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["demo", "--row", "122"], "the table has rows 0 to 121, not 122"),
        (["demo", "--row", "-1"], "the table has rows 0 to 121, not -1"),
        (["demo", "--row", "one"], "'one' is not a valid integer"),
        (["demo", "more"], "unexpected extra argument"),
        (["dmeo"], "No such command 'dmeo'"),
        (["--sideways"], "No such option"),
    ],
)
def test_wrong_use(arguments, says):
    done = likely(*arguments)
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err


def test_help_and_version():
    assert worked(likely("--version")) == f"likely, version {__version__}\n"
    told = " ".join(worked(likely("--help")).split())
    for name, line in COMMANDS.items():
        assert f" {name} {line}" in told


def imported_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint('modules:', *sys.modules)"], capture_output=True, text=True
    )
    return set(done.stdout.rsplit("modules:", 1)[1].split())


def test_help_loads_only_click():
    loaded = imported_by("from likely.cli import main\nmain(['--help'], standalone_mode=False)")
    assert "click" in loaded
    assert not loaded & {"rich", "numpy", "scipy", "pyarrow", "sklearn", "likely._native", "likely.cli.demo"}


def test_the_demo_does_not_load_scikit_learn():
    loaded = imported_by("from likely.cli import main\nmain(['demo'], standalone_mode=False)")
    assert "likely.models.naive_bayes" in loaded
    assert "sklearn" not in loaded


def test_bundled_table():
    rows = list(csv.DictReader(io.StringIO(ANIMALS.read_text())))
    assert len(rows) == 122
    assert {row["animal"] for row in rows} == {"hyena", "lion", "warthog"}
    assert sum(cell == "" for row in rows for cell in row.values()) == 30


def test_the_files_are_written_and_others_of_their_names_kept(tmp_path):
    folder = tmp_path / "new folder"
    written = [folder / name for name in ("animals.csv", "new.csv", "fun.mbox", "study.mbox")]
    assert worked(likely("demo", "--files", folder)).split("\n")[:-1] == list(map(str, written))
    assert written[0].read_bytes() == ANIMALS.read_bytes()
    with written[1].open(newline="") as file:
        rows = list(csv.reader(file))
    with ANIMALS.open(newline="") as file:
        assert rows == [row[:-1] for row in csv.reader(file)][:11]
    worked(likely("demo", "--files", folder))
    written[3].write_text("mine")
    written[0].unlink()
    done = likely("demo", "--files", folder)
    assert (done.code, written[3].read_text(), written[0].exists()) == (1, "mine", False)
    assert done.err == f"Error: '{written[3]}' exists already, and differs; name another folder\n"
