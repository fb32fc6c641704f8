"""Labels in an SQLite file: every answer is on disk before it is confirmed, and no answer is ever overwritten."""

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
"""How a row was chosen: it had a label in the data; it was drawn at random; the model was uncertain about it; or you
chose it yourself."""

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
    """Your answer on a row."""

    id: int
    row: int
    digest: bytes
    """The digest of the row's cells when you answered."""
    label: str | None
    """None if you skipped the row."""
    chosen: Chosen


def digest_of(cells: tuple[Any, ...]) -> bytes:
    """A digest of the cells of a row. It shows whether the row has changed since it was labelled."""
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
        """Whether another process has written to the file since the last call."""
        before, self._version = self._version, self._changes()
        return before != self._version

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Writes everything in the block to disk, or nothing if it fails."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.database.execute("COMMIT")
        except BaseException:
            if self.database.in_transaction:  # if the disk is full, SQLite has rolled back already
                self.database.execute("ROLLBACK")
            raise

    def answers(self) -> Iterator[Answer]:
        """All answers that are not undone, the oldest first."""
        query = "SELECT id, row, digest, label, chosen FROM answers WHERE undone = 0 ORDER BY id"
        return (Answer(*row) for row in self.database.execute(query))

    def add(self, row: int, digest: bytes, label: str | None, chosen: Chosen) -> int:
        done = self.database.execute(
            "INSERT INTO answers (at, row, digest, label, chosen) VALUES (?, ?, ?, ?, ?)",
            (time(), row, digest, label, chosen),
        )
        return int(done.lastrowid or 0)

    def undo(self) -> Answer | None:
        """Undoes the last answer that is not undone yet, and returns it; None if there is none."""
        query = "SELECT id, row, digest, label, chosen FROM answers WHERE undone = 0 ORDER BY id DESC LIMIT 1"
        found = self.database.execute(query).fetchone()
        if found is None:
            return None
        self.database.execute("UPDATE answers SET undone = 1 WHERE id = ?", (found[0],))
        return Answer(*found)

    def last_of(self, row: int, digest: bytes) -> Answer | None:
        """The last answer on a row that is not undone, and for which the row has not changed since; None if none."""
        query = """SELECT id, row, digest, label, chosen FROM answers
            WHERE undone = 0 AND row = ? AND digest = ? ORDER BY id DESC LIMIT 1"""
        found = self.database.execute(query, (row, digest)).fetchone()
        return None if found is None else Answer(*found)

    def classes(self) -> list[str]:
        """The classes, in the order of their first use: so a class keeps its key."""
        return [label for (label,) in self.database.execute("SELECT label FROM classes ORDER BY position")]

    def name(self, label: str) -> None:
        self.database.execute("INSERT OR IGNORE INTO classes (label) VALUES (?)", (label,))

    def keep_error(self, labels: int, wrong: int, judged: int) -> None:
        self.database.execute("INSERT OR REPLACE INTO curve VALUES (?, ?, ?)", (labels, wrong, judged))

    def curve(self) -> list[tuple[int, int, int]]:
        """The learning curve: number of labels, wrong rows, judged rows."""
        return list(self.database.execute("SELECT labels, wrong, judged FROM curve ORDER BY labels"))

    def close(self) -> None:
        self.database.close()
