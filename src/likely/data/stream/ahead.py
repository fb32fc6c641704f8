"""Reading ahead: the next batch is read while the last one is worked on."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(batches: Iterable[T]) -> Iterator[T]:
    """The same batches, each read by another thread before it is asked for. An error comes in its place."""
    iterator, end = iter(batches), object()
    with ThreadPoolExecutor(1, thread_name_prefix="likely-read") as reader:
        waiting = reader.submit(next, iterator, end)
        while (batch := waiting.result()) is not end:
            waiting = reader.submit(next, iterator, end)
            yield batch  # type: ignore[misc]
