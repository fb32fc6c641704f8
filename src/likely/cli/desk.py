"""`likely desk`: a page on this machine."""

import click

from likely.cli import LazyGroup


class DeskGroup(LazyGroup):
    lines = {  # noqa: RUF012 (as in the group above it)
        "open": "Label the rows of DATA, or ask a MODEL why; you can leave out `open`.",
        "mail": "File the mail of an ACCOUNT: see what would be filed, what was, and why.",
    }
    modules = "likely.cli.desk_"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.lines, *ctx.help_option_names):
            args = ["open", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=DeskGroup, options_metavar="", subcommand_metavar="[MODEL [DATA...] | DATA... | mail ACCOUNT] [OPTIONS]"
)
def command() -> None:
    """Open a page on this machine: label rows, file mail, or ask a model why.

    Only this machine can open the page, and only with the address that is printed. Ctrl-C ends it.
    """
