"""Files mail as it comes, for as long as it is let."""

import sqlite3
from collections.abc import Callable
from random import uniform
from time import monotonic, sleep

from likely.mail.account import Denied, Gone, Refused, Unreachable
from likely.mail.actions import MOVE, Action
from likely.mail.database import Busy
from likely.mail.filer import Decision, Filer
from likely.mail.learner import Lesson
from likely.mail.secrets import SecretFailed

LEARN = 300.0
"""Seconds between two looks at what you have filed and moved."""

PAUSED = 1.0
"""Seconds between two looks at whether it still is."""

FIRST, LATEST = 0.1, 120.0
"""Seconds between two tries to reach an account: the first time, and at most. Each is twice as long as the one before,
give or take a half, so that all who lost a server do not come back at once."""


def watch(
    filer: Filer,
    precision: float,
    move: bool,
    filed: Callable[[Decision], None] = lambda verdict: None,
    learned: Callable[[Lesson], None] = lambda lesson: None,
    lost: Callable[[Exception], None] = lambda error: None,
    regained: Callable[[], None] = lambda: None,
    stopped: Callable[[], bool] = lambda: False,
    every: float = LEARN,
    action: Action = MOVE,
    paused: Callable[[], bool] = lambda: False,
) -> None:
    """Decides on each message once, those first that are there at the start; learns at the start and `every` so often.

    Where the account cannot be reached or refuses something, is held by another process, loses a folder meanwhile, the
    command for its password fails, or a disk is full or gone, it tries again, and settles first what was under way;
    `lost` is called once for each reason on end, and then `regained`. Only a login that is not accepted, and a server
    that is not who it says, ends it; and that nobody reads what it reports. `stopped` is asked between any two steps.
    While it is `paused` it learns, and decides on nothing.
    """
    if move:
        filer.check(action)
    decided: set[str] = set()
    next_lesson, tries, said = 0.0, 0, ""

    def tell(verdict: Decision) -> None:
        decided.add(verdict.entry.key)
        filed(verdict)

    while not stopped():
        try:
            if monotonic() >= next_lesson:
                learned(filer.learn())
                next_lesson = monotonic() + every
            if paused():
                sleep(PAUSED)
                continue
            keys = filer.account.keys(filer.rules.source)
            waits = filer.journal.under_way(filer.rules.source)
            new = [key for key in keys if key not in decided | waits]
            if new:
                filer.file(precision, move, new, action=action, decided=tell)
            decided = set(keys) - waits
            if said:
                regained()
            tries, said = 0, ""
            if not stopped():
                filer.account.wait(filer.rules.source, max(next_lesson - monotonic(), 0.0))
        except (Denied, BrokenPipeError):
            raise
        except (Unreachable, Gone, Refused, Busy, SecretFailed, sqlite3.OperationalError, OSError) as error:
            if str(error) != said:
                said = str(error)
                lost(error)
            filer.account.close()
            sleep(min(FIRST * 2**tries, LATEST) * uniform(0.5, 1.5))
            tries = min(tries + 1, 20)
