"""`likely mail rules`: exports rules by which a server can file mail by itself."""

from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import filed_mail, replay_options
from likely.cli.options import as_json
from likely.mail import sieve
from likely.printing import counted
from likely.store import replacing


@click.command()
@replay_options
@click.option("--to", "form", type=click.Choice(["sieve"]), default="sieve", show_default=True, help="The language.")
@click.option("--least", type=click.IntRange(1), default=5, show_default=True, help="Messages that a rule needs.")
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="The file to write; otherwise printed.")
@as_json
def command(precision: float, form: str, least: int, path: Path | None, as_json: bool, **options: Any) -> None:
    """Export a Sieve script for senders and lists that belong to one folder.

    A rule is made for a sender or a mailing list if the share of its mail that you have filed into one folder is at
    least --precision. Your server can then file that mail before any program sees it. Nothing is moved or learned.
    """
    with filed_mail(**options) as (account, history):
        found = sieve.rules_of(history, least, precision)
        script = sieve.script(found, account.name_of)
    if as_json:
        output.json([asdict(rule) for rule in found])
        return
    covered = sum(rule.messages for rule in found)
    output.note(f"{counted(len(found), 'rule')}, for {covered:,} of {counted(len(history), 'message')}.")
    with replacing(path) if path is not None else nullcontext() as file:
        if file is None:
            output.text(script.rstrip("\n"))
        else:
            file.write(script.encode())
