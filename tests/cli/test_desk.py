from pathlib import Path

import click

from likely.cli import main
from likely.cli.desk import DeskGroup

from .command import likely, refused, worked

PAGE = Path(__file__).parents[2] / "docs" / "desk.md"


def test_open_can_be_left_out() -> None:
    assert "Label the rows of DATA" in worked(likely("desk", "open", "--help"))
    assert "there is no such file" in refused(likely("desk", "nothing.csv", "--no-open"))
    assert "there is no such file" in refused(likely("desk", "--no-open", "nothing.csv"))


def test_its_own_help_names_all_it_opens() -> None:
    said = worked(likely("desk", "--help"))
    assert all(name in said for name in DeskGroup.lines)


def test_every_option_is_documented() -> None:
    group = main.get_command(click.Context(main), "desk")
    assert isinstance(group, DeskGroup)
    for name in DeskGroup.lines:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, (name, parameter.opts)
                shared = "command-line.md", "filing.md"
                pages = [PAGE, *(PAGE.with_name(page) for page in shared)]
                assert any(f"{parameter.opts[-1]}" in page.read_text() for page in pages), (name, parameter.opts)
