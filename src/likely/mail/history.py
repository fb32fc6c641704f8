"""The messages of an account as a table, in the order of their dates."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import time

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.mail.account import Letter
from likely.mail.message import Message
from likely.mail.parsed import parse_all
from likely.mail.table import table

AT_ONCE = 1000
"""Messages parsed before they become a piece of the table: of each, only the table and a line are kept."""

EARLIEST = 315532800.0
"""1980: a date before that is a clock that was never set."""


NOTHING = pa.table({"text": pa.array([], pa.large_string()), "marks": pa.array([], pa.large_string())})
"""The table of no messages."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of a message beside its words."""

    folder: str
    key: str
    fingerprint: str
    message_id: str
    subject: str
    sender: str
    date: float


@dataclass(frozen=True)
class History:
    entries: list[Entry]
    mail: pa.Table

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def folders(self) -> list[str]:
        return [entry.folder for entry in self.entries]

    @property
    def dates(self) -> NDArray[np.float64]:
        return np.array([entry.date for entry in self.entries])

    def of(self, rows: Iterable[int]) -> "History":
        rows = list(rows)
        return History([self.entries[row] for row in rows], self.mail.take(pa.array(rows, pa.int64())))

    @classmethod
    def of_letters(cls, letters: Iterable[Letter]) -> "History":
        entries: list[Entry] = []
        pieces = [NOTHING]
        for some in _batches(letters):
            read = parse_all(letter.raw for letter in some)
            entries += [_entry(letter, message) for letter, message in zip(some, read, strict=True)]
            pieces.append(table(read))
        order = sorted(range(len(entries)), key=lambda row: entries[row].date)
        return cls(entries, pa.concat_tables(pieces)).of(order)


def _batches(letters: Iterable[Letter]) -> Iterator[list[Letter]]:
    some: list[Letter] = []
    for letter in letters:
        some.append(letter)
        if len(some) == AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _entry(letter: Letter, message: Message) -> Entry:
    sender = next((token[5:] for token in message.tokens if token.startswith("from:")), "")
    told = (letter.folder, letter.key, letter.fingerprint, message.message_id, message.subject[:200], sender)
    return Entry(*told, _date(letter, message))


def _date(letter: Letter, message: Message) -> float:
    """When it was written; but when it came, where that cannot be."""
    date = message.date.timestamp() if message.date is not None else 0.0
    latest = letter.arrived + 86400 if letter.arrived else time() + 86400
    return date if EARLIEST <= date <= latest else letter.arrived
