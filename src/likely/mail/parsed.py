"""Many messages, read side by side."""

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from likely import _native
from likely.engines import threads
from likely.mail.message import READER, Message, message

BATCH_BYTES = 2**20
"""Bytes of raw messages that a thread reads at a time: 200 messages, in 2 ms."""


class Parsed(Sequence[Message]):
    """What many messages say. Their text and tokens lie side by side, as `table` wants them; a `Message`, with its date
    and its problems, is made when it is asked for."""

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


def parse_all(raws: Iterable[bytes]) -> Parsed:
    """Reads messages as `parse` does, on all cores: while some are read, the next are taken from `raws`."""
    return Parsed(list(threads.stream(READER.read, _batches(raws))))


def _batches(raws: Iterable[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for raw in raws:
        batch.append(raw)
        size += len(raw)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
