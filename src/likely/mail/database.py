"""The database of an account: what was learned, and the journal of moves. It is SQLite, and every change is on disk
before the call returns."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from time import monotonic, sleep

from likely import system

SCHEMA = """
CREATE TABLE IF NOT EXISTS moves (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    fingerprint TEXT NOT NULL,
    message_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    target TEXT NOT NULL,
    mark TEXT NOT NULL,
    new_key TEXT,
    sure REAL,
    undoes INTEGER REFERENCES moves(id),
    state TEXT NOT NULL CHECK (state IN ('intended', 'moved', 'refused', 'stopped')),
    why TEXT NOT NULL DEFAULT '',
    sender TEXT NOT NULL DEFAULT '',
    corrected TEXT,
    action TEXT NOT NULL DEFAULT 'move',
    keyword TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS moves_by_fingerprint ON moves (fingerprint);
CREATE TABLE IF NOT EXISTS placed (
    folder TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    date REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('learned', 'waiting', 'seen')),
    since REAL NOT NULL,
    gone REAL,
    PRIMARY KEY (folder, key)
);
CREATE INDEX IF NOT EXISTS placed_by_fingerprint ON placed (fingerprint);
CREATE TABLE IF NOT EXISTS left_alone (fingerprint TEXT PRIMARY KEY, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS paused (id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS model (version INTEGER PRIMARY KEY, state BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS about (identity TEXT NOT NULL);
"""


ADDED = {
    "sender": "TEXT NOT NULL DEFAULT ''",
    "corrected": "TEXT",
    "action": "TEXT NOT NULL DEFAULT 'move'",
    "keyword": "TEXT NOT NULL DEFAULT ''",
}
"""Columns of the table "moves" that earlier versions did not have: the sender, the folder to which you moved the
message later, and the action."""

PATIENCE = 60.0
"""How many seconds to wait for another process: a watch holds the lock of its account only while it works."""


class Busy(Exception):
    """Another process works on the same account."""


def home() -> Path:
    """The folder with the files of all accounts: LIKELY_HOME, or "likely" in the XDG state folder."""
    if given := os.environ.get("LIKELY_HOME"):
        return Path(given)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "likely"


def path_for(address: str, folder: Path | None = None) -> Path:
    """The database file of one account. Its name has the address, with other characters than letters, digits and .@-
    replaced, and a digest of it."""
    plain = "".join(c if c.isalnum() or c in ".@-" else "_" for c in address)[-60:]
    short = blake2b(address.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return (folder or home()) / "mail" / f"{plain}-{short}.sqlite"


def private(path: Path) -> sqlite3.Connection:
    """A database that only you can read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    database = sqlite3.connect(path, timeout=30, isolation_level=None)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA journal_mode = WAL")
    return database


def opened(path: Path) -> sqlite3.Connection:
    """The open database of an account, with all tables."""
    database = private(path)
    database.execute("PRAGMA synchronous = FULL")
    database.executescript(SCHEMA)
    for column, kind in ADDED.items():
        if column not in {row["name"] for row in database.execute("PRAGMA table_info(moves)")}:
            with suppress(sqlite3.OperationalError):  # another process was faster
                database.execute(f"ALTER TABLE moves ADD COLUMN {column} {kind}")
    return database


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:  # if the disk is full, SQLite has rolled back already
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


@contextmanager
def alone(path: Path, seconds: float = PATIENCE) -> Iterator[None]:
    """A lock that a process holds while it learns or files. Others wait for it, at most this number of seconds."""
    end = monotonic() + seconds
    with path.with_suffix(".lock").open("w") as file:
        while not system.hold(file):
            if monotonic() > end:
                raise Busy(f"another process works on this account: it holds {str(path)!r}")
            sleep(0.05)
        yield
