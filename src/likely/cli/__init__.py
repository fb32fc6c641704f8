"""The command line. One file is one command, imported when it is called: `likely --help` loads click alone."""

from importlib import import_module

import click

from likely import __version__

COMMANDS = {
    "demo": "Fit a bundled table; show the families, the errors and the reasons.",
    "mail": "File mail as its owner would, after a proof on his own mail.",
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
        command: click.Command = import_module(f"{self.modules}{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would load every command to ask for its help; the demo's imports take 250 ms, click's own 35 ms.
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.lines.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="likely")
def main() -> None:
    """Likely learns from labelled examples which class a new thing most likely belongs to, and says why."""
