"""The command line. One file is one command, imported when it is called: `likely --help` loads click alone."""

import gc
import sys
from importlib import import_module
from typing import Any

import click

from likely import __version__

COMMANDS = {
    "audit": "Find rows whose label may be wrong.",
    "compare": "Compare kinds of model on the same rows, and say which to take.",
    "demo": "File a bundled mailbox and fit a bundled table, with reasons.",
    "describe": "Show what a model knows: its classes, columns and parameters.",
    "evaluate": "Say how often a model is wrong on rows that it has not learned.",
    "explain": "Show why a row gets its class: what each column adds.",
    "fit": "Learn a model from a table, folders of texts, or mail.",
    "forget": "Take rows out of a model again, as if they had never been learned.",
    "learn": "Learn more rows with a model that there is.",
    "mail": "File mail as its owner would, after a proof on his own mail.",
    "merge": "Make one model of several that have learned apart.",
    "plot": "Draw where a model goes over from one class to another.",
    "predict": "Give each row its class and how probable it is.",
    "report": "Write a page that says how good a model is, and shows why.",
    "sample": "Draw rows from a model.",
    "validate": "Say how often a model of such data will be wrong.",
}
"""Each command's line of help. Its module, of the same name, holds it as `command`."""


class LazyGroup(click.Group):
    lines = COMMANDS
    modules = f"{__name__}."
    """What the name of a command's module begins with."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lines:
            return None
        module = f"{self.modules}{cmd_name}"
        loading = module not in sys.modules and gc.isenabled()
        if loading:  # nothing of what is loaded can be freed, and an answer of one row would wait for the search
            gc.disable()
        try:
            command: click.Command = import_module(module).command
        finally:
            if loading:
                gc.freeze()
                gc.enable()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would load every command to ask for its help; the demo's imports take 250 ms, click's own 35 ms.
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.lines.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """What is wrong with data or a model, or not installed, is one sentence, and exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise click.ClickException(
                f"{error.filename}: {error.strerror}" if error.filename else str(error)
            ) from None
        except (ValueError, TypeError, ImportError) as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="likely")
def main() -> None:
    """Likely learns from labelled examples which class a new thing most likely belongs to, and says why."""
