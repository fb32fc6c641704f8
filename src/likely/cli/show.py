"""Tables for people: with colour and lines in a terminal, plain text in a pipe."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

Cells = Sequence[Any]


def heading(text: str) -> None:
    click.echo()
    click.secho(text, bold=True)


def note(text: str) -> None:
    """Something to know that is no part of the answer."""
    click.secho(text, err=True, dim=True)


def table(head: Cells, rows: Sequence[Cells], left: int = 1) -> None:
    """Names in the first columns, numbers right-aligned in the others."""
    lines = [[str(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _rich([str(cell) for cell in head], lines, left)
        return
    lines.insert(0, [str(cell) for cell in head])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (
            cell.ljust(w) if i < left else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())


def _rich(head: list[str], lines: list[list[str]], left: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for at, name in enumerate(head):
        made.add_column(Text(name), justify="left" if at < left else "right", overflow="fold")
    for line in lines:
        made.add_row(*map(Text, line))
    Console(highlight=False).print(made)


def printed_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def percent(share: float) -> str:
    return f"{share:.1%}"
