"""Many messages, read side by side."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar, overload

from likely import _native
from likely.engines import threads
from likely.mail.dates import date
from likely.mail.message import READER, Message, message

T = TypeVar("T")

BATCH_BYTES = 2**20
"""Bytes of raw messages that a thread reads at a time: 200 messages, in 2 ms."""


class Head(NamedTuple):
    """What a list of messages shows of one."""

    subject: str
    message_id: str
    sender: str
    """The address that it is from; empty where there is none."""
    date: datetime | None
    """As that of `Message`."""


class Parsed(Sequence[Message]):
    """What many messages say. Their text and tokens lie side by side, as `table` wants them; a `Message`, with its date
    and its problems, is made when it is asked for.

    See Also
    --------
    parse_all : makes it.
    """

    def __init__(self, batches: list[_native.Mail]) -> None:
        self.batches = batches

    def __len__(self) -> int:
        return sum(map(len, self.batches))

    @overload
    def __getitem__(self, row: int) -> Message: ...
    @overload
    def __getitem__(self, row: slice) -> list[Message]: ...
    def __getitem__(self, row: int | slice) -> Message | list[Message]:
        if isinstance(row, slice):
            return [self[at] for at in range(len(self))[row]]
        at = range(len(self))[row]
        for batch in self.batches:
            if at < len(batch):
                return message(batch, at)
            at -= len(batch)
        raise AssertionError("rows are those of the batches")

    def __iter__(self) -> Iterator[Message]:
        return (message(batch, row) for batch in self.batches for row in range(len(batch)))

    def heads(self) -> Iterator[Head]:
        """Of each message; in a third of the time of all that it says."""
        for batch in self.batches:
            for row in range(len(batch)):
                _, marks, subject, message_id, sent, received, _ = batch.row(row)
                sender = f" {marks}".partition(" from:")[2].partition(" ")[0]
                yield Head(subject, message_id, sender, date(sent) or date(received))


def parse_all(raws: Iterable[bytes]) -> Parsed:
    """Reads messages as `parse` does, on all cores: while some are read, the next are taken from `raws`.

    Parameters
    ----------
    raws : iterable of bytes
        The messages, as they were sent.

    Returns
    -------
    Parsed
        A sequence of `Message`; `table` reads it without a copy.

    See Also
    --------
    parse : one message.
    table : messages as a table.

    Examples
    --------
    >>> from likely.mail import parse_all
    >>> [message.subject for message in parse_all([b"Subject: Party\\n\\nTonight", b"Subject: Exam\\n\\nTomorrow"])]
    ['Party', 'Exam']
    """
    return Parsed(list(threads.stream(READER.read, batches(raws, len))))


def batches(items: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """Items in lists of some `BATCH_BYTES` each, by the size of each item."""
    batch: list[T] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= BATCH_BYTES:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
