"""CPU seconds of commands that one process runs again and again, with those of all processes below it.

A first fit in Java takes three times the CPU seconds of the next, and differs by seconds from run to run.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Event, Thread

import psutil

from bench.usage import look
from likely.cli import main

TIMES = 3
"""After a first time that is not counted; the least is taken."""


def warm(commands: dict[str, list[str]]) -> dict[str, float]:
    """The seconds of each."""
    environment = {**os.environ, "LIKELY_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found")
        call = [sys.executable, "-m", "bench.warm", str(found), json.dumps(commands)]
        subprocess.run(call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return dict(json.loads(found.read_text()))


class Watch(Thread):
    """The CPU seconds of this process and all below it: those that end are known as they were last seen."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seconds = dict[int, float]()
        self.ended = Event()

    def run(self) -> None:
        while not self.ended.wait(0.05):
            look(psutil.Process(), self.seconds)

    @property
    def total(self) -> float:
        look(psutil.Process(), self.seconds)
        return sum(self.seconds.values())


def _run(commands: dict[str, list[str]]) -> dict[str, float]:
    taken: dict[str, list[float]] = {name: [] for name in commands}
    watch = Watch()
    watch.start()
    for _ in range(1 + TIMES):
        for name, command in commands.items():
            before = watch.total
            main(command, standalone_mode=False)
            taken[name].append(watch.total - before)
    return {name: min(seconds[1:]) for name, seconds in taken.items()}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(_run(json.loads(sys.argv[2]))))
