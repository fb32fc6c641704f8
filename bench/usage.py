"""CPU seconds, memory and time by the clock of a command with all processes below it."""

import os
import subprocess
import time
from typing import NamedTuple

import psutil

TIMES = 2
"""How often each command is run; the least of its CPU seconds is shown."""


class Usage(NamedTuple):
    """Of a command and all processes below it, as last seen."""

    seconds: float
    peak: float
    """Megabytes of the process that had most at any time."""
    clock: float
    """Seconds from start to end."""


def used(arguments: list[str], threads: int, **more: str) -> Usage:
    environment = {**os.environ, "LIKELY_THREADS": str(threads), "OMP_NUM_THREADS": "1", **more}
    silent, start = subprocess.DEVNULL, time.monotonic()
    with psutil.Popen(arguments, env=environment, stdout=silent, stderr=silent) as process:
        seconds, peak = dict[int, float](), 0
        while process.poll() is None:
            peak = max(peak, look(process, seconds))
            time.sleep(0.05)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed")
    return Usage(sum(seconds.values()), peak / 1e6, time.monotonic() - start)


def look(process: psutil.Process, seconds: dict[int, float]) -> int:
    """Notes the CPU seconds of a process and all below it, and returns the bytes of the largest."""
    peak = 0
    for one in [process, *process.children(recursive=True)]:
        try:
            times = one.cpu_times()
            seconds[one.pid] = times.user + times.system
            peak = max(peak, one.memory_info().rss)
        except psutil.Error:
            continue
    return peak
