"""Files mail as it comes, until you stop it."""

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
"""Seconds between two checks of what you have filed and moved."""

PAUSED = 1.0
"""Seconds between two checks of whether the watch is still paused."""

FIRST, LATEST = 0.1, 120.0
"""The first and the longest wait, in seconds, before the next try to reach an account. Each wait is twice as long as
the one before, times a random factor from 0.5 to 1.5, so that not all clients of a server come back at once."""


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
    """Decides on each message once, starting with those that are already there. Learns at the start, and then again
    after `every` seconds. While `paused()` is true, it learns, but decides on nothing. Between two steps it asks
    `stopped()`.

    It tries again if the account can't be reached, refuses a request, is locked by another process or loses a folder,
    if the command for its password fails, or if a disk is full or gone; it first settles the moves that were open.
    `lost` is called once for each new reason, and `regained` when all is well again. It ends only if the login is not
    accepted, the server's certificate is not trusted, or nobody reads its output any more.
    """
    if move:
        filer.check(action)
    decided: set[str] = set()
    next_lesson, tries, last_error = 0.0, 0, ""

    def report(verdict: Decision) -> None:
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
                filer.file(precision, move, new, action=action, decided=report)
            decided = set(keys) - waits
            if last_error:
                regained()
            tries, last_error = 0, ""
            if not stopped():
                filer.account.wait(filer.rules.source, max(next_lesson - monotonic(), 0.0))
        except (Denied, BrokenPipeError):
            raise
        except (Unreachable, Gone, Refused, Busy, SecretFailed, sqlite3.OperationalError, OSError) as error:
            if str(error) != last_error:
                last_error = str(error)
                lost(error)
            filer.account.close()
            sleep(min(FIRST * 2**tries, LATEST) * uniform(0.5, 1.5))
            tries = min(tries + 1, 20)
