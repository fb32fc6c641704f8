"""The index of an account at a server: a cache, so that no message is downloaded twice.

A key always names the same message, so a message that was read stays valid. The index keeps only the text and the marks
that the classifier reads, compressed, in a file that only you can read.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import closing, contextmanager, nullcontext, suppress
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from likely import __version__
from likely.engines import threads
from likely.mail.account import Account, Gone, Letter, Listing, Unreachable
from likely.mail.database import private, transaction
from likely.mail.history import History, read_letters
from likely.mail.indexed_history import AT_ONCE, IndexedHistory, IndexedRows, packed, unpacked
from likely.mail.parsed import batches
from likely.mail.reading import COLUMNS

SCHEMA = """
CREATE TABLE IF NOT EXISTS messages (
    folder TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    message_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    sender TEXT NOT NULL,
    date REAL NOT NULL,
    text BLOB NOT NULL,
    marks BLOB NOT NULL,
    PRIMARY KEY (folder, key)
);
CREATE TABLE IF NOT EXISTS folders (folder TEXT PRIMARY KEY, stamp TEXT NOT NULL, keys BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS about (version TEXT NOT NULL);
"""

ENTRY_FIELDS = ("folder", "key", "fingerprint", "message_id", "subject", "sender", "date")

READ_BY = 3
"""The version of how messages are read and kept. Since 2, only the texts of large messages are read; since 3, short
texts are not compressed."""


Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of messages read so far, and the number of all."""


def unseen(done: int, total: int) -> None:
    """Progress that is not shown."""


class Index:
    def __init__(self, path: Path, identity: str = "bytes") -> None:
        """`identity` is how the account identifies messages. If it differs from that of the file, all are read
        again."""
        version = f"{__version__}, read by {READ_BY}, {identity}"
        self.database = private(path)
        self.database.execute("PRAGMA synchronous = NORMAL")  # what a crash loses can be read again
        self.database.executescript(SCHEMA)
        if [tuple(row) for row in self.database.execute("SELECT version FROM about")] != [(version,)]:
            with transaction(self.database):  # another version may read a message otherwise
                self.database.execute("DELETE FROM messages")
                self.database.execute("DELETE FROM about")
                self.database.execute("INSERT INTO about VALUES (?)", (version,))

    def close(self) -> None:
        self.database.close()

    def keys(self, account: Account, folder: str) -> list[str]:
        """The keys of a folder. The account reports only what has changed since the last call, if it can."""
        row = self.database.execute("SELECT stamp, keys FROM folders WHERE folder = ?", (folder,)).fetchone()
        before = Listing(unpacked(row["keys"]).decode().split(), row["stamp"]) if row is not None else None
        now = account.listing(folder, before)
        if now is not before:
            keys = packed(" ".join(now.keys))
            self.database.execute("INSERT OR REPLACE INTO folders VALUES (?, ?, ?)", (folder, now.stamp, keys))
        return now.keys

    def read(self, account: Account, spots: Mapping[str, Collection[str]], progress: Progress = unseen) -> None:
        """Reads the messages with these keys (per folder) that are not in the file yet. Each is kept as it comes: if
        the connection is lost, the next call continues from there."""
        new = {
            folder: [key for key in keys if key not in known]
            for folder, keys in spots.items()
            for known in (self._known(folder),)
        }
        total, done = sum(map(len, new.values())), 0
        lost: list[Unreachable] = []
        letters = chain.from_iterable(account.read(folder, keys) for folder, keys in new.items() if keys)
        came = batches(_until_lost(letters, lost), lambda letter: len(letter.raw))
        for rows in threads.stream(_rows, came):
            with transaction(self.database):
                self.database.executemany(f"INSERT OR REPLACE INTO messages VALUES ({', '.join('?' * 9)})", rows)
            done += len(rows)
            progress(done, total)
        if lost:
            raise lost[0]

    def history(self, spots: Mapping[str, Collection[str]]) -> History:
        """The messages with these keys (per folder) that are in the file. They are read from it when needed: until then
        keep the index open, and write nothing to it."""
        self.database.execute("BEGIN")
        rows = [row for folder, keys in spots.items() for row in self._kept(folder, list(keys))]
        order = np.argsort([row["date"] for row in rows], kind="stable")
        numbers = np.array([row["rowid"] for row in rows], np.int64)
        return IndexedHistory.of_rows(IndexedRows(self.database, numbers[order]))

    def named(self, message_id: str) -> list[tuple[str, str]]:
        """The folder and key of each message with this Message-ID, with or without angle brackets."""
        wanted = message_id.strip("<> ")
        query = "SELECT folder, key FROM messages WHERE trim(message_id, '<> ') = ?"
        return [tuple(row) for row in self.database.execute(query, (wanted,))]

    def keep_only(self, spots: Mapping[str, Iterable[str]]) -> None:
        """Forgets all messages except those with these keys (per folder)."""
        gone = [
            (folder, key)
            for (folder,) in self.database.execute("SELECT DISTINCT folder FROM messages").fetchall()
            for key in self._known(folder) - set(spots.get(folder, ()))
        ]
        with transaction(self.database):
            self.database.executemany("DELETE FROM messages WHERE folder = ? AND key = ?", gone)

    def _known(self, folder: str) -> set[str]:
        return {key for (key,) in self.database.execute("SELECT key FROM messages WHERE folder = ?", (folder,))}

    def _kept(self, folder: str, keys: list[str]) -> Iterator[sqlite3.Row]:
        """The rowid, key and date of the messages with these keys that are in the file."""
        for start in range(0, len(keys), AT_ONCE):
            part = keys[start : start + AT_ONCE]
            which = f"folder = ? AND key IN ({', '.join('?' * len(part))})"
            query = f"SELECT rowid, key, date FROM messages WHERE {which}"
            rows = {row["key"]: row for row in self.database.execute(query, (folder, *part))}
            yield from (rows[key] for key in part if key in rows)


def _rows(letters: list[Letter]) -> list[tuple[Any, ...]]:
    """The rows of the table "messages" for some letters."""
    entries, mail = read_letters(letters)
    texts = [map(packed, mail[column].to_pylist()) for column in COLUMNS]
    return [
        (*(getattr(entry, field) for field in ENTRY_FIELDS), *both)
        for entry, *both in zip(entries, *texts, strict=True)
    ]


def _until_lost(letters: Iterable[Letter], lost: list[Unreachable]) -> Iterator[Letter]:
    """The letters up to a lost connection, whose error goes to `lost`: so those that came are kept before it is
    raised."""
    try:
        yield from letters
    except Unreachable as error:
        lost.append(error)


def index_path(database: Path) -> Path:
    """The index of an account, next to its database."""
    return database.with_suffix(".index")


@contextmanager
def read_history(
    account: Account, database: Path, folders: list[str], without: Set[tuple[str, str]], progress: Progress = unseen
) -> Iterator[History]:
    """All messages of some folders, `without` those at these spots (folder and key). For an account at a server they
    come from the index; mail files are as fast to read directly."""
    if not account.remote:
        letters = account.letters(folders)
        yield History.of_letters(letter for letter in letters if (letter.folder, letter.key) not in without)
        return
    with closing(opened_index(account, database)) as index:
        spots: dict[str, list[str]] = {}
        for folder in folders:
            with suppress(Gone):
                spots[folder] = [key for key in index.keys(account, folder) if (folder, key) not in without]
        index.keep_only(spots)
        index.read(account, spots, progress)
        yield index.history(spots)


def opened_index(account: Account, database: Path) -> Index:
    """The open index of an account, next to its database."""
    return Index(index_path(database), account.identity)


def listed(account: Account, database: Path, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The folder and key of all messages in some folders, folder by folder. A folder that is gone is skipped."""
    with closing(opened_index(account, database)) if account.remote else nullcontext() as index:
        for folder in folders:
            with suppress(Gone):
                keys = account.keys(folder) if index is None else index.keys(account, folder)
                yield from ((folder, key) for key in keys)
