"""The command as a whole: completion, exit codes, interruption, and start."""

import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import click
import pytest

from likely.cli import COMMANDS, main
from likely.cli.mail import MailGroup

from ..desk.desks import RunningDesk
from .animals import ANIMALS
from .command import COMMAND, installed, likely, refused, worked

ROOT = Path(__file__).parents[2]


def test_the_commands_of_the_readme_run_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a table of that name: animals that churn."""
    monkeypatch.chdir(tmp_path)
    customers = ANIMALS.read_text().replace(",animal\n", ",churn\n", 1)
    for name in ("customers.csv", "new.csv"):
        Path(name).write_text(customers)
    Path("tickets.csv").write_text(customers.replace(",churn\n", ",topic\n", 1))
    blocks = re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("likely ")]
    assert len(lines) >= 3
    for line in lines:
        command, *arguments = shlex.split(line, comments=True)[1:]
        if command == "desk":  # it runs until it is interrupted
            with RunningDesk(*arguments) as desk:
                desk.interrupt()
        else:
            worked(likely(command, *arguments))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_are_given_a_script(shell: str) -> None:
    assert "_LIKELY_COMPLETE" in worked(installed(_LIKELY_COMPLETE=f"{shell}_source"))


def test_words_are_completed() -> None:
    def completed(words: str, at: int) -> list[str]:
        told = worked(installed(_LIKELY_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(at)))
        return [line.partition(",")[2] for line in told.splitlines()]

    assert completed("likely ", 1) == sorted(COMMANDS)
    assert completed("likely fit --model ", 3) == ["naive-bayes", "gaussian", "network", "logistic", "blend", "auto"]


def test_every_option_of_mail_is_documented() -> None:
    page = (ROOT / "docs" / "filing.md").read_text()
    group = main.get_command(click.Context(main), "mail")
    assert isinstance(group, MailGroup)
    for name in MailGroup.lines:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, (name, parameter.opts)
                said = [opt for opt in parameter.opts if f"`{opt}" in page or f" {opt}" in page]
                assert said, (name, parameter.opts)


@pytest.mark.parametrize("command", ["fit", "predict", "learn", "forget"])
def test_ctrl_c_leaves_everything_as_it_was(command: str, fitted: Path, tmp_path: Path) -> None:
    model, pipe, output = shutil.copy(fitted, tmp_path / "m.likely"), tmp_path / "pipe", tmp_path / "out.csv"
    output.write_text("before")
    os.mkfifo(pipe)
    arguments = ["fit", pipe, "-t", "animal"] if command == "fit" else [command, model, pipe]
    arguments += ["-o", output] if command != "forget" else []
    with subprocess.Popen([COMMAND, *arguments], stderr=subprocess.DEVNULL) as process:
        with pipe.open("wb") as file:  # once it is opened at the other end too
            file.write(ANIMALS.read_bytes())
            file.flush()
            process.send_signal(signal.SIGINT)
        process.wait(30)
    assert process.returncode != 0
    assert model.read_bytes() == fitted.read_bytes()
    assert output.read_text() == "before"
    assert {entry.name for entry in tmp_path.iterdir()} == {"m.likely", "out.csv", "pipe"}


def test_a_reader_that_has_seen_enough(fitted: Path) -> None:
    line = f"{shlex.quote(str(COMMAND))} predict {shlex.quote(str(fitted))} {shlex.quote(str(ANIMALS))} | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.stdout.startswith("has_fur,")
    assert done.stderr == ""


def test_exit_codes(fitted: Path, tmp_path: Path) -> None:
    assert installed("describe", fitted).code == 0
    refused(installed("describe", tmp_path / "none.likely"), 1)
    refused(installed("describe"), 2)
