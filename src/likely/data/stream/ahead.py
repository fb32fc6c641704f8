"""Reading ahead: the next batch is read while the last one is worked on."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

WORKERS = 2
"""Blocks of CSV that are parsed in parallel."""


def ahead(batches: Iterable[T]) -> Iterator[T]:
    """The same batches. Another thread reads each before it is asked for. An error is raised in its place."""
    iterator, end = iter(batches), object()
    with ThreadPoolExecutor(1, thread_name_prefix="likely-read") as reader:
        waiting = reader.submit(next, iterator, end)
        while (batch := waiting.result()) is not end:
            waiting = reader.submit(next, iterator, end)
            yield batch  # type: ignore[misc]


def ahead_of(work: Callable[[S], T], items: Iterable[S]) -> Iterator[T]:
    """What `work` makes of each item, in their order. Some are made in parallel before they are asked for."""
    waiting: deque[Future[T]] = deque()
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="likely-parse") as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
