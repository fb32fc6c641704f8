"""Tables for people: lines and colours in a terminal, plain text in a pipe."""

import json
import os
import pty
import subprocess
from pathlib import Path

import numpy as np
import pytest

from likely.cli import show

from .command import COMMAND


def test_plain_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show.table(("name", "number"), [("a", 1), ("long name", 234)])
    assert capsys.readouterr().out == "name       number\na               1\nlong name     234\n"


def test_notes_are_no_part_of_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    show.note("so")
    show.heading("then")
    done = capsys.readouterr()
    assert (done.out, done.err) == ("\nthen\n", "so\n")


def test_json_of_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    show.printed_json({"é": np.array([1.5, 2.0]), "of": np.int64(3), "other": Path("p")})
    told = capsys.readouterr().out
    assert json.loads(told) == {"é": [1.5, 2.0], "of": 3, "other": "p"}
    assert "é" in told


def test_shares() -> None:
    assert show.percent(0.1234) == "12.3%"


def test_a_terminal_has_lines_and_colours(fitted: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    with subprocess.Popen([str(COMMAND), "describe", str(fitted)], stdout=theirs, env=environment) as process:
        os.close(theirs)
        told = b""
        try:
            while some := os.read(ours, 65536):
                told += some
        except OSError:  # as Linux says that the other end is closed
            pass
        process.wait(30)
    os.close(ours)
    assert process.returncode == 0
    assert "━" in told.decode() or "─" in told.decode()
    assert "\x1b[1m" in told.decode()
