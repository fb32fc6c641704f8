"""The command line. One file is one command, imported when it is called: `likely --help` loads click alone."""

import gc
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from likely import __version__
from likely.printing import safe_lines

COMMANDS = {
    "audit": "Find rows whose label may be wrong.",
    "compare": "Compare kinds of model on the same rows, and recommend one.",
    "demo": "File a bundled mailbox and fit a bundled table, with reasons.",
    "desk": "Open a page on this machine: label rows, file mail, ask a model why.",
    "describe": "Show what a model knows: its classes, columns and parameters.",
    "drift": "Show which columns of new rows are unlike the old ones.",
    "evaluate": "Measure how often a model is wrong on rows that it has not learned.",
    "explain": "Show why a class is predicted for a row: what each column adds.",
    "export": "Write a model as SQL, JSON or ONNX, to score rows elsewhere.",
    "fit": "Learn a model from a table, folders of texts, or mail.",
    "forget": "Remove rows from a model, as if it had never learned them.",
    "learn": "Add rows to an existing model.",
    "mail": "File mail as you would, after a proof on your own mail.",
    "merge": "Merge models that have learned different rows into one.",
    "plot": "Plot the decision boundary of a model.",
    "predict": "Predict the class of each row, with its probability.",
    "report": "Write a page that shows how good a model is, and why.",
    "sample": "Sample rows from a model.",
    "schema": "Show what each column of a table is read as, and what to check.",
    "validate": "Estimate how often a model of your data will be wrong.",
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
        command.name = cmd_name  # its function is called `command`, and the site's reference names it by this
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would load every command to ask for its help; the demo's imports take 250 ms, click's own 35 ms.
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.lines.items()))

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _safely():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """A fault of the data or a model, or a missing package, is one sentence, and exit code 1."""
        try:
            with _safely():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            sentence = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
            raise click.ClickException(safe_lines(sentence)) from None
        except (ValueError, TypeError, ImportError) as error:
            raise click.ClickException(safe_lines(str(error))) from None


@contextmanager
def _safely() -> Iterator[None]:
    """Without what a terminal would obey in what click says, and in warnings."""
    with warnings.catch_warnings():
        warnings.showwarning = _warned  # type: ignore[assignment] # it needs the message alone
        try:
            yield
        except click.ClickException as error:
            vars(error)["message"] = safe_lines(error.message)  # click has it final
            raise


def _warned(message: Warning | str, *_: Any) -> None:
    click.echo(f"Warning: {safe_lines(str(message))}", err=True)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="likely")
def main() -> None:
    """Likely learns from labelled examples, predicts the class of new ones, and shows why."""
