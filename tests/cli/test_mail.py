"""The commands of `likely mail`, each loaded when it is called."""

import pytest
from click.testing import CliRunner

from likely.cli import main
from likely.cli.mail import MailGroup

from .command import likely
from .mailbox import Mailbox

COMMANDS = ["prove", "learn", "file", "watch", "why", "log", "undo", "status", "rules"]


def test_every_command_has_its_line_and_its_help() -> None:
    assert sorted(MailGroup.lines) == sorted(COMMANDS)
    listed = likely("mail", "--help").out
    for name, line in MailGroup.lines.items():
        assert f"{name} " in listed
        assert line in listed
        told = likely("mail", name, "--help")
        assert told.code == 0
        assert "--json" in told.out


@pytest.mark.parametrize(
    ("command", "arguments", "told"),
    [
        ("why", ["<no@such>"], "nothing has been learned"),
        ("prove", ["--precision", "1.5"], "1.5 is not in the range"),
        ("learn", ["--half-life", "soon"], "'soon' is not 'auto' or a number of days"),
        ("file", ["--from", "Nowhere"], "there is no folder 'Nowhere'"),
    ],
)
def test_mistakes_are_one_sentence(mailbox: Mailbox, command: str, arguments: list[str], told: str) -> None:
    if command == "file":
        mailbox.run("learn")
    output = mailbox.run(command, *arguments, code=2 if "range" in told or "days" in told else 1)
    assert told in output
    assert "Traceback" not in output


def test_a_command_that_is_not_there() -> None:
    done = CliRunner().invoke(main, ["mail", "burn", "x"])
    assert done.exit_code == 2
    assert "No such command 'burn'" in done.output
