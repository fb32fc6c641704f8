"""Whether a process watches an account, and whether the watch is paused. Every process can see it, and it stays correct
after a process was killed."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from likely import system
from likely.mail.database import Busy

ASKED = 1.0
"""How many seconds to wait for the lock: another process may hold it for a moment to read the status."""


@dataclass(frozen=True)
class WatcherStatus:
    running: bool
    paused: bool

    def __str__(self) -> str:
        if not self.running:
            return "not running" + ("; paused when it starts" if self.paused else "")
        return "paused" if self.paused else "running"


@contextmanager
def watching(database: Path) -> Iterator[None]:
    """A lock that a process holds while it watches. It is released when the process ends, for whatever reason."""
    with _lock(database).open("w") as file:
        end = monotonic() + ASKED
        while not system.hold(file):
            if monotonic() > end:
                raise Busy("another process watches this account already")
            sleep(0.02)
        yield


def status(database: sqlite3.Connection, path: Path) -> WatcherStatus:
    with _lock(path).open("w") as file:
        running = not system.hold(file)
    return WatcherStatus(running, paused(database))


def paused(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM paused LIMIT 1").fetchone() is not None


def pause(database: sqlite3.Connection, until_resumed: bool = True) -> None:
    """Pauses the watch of this account: it files nothing until it is resumed, but goes on learning. With
    `until_resumed` False, resumes it."""
    database.execute("INSERT OR REPLACE INTO paused VALUES (1)" if until_resumed else "DELETE FROM paused")


def _lock(path: Path) -> Path:
    return path.with_suffix(".watch")
