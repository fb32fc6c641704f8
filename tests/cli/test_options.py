"""Options that several commands share."""

import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from likely.cli import main, options
from likely.cli.options import Reading

from .animals import ANIMALS
from .command import likely, refused


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
        Reading(families="a=b", texts=("s", "t"), ignored=("i",), missing=("?",), weights="w", encoding="latin-1"),
        Reading(),
    ]
    assert given[0].column_types() == {"s": "text", "t": "text", "i": "ignore"}


def test_types_of_columns() -> None:
    reading = Reading(types=("zip=category", "a=b=date:%d.%m.%Y"), ignored=("id",))
    assert reading.column_types() == {"zip": "category", "a=b": "date:%d.%m.%Y", "id": "ignore"}
    with pytest.raises(click.BadParameter, match="'zip' is not COLUMN=TYPE"):
        Reading(types=("zip",)).column_types()


def commands() -> dict[str, click.Command]:
    groups = {"": main, "mail ": main.get_command(click.Context(main), "mail")}
    return {
        prefix + name: group.get_command(click.Context(group), name)  # type: ignore[misc]
        for prefix, group in groups.items()
        if isinstance(group, click.Group)
        for name in group.list_commands(click.Context(group))
    }


def test_an_option_is_the_same_in_every_command() -> None:
    """But for what it names: the file to write, or the column with the classes of a new model or of one there is."""
    found: dict[str, set[Any]] = defaultdict(set)
    for command in commands().values():
        for option in command.params:
            if isinstance(option, click.Option):
                varies = {
                    "--output",
                    "--target",
                    "--row",
                    "--rows",
                    "--seed",
                    "--last",
                    "--half-life",
                    "--all",
                    "--to",
                }
                help_ = "" if option.opts[-1] in varies else option.help
                found[option.opts[-1]].add((tuple(option.opts), str(option.type), option.multiple, help_))
    assert {name: kinds for name, kinds in found.items() if len({kind[0] for kind in kinds}) > 1} == {
        "--rows": found["--rows"]  # -n is short for it where rows are sampled
    }
    for name, kinds in found.items():
        assert len({kind[2:] for kind in kinds}) == 1, (name, kinds)


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "t.csv", "-t", "animal", "-o", "t.csv"],
        ["predict", "m.likely", "t.csv", "-o", "./t.csv"],
        ["predict", "m.likely", "t.csv", "-o", "m.likely"],
        ["report", "m.likely", "t.csv", "-o", "t.csv"],
        ["drift", "m.likely", "t.csv", "-o", "m.likely"],
        ["learn", "m.likely", "t.csv", "-o", "t.csv"],
        ["schema", "t.csv", "-o", "t.csv"],
        ["export", "m.likely", "--to", "json", "-o", "m.likely"],
        ["sample", "m.likely", "-o", "m.likely"],
    ],
)
def test_no_command_replaces_a_file_that_it_reads(
    arguments: list[str], fitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ANIMALS, "t.csv")
    shutil.copy(fitted, "m.likely")
    assert refused(likely(*arguments), 2).endswith("is read by this command, and would be replaced; name another file.")
    assert Path("t.csv").read_bytes() == ANIMALS.read_bytes()
    assert Path("m.likely").read_bytes() == fitted.read_bytes()


def test_a_folder_that_is_not_there_is_named_before_any_work(tmp_path: Path) -> None:
    path = tmp_path / "none" / "m.likely"
    assert (
        refused(likely("fit", tmp_path / "t.csv", "-t", "y", "-o", path)) == f"{path.parent}: there is no such folder"
    )
