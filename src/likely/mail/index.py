"""What was read of an account at a server, so that no message is downloaded twice.

A key names one message for good, so what was read under it stays true. Only the text and the marks that a classifier
reads are kept, compressed, in a file for your eyes alone.
"""

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import closing, nullcontext, suppress
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from likely import __version__
from likely.engines import threads
from likely.mail.account import Account, Gone, Letter, Listing, Unreachable
from likely.mail.database import private, transaction
from likely.mail.history import Entry, History, read_letters
from likely.mail.parsed import batches

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

AT_ONCE = 500
"""Messages taken from the file at once."""

READ_BY = 2
"""Counts the ways in which messages were read: of large ones only the texts, since the second."""


Progress: TypeAlias = Callable[[int, int], None]
"""Is given how many messages were read, and of how many."""


def unseen(done: int, total: int) -> None:
    """The progress that nobody looks at."""


class Index:
    def __init__(self, path: Path, identity: str = "bytes") -> None:
        """`identity` is that of the account: messages that were known otherwise are read again."""
        version = f"{__version__}, read by {READ_BY}, {identity}"
        self.database = private(path)
        self.database.execute("PRAGMA synchronous = NORMAL")  # what is lost is read again
        self.database.executescript(SCHEMA)
        if [tuple(row) for row in self.database.execute("SELECT version FROM about")] != [(version,)]:
            with transaction(self.database):  # another version may read a message otherwise
                self.database.execute("DELETE FROM messages")
                self.database.execute("DELETE FROM about")
                self.database.execute("INSERT INTO about VALUES (?)", (version,))

    def close(self) -> None:
        self.database.close()

    def keys(self, account: Account, folder: str) -> list[str]:
        """Those of a folder, by what has changed since it was listed the last time."""
        row = self.database.execute("SELECT stamp, keys FROM folders WHERE folder = ?", (folder,)).fetchone()
        before = Listing(zlib.decompress(row["keys"]).decode().split(), row["stamp"]) if row is not None else None
        now = account.listing(folder, before)
        if now is not before:
            packed = _packed(" ".join(now.keys))
            self.database.execute("INSERT OR REPLACE INTO folders VALUES (?, ?, ?)", (folder, now.stamp, packed))
        return now.keys

    def history(self, account: Account, spots: Mapping[str, Collection[str]], progress: Progress = unseen) -> History:
        """The messages of some keys in some folders. Those that are not in the file are read, and kept as they come:
        where a connection is lost on the way, the next call goes on from there."""
        known = {folder: self._known(folder) for folder in spots}
        new = {folder: [key for key in keys if key not in known[folder]] for folder, keys in spots.items()}
        pieces = [
            piece
            for folder, keys in spots.items()
            for piece in self._kept(folder, [key for key in keys if key in known[folder]])
        ]
        total, done = sum(map(len, new.values())), 0
        came = chain.from_iterable(account.read(folder, keys) for folder, keys in new.items() if keys)
        for piece in self._read(came):
            pieces.append(piece)
            done += len(piece[0])
            progress(done, total)
        return History.of_pieces(pieces)

    def keep_only(self, spots: Mapping[str, Iterable[str]]) -> None:
        """Forgets what is not in these folders any more, and all other folders."""
        gone = [
            (folder, key)
            for (folder,) in self.database.execute("SELECT DISTINCT folder FROM messages").fetchall()
            for key in self._known(folder) - set(spots.get(folder, ()))
        ]
        with transaction(self.database):
            self.database.executemany("DELETE FROM messages WHERE folder = ? AND key = ?", gone)

    def _known(self, folder: str) -> set[str]:
        return {key for (key,) in self.database.execute("SELECT key FROM messages WHERE folder = ?", (folder,))}

    def _read(self, letters: Iterable[Letter]) -> Iterator[tuple[list[Entry], pa.Table]]:
        lost: list[Unreachable] = []
        came = _until_lost(letters, lost)
        for entries, mail, rows in threads.stream(_rows, batches(came, lambda letter: len(letter.raw))):
            with transaction(self.database):
                self.database.executemany(f"INSERT OR REPLACE INTO messages VALUES ({', '.join('?' * 9)})", rows)
            yield entries, mail
        if lost:
            raise lost[0]

    def _kept(self, folder: str, keys: list[str]) -> Iterator[tuple[list[Entry], pa.Table]]:
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            query = f"SELECT * FROM messages WHERE folder = ? AND key IN ({', '.join('?' * len(some))})"
            rows = self.database.execute(query, (folder, *some)).fetchall()
            columns = {name: _unpacked([row[name] for row in rows]) for name in ("text", "marks")}
            yield [Entry(*tuple(row)[:7]) for row in rows], pa.table(columns)


def _rows(letters: list[Letter]) -> tuple[list[Entry], pa.Table, list[tuple[Any, ...]]]:
    """What is kept of some messages, and as it is written."""
    entries, mail = read_letters(letters)
    texts, marks = (mail[column].to_pylist() for column in ("text", "marks"))
    rows = [
        (one.folder, one.key, one.fingerprint, one.message_id, one.subject, one.sender, one.date, *packed)
        for one, *packed in zip(entries, map(_packed, texts), map(_packed, marks), strict=True)
    ]
    return entries, mail, rows


def _until_lost(letters: Iterable[Letter], lost: list[Unreachable]) -> Iterator[Letter]:
    """Letters that end where the connection does, so that all that came is kept before the error is raised."""
    try:
        yield from letters
    except Unreachable as error:
        lost.append(error)


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8"), 1)


def _unpacked(packed: list[bytes]) -> pa.LargeStringArray:
    texts = [zlib.decompress(one) for one in packed]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return pa.LargeStringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(b"".join(texts)))


def index_path(database: Path) -> Path:
    """The index of an account, next to its database."""
    return database.with_suffix(".index")


def read_history(
    account: Account, database: Path, folders: list[str], without: Set[tuple[str, str]], progress: Progress = unseen
) -> History:
    """All messages of some folders but those of some keys: from the index where the account is at a server, and else
    from the files, which are as fast to read."""
    if not account.remote:
        letters = account.letters(folders)
        return History.of_letters(letter for letter in letters if (letter.folder, letter.key) not in without)
    with closing(opened_index(account, database)) as index:
        spots: dict[str, list[str]] = {}
        for folder in folders:
            with suppress(Gone):
                spots[folder] = [key for key in index.keys(account, folder) if (folder, key) not in without]
        index.keep_only(spots)
        return index.history(account, spots, progress)


def opened_index(account: Account, database: Path) -> Index:
    """That of an account, next to its database."""
    return Index(index_path(database), account.identity)


def listed(account: Account, database: Path, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Folder and key of all messages in some folders, folder by folder; none of those that are gone."""
    with closing(opened_index(account, database)) if account.remote else nullcontext() as index:
        for folder in folders:
            with suppress(Gone):
                keys = account.keys(folder) if index is None else index.keys(account, folder)
                yield from ((folder, key) for key in keys)
