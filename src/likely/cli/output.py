"""Prints text, tables and JSON. Control characters, which a terminal would obey, are never printed."""

import json as json_format
import re
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from likely.printing import UNSAFE, aligned, safe, safe_lines

if TYPE_CHECKING:
    from likely.data.findings import Finding

READABLE = 8
"""The least width of a shortened cell, in characters."""

BETWEEN = 3
"""Spaces between two columns in a terminal; the edges of a table have 2 in all."""


def text(what: object) -> None:
    """Prints one or several lines, without wrapping."""
    click.echo(safe_lines(str(what)))


def exact(what: str) -> None:
    """Prints text for another program, unchanged. Raises ValueError if it has control characters and is printed to a
    terminal."""
    if sys.stdout.isatty() and safe_lines(what) != what:
        raise ValueError("the output has control characters, which a terminal would obey; add -o FILE")
    click.echo(what, nl=False)


def paragraph(what: str) -> None:
    """Prints text, wrapped to the width of the terminal."""
    click.echo(wrapped(what))


def wrapped(what: str, first: str = "", others: str = "") -> str:
    """Text wrapped to the width of the terminal, or to 80 characters in a pipe. The first line begins with `first`, the
    others with `others`. An option and its value stay together."""
    joined = re.sub(r" (?=%)|(?<=\(--type) |(?<=or --type) ", "\N{NO-BREAK SPACE}", safe(what))
    lines = click.wrap_text(joined, shutil.get_terminal_size().columns, first, others)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def sentence(what: str) -> None:
    """As `paragraph`, but in one line if the output is a pipe, for other programs."""
    paragraph(what) if sys.stdout.isatty() else text(safe(what))


def prose(what: object) -> None:
    """Several lines: in a terminal sentences are wrapped, and lines of tables, which have gaps, are not."""
    for line in str(what).split("\n"):
        text(line) if "  " in line else sentence(line)


def heading(what: str) -> None:
    click.secho(f"\n{safe(what)}", bold=True)


def findings(found: "Sequence[Finding]") -> None:
    """Prints what to check in the columns, before the results."""
    if not found:
        return
    click.secho("Check your columns", bold=True)
    for finding in found[:FINDINGS]:
        click.echo(wrapped(str(finding), "  ", "    "))
    if len(found) > FINDINGS:
        text(f"  and {len(found) - FINDINGS:,} more; --json shows them")
    click.echo()


FINDINGS = 20


def note(what: str) -> None:
    """Prints a note that is not part of the result, to standard error."""
    click.secho(safe(what), err=True, dim=True)


def passing(what: str) -> None:
    """Prints a line of progress to standard error, if that is a terminal. It replaces the line before; "" clears it."""
    if sys.stderr.isatty():
        columns = shutil.get_terminal_size().columns
        click.echo(f"\r{safe(what)[: columns - 1]:<{columns - 1}}" if what else "\r\x1b[K", err=True, nl=False)


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[Any]],
    align: str = "<>",
    shorten: Sequence[tuple[str, int]] = (),
) -> None:
    """Prints a table, with lines and colours in a terminal, and as plain text in a pipe. `align` is as for
    `likely.printing.aligned`.

    `shorten` names the columns to shorten if the terminal is too narrow, in this order, each with its least width. A
    column with a least width of 0 is removed if less than `READABLE` characters, or half a short text, would be left.
    No other cell is ever shortened.
    """
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    if sys.stdout.isatty():
        _rich(*fitted(lines, align, shutil.get_terminal_size().columns, shorten))
    else:
        click.echo(aligned(lines, align))


def fitted(
    lines: list[list[str]], align: str, width: int, shorten: Sequence[tuple[str, int]]
) -> tuple[list[list[str]], str]:
    """A table whose columns in `shorten` are cut or removed, as far as is needed for this width; and its alignment."""
    from rich.cells import cell_len, set_cell_size

    cells = [[safe(cell) for cell in line] for line in lines]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    sides = align.ljust(len(widths), align[-1])
    needed = [READABLE if each > 2 * READABLE else each for each in widths]  # half a date can't be read either
    for name, least in shorten:
        at = lines[0].index(name)
        over = sum(widths) + BETWEEN * sum(map(bool, widths)) - 1 - width
        if over > 0:
            left = max(widths[at] - over, min(least, widths[at]))
            widths[at] = left if least or left >= needed[at] else 0
    for name, _ in reversed(shorten):  # a removed column may free more space than was needed
        at = lines[0].index(name)
        spare = width - (sum(widths) + BETWEEN * sum(map(bool, widths)) - 1)
        if widths[at]:
            widths[at] = min(widths[at] + max(spare, 0), max(cell_len(line[at]) for line in cells))
    shown = [at for at, each in enumerate(widths) if each]

    def cut(cell: str, to: int) -> str:
        return cell if cell_len(cell) <= to else set_cell_size(cell, to - 1).rstrip() + "…"

    return [[cut(line[at], widths[at]) for at in shown] for line in cells], "".join(sides[at] for at in shown)


def _rich(lines: list[list[str]], align: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name, side in zip(lines[0], align.ljust(len(lines[0]), align[-1]), strict=False):
        made.add_column(Text(safe(name)), justify="left" if side == "<" else "right", overflow="fold")
    for line in lines[1:]:
        made.add_row(*(Text(safe(cell)) for cell in line))
    Console(highlight=False).print(made)


def json(value: Any, indent: int | None = 2) -> None:
    """Prints JSON. Text stays readable; only control characters, which JSON may contain, are escaped."""
    written = json_format.dumps(value, ensure_ascii=False, indent=indent, default=_plain)
    lines = (UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in written.split("\n"))
    click.echo("\n".join(lines))


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
