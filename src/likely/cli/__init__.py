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
    "desk": "Open a page on this machine: label rows, file mail, or ask a model why.",
    "describe": "Show what a model knows: its classes, columns and parameters.",
    "drift": "Show which columns of new rows differ from the old ones.",
    "evaluate": "Measure how often a model is wrong on rows that it has not learned.",
    "explain": "Show why a class is predicted for a row: what each column adds.",
    "export": "Write a model as SQL, JSON or ONNX, to score rows elsewhere.",
    "fit": "Learn a model from a table, folders of texts, or mail.",
    "forget": "Remove rows from a model, as if it had never learned them.",
    "learn": "Add rows to an existing model.",
    "mail": "File mail as you would, and prove on your own mail how well it works.",
    "merge": "Merge models that have learned different rows into one.",
    "plot": "Plot the decision boundary of a model.",
    "predict": "Predict the class of each row, with its probability.",
    "report": "Write a page that shows how good a model is, and why.",
    "sample": "Sample rows from a model.",
    "schema": "Show how each column of a table is read, and what to check.",
    "validate": "Estimate how often a model of your data will be wrong.",
}
"""The help line of each command. The command is the function `command` of the module with the same name."""


class LazyGroup(click.Group):
    lines = COMMANDS
    modules = f"{__name__}."
    """The prefix of the names of the commands' modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lines:
            return None
        module = f"{self.modules}{cmd_name}"
        loading = module not in sys.modules and gc.isenabled()
        if loading:  # loaded modules are never freed: a search for garbage among them only delays the answer
            gc.disable()
        try:
            command: click.Command = import_module(module).command
        finally:
            if loading:
                gc.freeze()
                gc.enable()
        command.name = cmd_name  # the function is called `command`; the reference in the documentation needs the name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would load every command for its help line: the imports of the demo take 250 ms, those of click 35 ms.
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.lines.items()))

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _safely():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Shows an error in the data or the model, or a missing package, as one sentence, with exit code 1."""
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
    """Removes control characters, which a terminal would obey, from click's messages and from warnings."""
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
