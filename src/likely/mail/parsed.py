"""Parses many messages at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar, overload

from likely import _native
from likely.engines import threads
from likely.mail.dates import date
from likely.mail.message import READER, Message, message

T = TypeVar("T")

BATCH_BYTES = 2**20
"""How many bytes of raw messages a thread parses at a time: about 200 messages, in 2 ms."""


class Head(NamedTuple):
    """The fields of a message that a list of messages shows."""

    subject: str
    message_id: str
    sender: str
    """The address of the sender; "" if there is none."""
    date: datetime | None
    """The same as in `Message`."""


class Parsed(Sequence[Message]):
    """Many parsed messages. All their texts are in one buffer, and all their tokens in another, which `table` uses
    without a copy. A `Message`, with its date and problems, is made when you ask for it.

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
        """The head of each message; it takes a third of the time that the whole `Message` takes."""
        for batch in self.batches:
            for row in range(len(batch)):
                _, marks, subject, message_id, sent, received, _ = batch.row(row)
                sender = f" {marks}".partition(" from:")[2].partition(" ")[0]
                yield Head(subject, message_id, sender, date(sent) or date(received))


def parse_all(raws: Iterable[bytes]) -> Parsed:
    """Parses messages as `parse` does, on all cores. The next messages are taken from `raws` meanwhile.

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
    """Items in lists of about `BATCH_BYTES` each; `size` gives the bytes of an item."""
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
