"""`python -m bench.engines [--rows N] [--only fit|predict]`: CPU seconds of engines compared with one process.

All read the same Parquet files.

Each command is run with all its workers, and the CPU seconds of all their processes are added: seconds on a clock say
little on a machine that does other work. Starting a cluster is measured on a thousand rows, and shown apart.
"""

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import pyarrow as pa
from pyarrow import parquet as pq

from likely.data import Sample, read
from likely.models.learned import count
from likely.models.naive_bayes import NaiveBayesModel

WORDS = 100_000
GROUP = 100_000
FILES = 4
COMMAND = Path(sys.executable).with_name("likely")


def write(folder: Path, rows: int) -> None:
    """20 mixed columns and 5 classes, a twentieth of one column missing, in FILES files."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    for file in range(FILES):
        n = rows // FILES
        y = rng.integers(0, 5, n)
        columns = {f"x{j}": rng.normal(y * (j % 3)) for j in range(8)}
        columns["x0"][rng.random(n) < 0.05] = np.nan
        columns |= {f"c{j}": np.array(["red", "green", "blue", "black"])[rng.integers(0, 4, n)] for j in range(4)}
        columns |= {f"n{j}": rng.poisson(2 + y) for j in range(4)}
        columns |= {f"b{j}": rng.random(n) < 0.1 + y / 10 for j in range(4)}
        table = pa.table({**columns, "y": np.array(list("abcde"))[y]})
        pq.write_table(table, folder / f"{file}.parquet", row_group_size=GROUP)


class Usage(NamedTuple):
    """Of a command and all processes below it, as last seen."""

    seconds: float
    peak: float
    """Megabytes of the process that had most at any time."""


def used(arguments: list[str], threads: int) -> Usage:
    environment = {**os.environ, "LIKELY_THREADS": str(threads), "OMP_NUM_THREADS": "1"}
    silent = subprocess.DEVNULL
    with psutil.Popen(arguments, env=environment, stdout=silent, stderr=silent) as process:
        seconds, peak = dict[int, float](), 0
        while process.poll() is None:
            for one in [process, *process.children(recursive=True)]:
                try:
                    times = one.cpu_times()
                    seconds[one.pid] = times.user + times.system
                    peak = max(peak, one.memory_info().rss)
                except psutil.Error:
                    continue
            time.sleep(0.05)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed")
    return Usage(sum(seconds.values()), peak / 1e6)


def sizes() -> None:
    """Bytes that travel: the sums of a part, as they are sent."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 5000).astype(np.int32)
    numbers = Sample(read(rng.normal(size=(5000, 50))), y, np.arange(10))
    print(f"sums of 50 Gaussian columns and 10 classes: {_sent('gaussian', numbers):,} bytes")
    texts = [" ".join(f"word{at}" for at in range(first, first + 100)) for first in range(0, WORDS, 100)]
    words = Sample(read(texts * 2), np.repeat([0, 1], len(texts)).astype(np.int32), np.arange(2))
    each = _sent("text_multinomial", words) / WORDS
    print(f"sums of {WORDS:,} words of 9 letters, each seen in 2 classes: {each:.1f} bytes a word")


def _sent(family: str, sample: Sample) -> int:
    return len(pickle.dumps(count(NaiveBayesModel(family).plans(sample), sample)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engines")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--only", choices=["fit", "predict"])
    asked = parser.parse_args()
    rows = asked.rows
    sizes()
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        write(home / "few", 1000)
        write(home / "many", rows)
        here = {"one process": ([], 1)}
        clusters = {
            "dask, 1 worker": (["--engine", "dask"], 1),
            "dask, 2 workers": (["--engine", "dask"], 2),
            "dask, 4 workers": (["--engine", "dask"], 4),
            "spark, paths": (["--engine", "local[1]"], 1),
        }
        print(f"{rows:,} x 20 mixed columns in {FILES} Parquet files; CPU seconds of all processes")
        print(f"{'':28}{'1,000 rows':>12}{'all rows':>12}{'less start':>12}{'ratio':>8}{'peak MB':>9}")
        for data in ("few", "many") if asked.only == "predict" else ():
            used([str(COMMAND), "fit", str(home / data), "-t", "y", "-o", str(home / f"{data}.likely")], 1)
        for verb in ("fit", "predict") if asked.only is None else (asked.only,):
            base = 0.0
            for name, (engine, threads) in {**here, **clusters}.items():
                taken = []
                for data in ("few", "many"):
                    to = home / f"{verb}-{name.replace(' ', '')}-{data}{'' if engine else '.parquet'}"
                    model = home / f"{data}.likely"
                    what = (
                        ["fit", str(home / data), "-t", "y", "-o", str(model if not engine else to)]
                        if verb == "fit"
                        else ["predict", str(model), str(home / data), "-o", str(to)]
                    )
                    taken.append(used([str(COMMAND), *what, *engine], threads))
                (start, _), (whole, peak) = taken
                net = whole - start
                base = base or net
                print(
                    f"{verb + ', ' + name:28}{start:12.2f}{whole:12.2f}{net:12.2f}{net / base:8.2f}{peak:9,.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
