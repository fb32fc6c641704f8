"""`likely mail prove`: what filing would have done to mail that its owner has filed already."""

from pathlib import Path
from typing import Any

import click

from likely.cli.mail_account import (
    account_of,
    account_options,
    as_json,
    columns,
    console,
    folder_options,
    precision,
    print_json,
    rules_of,
)
from likely.mail.confidence import NEVER
from likely.mail.database import opened, path_for
from likely.mail.filer import waiting
from likely.mail.history import History
from likely.mail.prove import Proof, prove
from likely.mail.trade import picture
from likely.store import replacing

BAR = 30
"""Characters of the longest bar."""


@click.command()
@account_options
@folder_options
@precision
@click.option("--half-life", help="Days after which mail counts half; or 'auto', chosen by replay.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A file for the trade as a picture, in SVG.")
@as_json
def command(precision: float, half_life: str | None, output: Path | None, as_json: bool, **options: Any) -> None:
    """Replay mail that you have filed: what would Likely have done?

    Reads the folders that are there and goes through their mail in the order of its dates: each message is first filed
    by what was known before it, and then learned. Nothing is moved, and nothing is written but the picture.
    """
    life = days(half_life)
    with account_of(**options) as account:
        folders = rules_of(**options).learned(account.folders())
        own = filed_itself(path_for(account.address, options["home"]))
        letters = (letter for letter in account.letters(folders) if (letter.folder, letter.key) not in own)
        proof = prove(History.of_letters(letters), precision, life)
        if output is not None:
            with replacing(output) as file:
                file.write(picture(proof).encode())
    if as_json:
        print_json(proof.as_json())
    else:
        show(proof)


def filed_itself(path: Path) -> set[tuple[str, str]]:
    """What Likely filed and its owner has not yet left there: it proves nothing."""
    if not path.exists():
        return set()
    database = opened(path)
    try:
        return set(waiting(database))
    finally:
        database.close()


def days(text: str | None) -> float | str | None:
    """A number of days, or "auto"."""
    try:
        number = float(text) if text not in (None, "auto") else None
    except ValueError:
        number = -1.0
    if number is None:
        return text
    if not 0 < number < float("inf"):
        raise click.BadParameter(f"{text!r} is no number of days above 0, nor 'auto'.", param_hint="'--half-life'")
    return number


def show(proof: Proof) -> None:
    out = console()
    of = f"{proof.messages:,} messages in {proof.folders} folders"
    if proof.precision is None:
        out.print(f"Would have filed none of {of}: it was never sure enough for {proof.wanted:.1%} precision.")
    else:
        right = f"{proof.precision:.1%} precision ({proof.wanted:.1%} wanted)"
        out.print(f"Would have filed {proof.coverage:.0%} of {of}, at {right}.")
    out.print(f"Had it filed all: {proof.accuracy:.1%} right.")
    if proof.half_life is not None:
        out.print(f"Mail counts half after {proof.half_life:g} days.")

    out.print("\nHow much is filed, and how much of it rightly", style="bold")
    table = columns(out, "wanted", "filed", "", "right", "threshold", right=("wanted", "filed", "right", "threshold"))
    for trade in proof.trades:
        right = "" if trade.precision is None else f"{trade.precision:.1%}"
        least = "never" if trade.threshold == NEVER else f"{trade.threshold:.3f}"
        bar = "█" * round(BAR * trade.coverage)
        table.add_row(f"{trade.wanted:.1%}", f"{trade.coverage:.0%}", f"{bar:<{BAR}}", right, least)
    out.print(table)

    if proof.mistakes:
        out.print(f"\nThe {len(proof.mistakes)} surest mistakes", style="bold")
        table = columns(out, "sure", "filed in", "instead of", "from", "subject", right=("sure",))
        for mistake in proof.mistakes:
            table.add_row(
                f"{mistake.sure:.1%}", mistake.guessed, mistake.folder, mistake.sender[:30], mistake.subject[:50]
            )
        out.print(table)
    if proof.unlearned:
        out.print("\nFolders it can't learn yet: " + ", ".join(proof.unlearned))
