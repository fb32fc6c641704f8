"""How things are measured: both sides warmed up, in turn, the best of several."""

import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from bench.table import milliseconds
from likely.engines import threads

Work = Callable[[], Any]


def best(*works: Work, seconds: float = 4.0, least: int = 3) -> list[float]:
    """The shortest time of each, in seconds. They take turns, so that a slow moment of the machine hits all alike."""
    times = [[] for _ in works]
    for work in works:
        work()
    gc.disable()
    try:
        start = perf_counter()
        while min(map(len, times)) < least or perf_counter() - start < seconds:
            for work, taken in zip(works, times, strict=True):
                begin = perf_counter()
                work()
                taken.append(perf_counter() - begin)
            if perf_counter() - start > 10 * seconds and min(map(len, times)) > 0:
                break
    finally:
        gc.enable()
    return [min(taken) for taken in times]


def read_array(x: Any) -> str:
    """The time of one read of an array by all cores."""
    words = x.reshape(-1).view(np.uint8)[: x.nbytes // 8 * 8].view(np.int64)
    halves = np.array_split(words, threads.count())
    with ThreadPoolExecutor(len(halves)) as pool:
        (taken,) = best(lambda: list(pool.map(np.bitwise_xor.reduce, halves)), seconds=1)
    return milliseconds(taken)


def peak_memory(work: Work, warm: bool = True) -> int:
    """How far the memory of this process rises while the work runs, in bytes; native memory is part of it.

    Work that runs the first time, not `warm`, also pays for what it keeps.
    """
    if warm:
        work()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the highest mark so far
    before = _status("VmRSS")
    work()
    return _status("VmHWM") - before


def _status(field: str) -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024
