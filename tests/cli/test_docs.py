"""The documentation of the command line is complete, and its commands print what it shows."""

import re
import shlex
from pathlib import Path

import click
import pytest

from likely.cli import COMMANDS, main
from likely.datasets import ANIMALS

from .command import likely

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "command-line.md"
SECTIONS = {
    name: text
    for names, text in re.findall(r"^## (likely .*?)\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    for name in re.findall(r"likely (\w+)", names)
}


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def test_every_command_has_its_section() -> None:
    assert set(SECTIONS) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_section_of_its_command(name: str) -> None:
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[-1]}" in SECTIONS[name] or f" {parameter.opts[-1]}" in SECTIONS[name]
            assert parameter.help, parameter.opts
    said = set(re.findall(r"`(--[a-z-]+)", SECTIONS[name]))
    assert said <= {option for parameter in command(name).params for option in parameter.opts} | {"--folds"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_begins_as_its_line_in_the_list(name: str) -> None:
    told = likely(name, "--help")
    assert told.code == 0
    assert COMMANDS[name].rstrip(".") in " ".join(told.out.split())


@pytest.mark.parametrize("page", [PAGE, ROOT / "docs" / "start" / "csv.md"], ids=lambda page: page.stem)
def test_the_commands_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "animals.csv").write_bytes(ANIMALS.read_bytes())
    shown = 0
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        for line, output in re.findall(r"^\$ likely (.*?)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = likely(*shlex.split(line))
            assert done.out + done.err == output, line
            shown += 1
    assert shown == page.read_text().count("\n$ likely ") > 5
