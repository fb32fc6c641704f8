"""The threads of this process. Kernels release the GIL, so pieces of a table are counted in parallel and added."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from threading import Lock, current_thread, local
from typing import Any, TypeVar

from likely import system
from likely.engines.engine import A, P, Parts, R, added

PIECE = 8 << 20
"""Bytes that one piece of work reads. Each piece also costs some Python: the table of `python -m bench --only mixed` is
fitted in 220 ms with pieces of 1 MB, 146 ms with 2, 115 ms with 4, 108 ms with 8 and 105 ms with 16 MB; but larger ones
divide less evenly among threads."""


B = TypeVar("B")


class ThreadParts(Parts[P]):
    """Parts in this process: in memory, or read one after the other, with a few in memory at a time."""

    def __init__(self, parts: Sequence[P]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        return list(stream(lambda number: work(number, self.parts[number]), at))

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["ThreadParts[R]"]:
        results = ThreadParts(self.each(work, range(len(self.parts))))
        try:
            yield results
        finally:
            results.parts = ()  # releases the results, even if the caller still holds this object

    def total(self, work: Callable[[int, P], A]) -> A:
        return added(stream(lambda numbered: work(*numbered), enumerate(self.parts)))


def pieces(rows: int, row_bytes: int, fixed_bytes: int = 0) -> list[slice]:
    """Slices of rows that read about PIECE bytes each, but at least eight times `fixed_bytes`, which a piece must
    allocate and add.

    Slices depend only on the table, not on the machine, and results are added in order. So sums are the same to the bit
    on every machine.
    """
    size = max(1, max(PIECE, 8 * fixed_bytes) // max(row_bytes, 1))
    size = max(1, -(-rows // max(1, -(-rows // size))))  # the same number of pieces, of equal size
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)] or [slice(0, 0)]


def parts(rows: int, most: int = 4) -> list[slice]:
    """Slices of rows, `most` or fewer, of about equal size: for work that takes long although it reads few bytes."""
    ends = [rows * at // most for at in range(most + 1)]
    return [slice(a, b) for a, b in pairwise(ends) if a < b] or [slice(0, 0)]


def each(work: Callable[[slice], R], parts: list[slice]) -> Iterator[R]:
    """The results of the slices, in order; an error in one is raised here."""
    if len(parts) == 1 or _alone():
        return map(work, parts)
    return _pool(os.getpid()).map(work, parts)


def stream(work: Callable[[B], R], batches: Iterable[B]) -> Iterator[R]:
    """The results of batches, in order, while the next batches are read; a few are in memory at a time."""
    if _alone():
        yield from map(work, batches)
        return
    waiting: deque[Future[R]] = deque()
    for batch in batches:
        waiting.append(_pool(os.getpid()).submit(work, batch))
        if len(waiting) > 2 * count():
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def total(work: Callable[[slice], A], parts: list[slice]) -> A:
    """The sum of the results of the slices."""
    return added(each(work, parts))


def run(work: Callable[[slice], None], parts: list[slice]) -> None:
    """Runs work that returns nothing, on each slice."""
    for _ in each(work, parts):
        pass


@cache
def count() -> int:
    """The number of threads: LIKELY_THREADS, or the cores that this process may use."""
    return max(1, int(os.environ.get("LIKELY_THREADS", 0)) or system.cores())


def _alone() -> bool:
    """Whether this thread must do all work itself: because there is only one; because it is a thread of the pool, which
    must not wait for other threads of the pool; or because it is in `alone`."""
    return count() == 1 or current_thread().name.startswith(NAME) or getattr(_state, "alone", False)


NAME = "likely"
_state = local()


@contextmanager
def alone() -> Iterator[None]:
    """In this context, this thread uses no other threads: a cluster already runs a task on each core."""
    before = getattr(_state, "alone", False)
    _state.alone = True
    try:
        yield
    finally:
        _state.alone = before


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """One pool for each process: threads do not survive a fork."""
    return ThreadPoolExecutor(count(), thread_name_prefix=NAME)


MUCH = 1e10
"""From this many multiplications on, BLAS needs seconds, and may use its threads."""
_blas_lock = Lock()


@contextmanager
def blas_alone(work: float = 0) -> Iterator[None]:
    """Limits BLAS to one thread in this process, unless `work`, the number of multiplications, is large.

    numpy and scipy each have a BLAS, whose threads wait for work in a busy loop and take the cores from each other. On
    two cores `bench speed --only logistic_small` takes 1.2 s, and 21 s while another process runs; with this limit,
    0.35 s.
    """
    # Only one limit at a time: two that end in another order than they began would leave BLAS limited for good.
    if work > MUCH or not _blas_lock.acquire(blocking=False):
        yield
        return
    try:
        with _blas().limit(limits=1, user_api="blas"):
            yield
    finally:
        _blas_lock.release()


@cache
def _blas() -> Any:
    import scipy.linalg  # noqa: F401 - whose BLAS is to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
