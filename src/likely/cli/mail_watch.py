"""`likely mail watch`: mail as it comes."""

import json
import signal
from dataclasses import asdict
from typing import Any

import click

from likely.cli.mail_account import (
    account_options,
    as_json,
    console,
    filer_of,
    folder_options,
    precision,
    rules_of,
    settled,
)
from likely.cli.mail_file import line, told
from likely.cli.mail_learn import sentence
from likely.mail.filer import Lesson, Verdict
from likely.mail.watch import LEARN, watch


@click.command()
@account_options
@folder_options
@settled
@precision
@click.option("--move/--dry-run", default=False, help="Move messages; a dry run is the default.")
@click.option("--every", default=LEARN, show_default=True, help="Seconds between two looks at what you have filed.")
@as_json
def command(precision: float, move: bool, every: float, as_json: bool, **options: Any) -> None:
    """File mail as it comes.

    Goes on until it is interrupted, over lost connections and restarts of the server. With --json it prints a line for
    each thing that happens.
    """
    out = console()

    def say(text: str, **what: Any) -> None:
        print(json.dumps(what, ensure_ascii=False), flush=True) if as_json else out.print(text)

    def filed(verdict: Verdict) -> None:
        say("  ".join(line(verdict)), event="filed", **told(verdict))

    def learned(lesson: Lesson) -> None:
        say(sentence(lesson), event="learned", **asdict(lesson))

    def lost(error: Exception) -> None:
        say(f"Lost: {error}; trying again.", event="lost", why=str(error))

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with filer_of(rules=rules_of(**options), **options) as filer:
            watch(filer, precision, move, filed, learned, lost, every=every)
    except KeyboardInterrupt:
        say("Stopped.", event="stopped")
