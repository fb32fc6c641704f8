"""The messages of an account as a table, in order of date."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import time

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.engines import threads
from likely.mail.account import Letter
from likely.mail.message import READER
from likely.mail.parsed import Head, Parsed, batches
from likely.mail.table import table

EARLIEST = 315532800.0
"""1980: an earlier date comes from a clock that was never set."""


NOTHING = table(Parsed([]))
"""The table of no messages."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of a message, except its words."""

    folder: str
    key: str
    fingerprint: str
    message_id: str
    subject: str
    sender: str
    date: float


@dataclass(frozen=True)
class History:
    entries: Sequence[Entry]
    mail: pa.Table
    """The table that `likely.mail.table` makes. `mail[:]` loads all of it."""

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def folders(self) -> list[str]:
        return [entry.folder for entry in self.entries]

    @property
    def dates(self) -> NDArray[np.float64]:
        return np.array([entry.date for entry in self.entries])

    def coded(self) -> tuple[NDArray[np.object_], NDArray[np.int32]]:
        """The sorted names of the folders, and for each message the code of its folder."""
        names = sorted(set(self.folders))
        codes = {name: code for code, name in enumerate(names)}
        return np.array(names, object), np.array([codes[folder] for folder in self.folders], np.int32)

    @property
    def letters(self) -> NDArray[np.int64]:
        """A number for each message, the same for copies of it in several folders. A program that copies mail may give
        each copy its own Message-ID, so copies are recognised by sender, subject, date and text."""
        hashes = (hash((entry.sender, entry.subject, entry.date)) for entry in self.entries)
        named = np.fromiter(hashes, np.int64, len(self))
        _, number, often = np.unique(named, return_inverse=True, return_counts=True)
        again = np.flatnonzero(often[number] > 1)
        texts = self.of(again).mail[:]["text"].to_pylist()
        named[again] = [hash(both) for both in zip(named[again].tolist(), texts, strict=True)]
        return np.unique(named, return_inverse=True)[1]

    def of(self, rows: Iterable[int]) -> "History":
        at = np.fromiter(rows, np.int64)
        # From a list, Arrow would import pandas if it is installed, which takes 44 MB of memory.
        taken = pa.Array.from_buffers(pa.int64(), len(at), [None, pa.py_buffer(at)])
        return History([self.entries[row] for row in at], self.mail.take(taken))

    def loaded(self) -> "History":
        """The same history, with all of it in memory."""
        return History(list(self.entries), self.mail[:])

    def latest(self, since: float | None = None, limit: int | None = None) -> "History":
        """The messages written `since` a time, and only the last `limit` of them."""
        rows = [row for row, date in enumerate(self.dates) if since is None or date >= since]
        return self if len(rows) == len(self) and limit is None else self.of(rows[-limit if limit else 0 :])

    @classmethod
    def of_letters(cls, letters: Iterable[Letter]) -> "History":
        """Parses letters in other threads while the next ones are fetched from `letters`. Keeps what it parsed, not the
        raw messages."""
        return cls.of_pieces(threads.stream(read_letters, batches(letters, lambda letter: len(letter.raw))))

    @classmethod
    def of_pieces(cls, pieces: Iterable[tuple[list[Entry], pa.Table]]) -> "History":
        entries: list[Entry] = []
        tables = [NOTHING]
        for more, mail in pieces:
            entries += more
            tables.append(mail)
        order = np.argsort([entry.date for entry in entries], kind="stable")
        return cls(entries, pa.concat_tables(tables)).of(order)


def read_letters(letters: list[Letter]) -> tuple[list[Entry], pa.Table]:
    """The entries of some messages, and their table."""
    read = Parsed([READER.read([letter.raw for letter in letters])])
    return [_entry(letter, head) for letter, head in zip(letters, read.heads(), strict=True)], table(read)


def _entry(letter: Letter, head: Head) -> Entry:
    fields = (letter.folder, letter.key, letter.fingerprint, head.message_id, head.subject[:200], head.sender)
    return Entry(*fields, _date(letter, head))


def _date(letter: Letter, head: Head) -> float:
    """When it was written; when it arrived, if the date in its header is missing or impossible."""
    date = head.date.timestamp() if head.date is not None else 0.0
    latest = letter.arrived + 86400 if letter.arrived else time() + 86400
    return date if EARLIEST <= date <= latest else letter.arrived
