"""Labels in a file of SQLite: every answer is on the disk before it is confirmed, and none is ever overwritten."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import time
from typing import Any, Literal

Chosen = Literal["given", "random", "uncertain", "sought"]
"""How a row came to be labelled: it had a label in the data; it was drawn at random; the model was uncertain of it; or
you looked for it."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    row INTEGER NOT NULL,
    digest BLOB NOT NULL,
    label TEXT,
    chosen TEXT NOT NULL CHECK (chosen IN ('given', 'random', 'uncertain', 'sought')),
    undone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS answers_by_row ON answers (row);
CREATE TABLE IF NOT EXISTS curve (labels INTEGER PRIMARY KEY, wrong INTEGER NOT NULL, judged INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS classes (position INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE);
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What you said of a row; the label is None where you skipped it."""

    id: int
    row: int
    digest: bytes
    label: str | None
    chosen: Chosen


def digest_of(cells: tuple[Any, ...]) -> bytes:
    """By which a row is known again, should the data have changed."""
    return blake2b(repr(cells).encode("utf-8", "surrogatepass"), digest_size=8).digest()


class Labels:
    def __init__(self, path: Path) -> None:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self.path = path
        self.database = sqlite3.connect(path, timeout=30, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.executescript(SCHEMA)
        self._version = self._changes()

    def _changes(self) -> int:
        return int(self.database.execute("PRAGMA data_version").fetchone()[0])

    def changed_by_others(self) -> bool:
        """Whether another process has written since this was asked last."""
        before, self._version = self._version, self._changes()
        return before != self._version

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within is on the disk once it ends; or nothing is."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.database.execute("COMMIT")
        except BaseException:
            if self.database.in_transaction:  # SQLite has rolled back by itself where the disk is full
                self.database.execute("ROLLBACK")
            raise

    def answers(self) -> Iterator[Answer]:
        """All that stand, the oldest first."""
        query = "SELECT id, row, digest, label, chosen FROM answers WHERE undone = 0 ORDER BY id"
        return (Answer(*row) for row in self.database.execute(query))

    def add(self, row: int, digest: bytes, label: str | None, chosen: Chosen) -> int:
        done = self.database.execute(
            "INSERT INTO answers (at, row, digest, label, chosen) VALUES (?, ?, ?, ?, ?)",
            (time(), row, digest, label, chosen),
        )
        return int(done.lastrowid or 0)

    def undo(self) -> Answer | None:
        """Takes back the last answer that stands, and says which it was."""
        query = "SELECT id, row, digest, label, chosen FROM answers WHERE undone = 0 ORDER BY id DESC LIMIT 1"
        found = self.database.execute(query).fetchone()
        if found is None:
            return None
        self.database.execute("UPDATE answers SET undone = 1 WHERE id = ?", (found[0],))
        return Answer(*found)

    def last_of(self, row: int, digest: bytes) -> Answer | None:
        """The last answer that stands on a row as it is now."""
        query = """SELECT id, row, digest, label, chosen FROM answers
            WHERE undone = 0 AND row = ? AND digest = ? ORDER BY id DESC LIMIT 1"""
        found = self.database.execute(query, (row, digest)).fetchone()
        return None if found is None else Answer(*found)

    def classes(self) -> list[str]:
        """In the order in which they were first named: a class keeps its key."""
        return [label for (label,) in self.database.execute("SELECT label FROM classes ORDER BY position")]

    def name(self, label: str) -> None:
        self.database.execute("INSERT OR IGNORE INTO classes (label) VALUES (?)", (label,))

    def keep_error(self, labels: int, wrong: int, judged: int) -> None:
        self.database.execute("INSERT OR REPLACE INTO curve VALUES (?, ?, ?)", (labels, wrong, judged))

    def curve(self) -> list[tuple[int, int, int]]:
        """After how many labels, how many rows were wrong, and of how many."""
        return list(self.database.execute("SELECT labels, wrong, judged FROM curve ORDER BY labels"))

    def close(self) -> None:
        self.database.close()
