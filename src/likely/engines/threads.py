"""The threads of this process. Kernels release the GIL, so pieces of a table are counted side by side and added."""

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
"""Bytes read by one piece of work. Each costs some Python too: the table of `python -m bench --only mixed` fits in
220 ms with pieces of 1 MB, 146 with 2, 115 with 4, 108 with 8 and 105 with 16, which leave fewer to share out."""


B = TypeVar("B")


class ThreadParts(Parts[P]):
    """Parts in this process: those that are there, or that are read one after the other, a few at a time."""

    def __init__(self, parts: Sequence[P]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts)

    def each(self, work: Callable[[int, P], R], at: Sequence[int]) -> list[R]:
        return list(stream(lambda number: work(number, self.parts[number]), at))

    @contextmanager
    def kept(self, work: Callable[[int, P], R]) -> Iterator["ThreadParts[R]"]:
        found = ThreadParts(self.each(work, range(len(self.parts))))
        try:
            yield found
        finally:
            found.parts = ()  # whoever has it still

    def total(self, work: Callable[[int, P], A]) -> A:
        return added(stream(lambda numbered: work(*numbered), enumerate(self.parts)))


def pieces(rows: int, row_bytes: int, fixed_bytes: int = 0) -> list[slice]:
    """Rows parted so that each piece reads about PIECE bytes, and eight times what it must allocate and add.

    The pieces depend on the table alone, not on the machine, and are added in order: so are the sums, to the bit.
    """
    size = max(1, max(PIECE, 8 * fixed_bytes) // max(row_bytes, 1))
    size = max(1, -(-rows // max(1, -(-rows // size))))  # as many pieces, all alike
    return [slice(start, min(start + size, rows)) for start in range(0, rows, size)] or [slice(0, 0)]


def parts(rows: int, most: int = 4) -> list[slice]:
    """Rows in a few parts that are as large: for work that is worth sharing out, however few bytes it reads."""
    ends = [rows * at // most for at in range(most + 1)]
    return [slice(a, b) for a, b in pairwise(ends) if a < b] or [slice(0, 0)]


def each(work: Callable[[slice], R], parts: list[slice]) -> Iterator[R]:
    """The results of the pieces, in their order; an error in one is raised here."""
    if len(parts) == 1 or _alone():
        return map(work, parts)
    return _pool(os.getpid()).map(work, parts)


def stream(work: Callable[[B], R], batches: Iterable[B]) -> Iterator[R]:
    """The results of batches, in their order, while the next are made; a few are held at a time."""
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
    """The sum of the results of the pieces."""
    return added(each(work, parts))


def run(work: Callable[[slice], None], parts: list[slice]) -> None:
    for _ in each(work, parts):
        pass


@cache
def count() -> int:
    """LIKELY_THREADS, or the cores that this process may use."""
    return max(1, int(os.environ.get("LIKELY_THREADS", 0)) or system.cores())


def _alone() -> bool:
    """Whether there is one thread; or this is one of the pool, which must not wait for others of it; or it was asked to
    work alone."""
    return count() == 1 or current_thread().name.startswith(NAME) or getattr(_asked, "alone", False)


NAME = "likely"
_asked = local()


@contextmanager
def alone() -> Iterator[None]:
    """What this thread does here it does by itself: a cluster has a task for each of its cores already."""
    before = getattr(_asked, "alone", False)
    _asked.alone = True
    try:
        yield
    finally:
        _asked.alone = before


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """One pool a process: threads do not survive a fork."""
    return ThreadPoolExecutor(count(), thread_name_prefix=NAME)


MUCH = 1e10
"""Multiplications that take BLAS seconds, and so are worth its threads."""
_blas_lock = Lock()


@contextmanager
def blas_alone(work: float = 0) -> Iterator[None]:
    """With one thread for BLAS in this process, unless there is much work for it, in multiplications.

    numpy and scipy have a BLAS each, whose threads wait for work at full speed and take the cores from each other. With
    two cores `bench speed --only logistic_small` takes 1.2 s, and 21 s while another process runs; with this, .35 s.
    """
    # Two at a time that end in another order would leave it so for good.
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
