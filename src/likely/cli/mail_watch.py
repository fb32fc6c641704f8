"""`likely mail watch`: files mail as it comes."""

import signal
from dataclasses import asdict
from typing import Any

import click

from likely.cli import output
from likely.cli.mail_account import (
    account_options,
    action_of,
    filer_of,
    filing_options,
    folder_options,
    precision,
    rules_of,
    settled,
)
from likely.cli.mail_file import figures, line
from likely.cli.mail_learn import sentence
from likely.cli.options import as_json
from likely.mail.filer import Decision
from likely.mail.learner import Lesson
from likely.mail.watch import LEARN, watch
from likely.mail.watcher import paused, watching


@click.command()
@account_options
@folder_options
@settled
@precision
@filing_options
@click.option("--every", default=LEARN, show_default=True, help="Seconds between two checks of what you have filed.")
@as_json
def command(precision: float, every: float, as_json: bool, **options: Any) -> None:
    """File mail as it comes.

    It runs until you interrupt it, and survives lost connections and restarts of the server. With --json it prints a
    line for each event.
    """

    move, action = action_of(**options)

    def say(text: str, **what: Any) -> None:
        output.json(what, indent=None) if as_json else output.text(text)

    def filed(verdict: Decision) -> None:
        action, folder, confidence, sender, subject, *_ = line(verdict)
        say(
            f"{action} ({confidence}): {folder} ← {subject} ({sender}) {verdict.why}".rstrip(),
            event="filed",
            **figures(verdict),
        )

    def learned(lesson: Lesson) -> None:
        say(sentence(lesson), event="learned", **asdict(lesson))

    def lost(error: Exception) -> None:
        say(f"Lost: {error}; trying again until it works.", event="lost", why=str(error))

    def regained() -> None:
        say("Connected again.", event="regained")

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with filer_of(rules=rules_of(**options), **options) as filer, watching(filer.path):
            watch(
                filer, precision, move, filed, learned, lost, regained, every=every, action=action,
                paused=lambda: paused(filer.database),
            )  # fmt: skip
    except KeyboardInterrupt:
        say("Stopped.", event="stopped")
