"""Options that several commands share."""

import click
import pytest
from click.testing import CliRunner

from likely.cli import COMMANDS, main, options
from likely.cli.options import Reading


def test_how_data_are_read_comes_as_one_thing() -> None:
    given = []

    @click.command()
    @options.reading
    def command(reading: Reading) -> None:
        given.append(reading)

    arguments = ["--families", "a=b", "--text", "s", "--text", "t", "--ignore", "i", "--missing", "?", "--weights", "w"]
    assert CliRunner().invoke(command, [*arguments, "--encoding", "latin-1"]).exit_code == 0
    assert CliRunner().invoke(command, []).exit_code == 0
    assert given == [
        Reading("a=b", ("s", "t"), ("i",), "?", "w", "latin-1"),
        Reading(None, (), (), None, None, None),
    ]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("demo", "mail")])
def test_options_of_one_name_say_the_same_in_every_command(name: str) -> None:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    by_name = {parameter.opts[-1]: parameter for parameter in found.params if isinstance(parameter, click.Option)}
    if "--json" in by_name:
        assert by_name["--json"].help == "Print JSON, for programs."
    if "--encoding" in by_name:
        assert by_name["--encoding"].help == "The encoding of CSV, if it is not found out by itself."
    if "--target" in by_name:
        assert by_name["--target"].opts == ["-t", "--target"]
    if "--output" in by_name:
        assert by_name["--output"].opts == ["-o", "--output"]
