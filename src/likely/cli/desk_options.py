"""Options that the commands of `likely desk` share, and how they open the page."""

import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from likely.cli import output

if TYPE_CHECKING:
    from likely.desk.guard import AccessTokens
    from likely.desk.server import Desk

Command = TypeVar("Command", bound=Callable[..., Any])


def page_options(command: Command) -> Command:
    for option in (
        click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser; the default."),
        click.option(
            "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="The port; 0 for any free one."
        ),
    ):
        command = option(command)
    return command


def run(desk: "Desk", port: int, opens: bool) -> None:
    """Serves the desk until Ctrl-C."""
    from likely.desk.server import serve

    def opened(tokens: "AccessTokens") -> None:
        output.text(f"The desk is at {tokens.address}")
        output.text("Ctrl-C ends it.")
        if opens:
            webbrowser.open(tokens.address_for_one_visit())

    serve(desk, port, opened)
