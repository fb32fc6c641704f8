"""Files mail as it comes, for as long as it is let."""

from collections.abc import Callable
from time import monotonic, sleep

from likely.mail.account import Gone, Unreachable
from likely.mail.database import Busy
from likely.mail.filer import Decision, Filer, Lesson

LEARN = 300.0
"""Seconds between two looks at what you have filed and moved."""

LATEST = 60.0
"""Seconds between two tries to reach an account, after the first few."""


def watch(
    filer: Filer,
    precision: float,
    move: bool,
    filed: Callable[[Decision], None] = lambda verdict: None,
    learned: Callable[[Lesson], None] = lambda lesson: None,
    lost: Callable[[Exception], None] = lambda error: None,
    stopped: Callable[[], bool] = lambda: False,
    every: float = LEARN,
) -> None:
    """Decides on each message once, those first that are there at the start; learns at the start and `every` so often.

    Where the account cannot be reached, is held by another process, or loses a folder meanwhile, it tries again, and
    settles first what was under way. `stopped` is asked between any two steps.
    """
    decided: set[str] = set()
    next_lesson, tries = 0.0, 0
    while not stopped():
        try:
            if monotonic() >= next_lesson:
                learned(filer.learn())
                next_lesson = monotonic() + every
            keys = filer.account.keys(filer.rules.source)
            new = [key for key in keys if key not in decided]
            for verdict in filer.file(precision, move, new) if new else ():
                filed(verdict)
            decided = set(keys)
            tries = 0
            if not stopped():
                filer.account.wait(filer.rules.source, max(next_lesson - monotonic(), 0.0))
        except (Unreachable, Gone, Busy) as error:
            lost(error)
            filer.account.close()
            sleep(min(0.1 * 2**tries, LATEST))
            tries = min(tries + 1, 20)
