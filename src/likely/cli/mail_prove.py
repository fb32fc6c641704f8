"""`likely mail prove`: shows what Likely would have done with mail that you have already filed."""

from pathlib import Path
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import filed_mail, replay_options
from likely.cli.options import as_json
from likely.mail.promise import NEVER
from likely.mail.prove import Proof, Recent, prove
from likely.mail.trade import picture
from likely.printing import counted, percent
from likely.store import replacing

BAR = 30
"""The length of the longest bar, in characters."""


@click.command()
@replay_options
@click.option("--half-life", help="Days after which mail counts half; 'auto' chooses by replay.")
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path),
    help="The figure of precision against coverage to write: .svg.",
)
@as_json
def command(precision: float, half_life: str | None, path: Path | None, as_json: bool, **options: Any) -> None:
    """Replay mail that you have filed: what would Likely have done?

    Likely goes through the mail in your folders by date: it predicts each message from the mail before it, and then
    learns it. Your mail is not moved, and the stored model does not change. Mail that is read from a server is kept,
    and not read again.
    """
    life = days(half_life)
    with filed_mail(**options) as (_, history):
        proof = prove(history, precision, life)
        if path is not None:
            with replacing(path) as file:
                file.write(picture(proof).encode())
    if as_json:
        output.json(proof.as_json())
    else:
        show(proof)


def days(text: str | None) -> float | str | None:
    """A number of days, or "auto"."""
    try:
        number = float(text) if text not in (None, "auto") else None
    except ValueError:
        number = -1.0
    if number is None:
        return text
    if not 0 < number < float("inf"):
        raise click.BadParameter(f"{text!r} is not 'auto' or a number of days above 0.", param_hint="'--half-life'")
    return number


def show(proof: Proof) -> None:
    recent = proof.recent
    output.sentence(f"Of the last {counted(recent.messages, 'message')} it would have filed {share(recent)}.")
    of = f"{counted(proof.messages, 'message')} in {counted(proof.folders, 'folder')}"
    output.sentence(f"Of all {of}, from the first on, it would have filed {share(proof)}.")
    output.text(f"The precision asked for is {percent(proof.wanted)} (--precision).")
    if not proof.in_reach:
        output.sentence(f"This account can't reach a precision of {percent(proof.wanted)}, {possible(proof)}.")
    if proof.copies:
        output.text(f"{proof.copies:,} messages are in several folders; each of these folders counts as right.")
    output.text(f"If every message were filed, {percent(proof.accuracy)} would be right.")
    if proof.half_life is not None:
        output.text(f"Mail counts half after {proof.half_life:g} days.")

    output.heading("Folder by folder")
    rows = [
        (
            folder.folder,
            f"{folder.messages:,}",
            percent(folder.filed / folder.messages, 0),
            percent(folder.filed_right / folder.filed) if folder.filed else "",
            percent(folder.recent_filed / folder.recent, 0) if folder.recent else "",
            "not clear yet" if folder.needed is None else f"{folder.needed:,} more" if folder.needed else "",
        )
        for folder in sorted(proof.each, key=lambda folder: -folder.messages)
    ]
    output.table(("folder", "messages", "filed", "right", "recent", "needed"), rows, "<>>>>>")

    output.heading("How much is filed, and how much of it is right")
    trades = []
    for trade in proof.trades:
        right = "" if trade.precision is None else percent(trade.precision)
        least = "never" if trade.threshold == NEVER else percent(trade.threshold)
        bar = "█" * round(BAR * trade.coverage)
        trades.append((percent(trade.wanted), percent(trade.coverage, 0), f"{bar:<{BAR}}", right, least))
    output.table(("wanted", "filed", "", "right", "confidence needed"), trades, ">><>", [("", 0)])

    if proof.mistakes:
        output.heading(f"The {len(proof.mistakes)} mistakes with the highest confidence")
        mistakes = [
            (percent(mistake.confidence), mistake.guessed, mistake.folder, mistake.sender, mistake.subject)
            for mistake in proof.mistakes
        ]
        shorten = [("from", 24), ("subject", 24), ("from", 12), ("subject", 16), ("from", 0)]
        shorten += [("filed in", 20), ("instead of", 20), ("subject", 8), ("subject", 0)]
        output.table(("confidence", "filed in", "instead of", "from", "subject"), mistakes, "><", shorten)
    if proof.unlearned:
        output.heading("Folders that it can't file into yet")
        output.sentence(", ".join(proof.unlearned))


def possible(proof: Proof) -> str:
    if proof.instead is None:
        return "not even in hindsight, nor any other precision of 50 % or more"
    return (
        f"not even in hindsight. It can reach {percent(proof.instead.wanted)}, with "
        f"{percent(proof.instead.coverage, 0)} filed"
    )


def share(of: Recent | Proof) -> str:
    if of.precision is None:
        return "none: no confidence was high enough"
    return f"{percent(of.coverage, 0)}, {percent(of.precision)} of it correctly"
