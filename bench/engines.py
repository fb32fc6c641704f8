"""Engines vs. one process: the same Parquet files, and CPU seconds of a command with all its workers.

Wall-clock seconds show little on a machine that does other work. The start of a command does not count: each command is
also run on a quarter of the rows, and the difference is for the other three quarters.
"""

import pickle
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet as pq

from bench.sizes import SIZES
from bench.table import Row
from bench.usage import TIMES, Usage, used
from bench.warm import warm
from likely.data import Sample, read
from likely.families import TextMultinomial
from likely.models.learned import count
from likely.models.naive_bayes import NaiveBayesModel
from likely.text import Tokens

WORDS, BUCKETS = 100_000, 1 << 14
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


def engines_fit() -> Iterator[Row]:
    """Fits of 20 mixed columns and 5 classes by Dask and Spark, vs. one process."""
    yield from _compared("fit", {"dask": 0.62})


def engines_predict() -> Iterator[Row]:
    """Predictions of 20 mixed columns and 5 classes by Dask and Spark, vs. one process."""
    yield from _compared("predict", {"dask": 0.77})


ENGINES = {
    "dask, 1 worker": (["--engine", "dask"], 1),
    "dask, 2 workers": (["--engine", "dask"], 2),
    "dask, 4 workers": (["--engine", "dask"], 4),
    "spark, paths": (["--engine", "local[1]"], 1),
}


def _compared(verb: str, targets: dict[str, float]) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as temporary:
        home, rows = Path(temporary), SIZES.rows
        write(home / "quarter", rows // 4)
        write(home / "all", rows)
        model = str(home / "model.likely")
        learn = ["fit", str(home / "all"), "-t", "y", "-o", model]
        if verb == "predict":
            used([str(COMMAND), *learn], 1)

        def run(data: str, engine: list[str], workers: int, **more: str) -> Usage:
            with tempfile.TemporaryDirectory(dir=home) as folder:
                to = str(Path(folder) / ("found" if engine or verb == "fit" else "found.parquet"))
                what = ["fit", str(home / data), "-t", "y"] if verb == "fit" else ["predict", model, str(home / data)]
                return used([str(COMMAND), *what, "-o", to, *engine], workers, **more)

        def cost(engine: list[str], workers: int) -> tuple[float, float, float]:
            """The CPU seconds for all rows and for starting, and the memory of the largest process in MB."""
            taken = {data: [run(data, engine, workers) for _ in range(TIMES)] for data in ("quarter", "all")}
            quarter, whole = (min(one.seconds for one in taken[data]) for data in ("quarter", "all"))
            of_rows = (whole - quarter) * 4 / 3
            return of_rows, whole - of_rows, max(one.peak for one in taken["all"])

        alone, start, peak = cost([], 1)
        theirs = f"{alone:.2f} s"
        yield Row(f"{verb}, {rows:,} rows, one process", theirs, "", "", 1, limit=f"start {start:.1f} s, {peak:.0f} MB")
        if verb == "predict":
            ours, dasks = (
                _faults(lambda more=more: run("all", [], 1, **more))
                for more in ({}, {"MALLOC_TRIM_THRESHOLD_": "65536"})
            )
            yield Row("page faults, one process", f"{ours:,}", "Dask's malloc", f"{dasks:,}", dasks / ours)
        for name, (engine, workers) in ENGINES.items():
            seconds, start, peak = cost(engine, workers)
            yield Row(
                f"{verb}, {rows:,} rows, {name}",
                f"{seconds:.2f} s",
                "one process",
                theirs,
                alone / seconds,
                targets.get(name.partition(",")[0]),
                f"start {start:.1f} s, {peak:.0f} MB",
            )
        if verb == "fit":
            alone, seconds = (_warm(home, engine) for engine in ([], ["--engine", "local[1]"]))
            name = f"{verb}, {rows:,} rows, spark, paths, warm"
            yield Row(name, f"{seconds:.2f} s", "one process", f"{alone:.2f} s", alone / seconds, 0.71)


def _warm(home: Path, engine: list[str]) -> float:
    """The CPU seconds for the rows, with an engine that has done the same before."""
    taken = warm(
        {
            data: ["fit", str(home / data), "-t", "y", "-o", str(home / f"{data}.likely"), *engine]
            for data in ("quarter", "all")
        }
    )
    return (taken["all"] - taken["quarter"]) * 4 / 3


def _faults(work: Callable[[], object]) -> int:
    """The number of page faults of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    work()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before


def engines_scaling() -> Iterator[Row]:
    """A fit by one Dask worker and by two, by the clock: it needs an idle machine."""
    with tempfile.TemporaryDirectory() as temporary:
        home, rows = Path(temporary), SIZES.rows
        write(home / "quarter", rows // 4)
        write(home / "all", rows)

        def clock(workers: int) -> tuple[float, float]:
            """Seconds of all rows, and of starting."""
            fit = [str(COMMAND), "fit", "-t", "y", "-o", str(home / "found"), "--engine", "dask"]
            quarter, whole = (
                min(used([*fit, str(home / data)], workers).clock for _ in range(TIMES)) for data in ("quarter", "all")
            )
            of_rows = (whole - quarter) * 4 / 3
            return of_rows, whole - of_rows

        (one, start), (two, starts) = clock(1), clock(2)
        limit = f"start {starts:.1f} s and {start:.1f} s"
        yield Row(f"fit, {rows:,} rows, 2 workers", f"{two:.2f} s", "1 worker", f"{one:.2f} s", one / two, None, limit)


def engines_idle() -> Iterator[Row]:
    """The CPU seconds of four idle Dask workers in 10 s of wall-clock time: with our settings, and with Dask's."""
    ours, theirs = (float(subprocess.check_output([sys.executable, "-c", IDLE, how])) for how in ("ours", "theirs"))
    yield Row("four idle workers, 10 s", f"{ours:.2f} s", "Dask's settings", f"{theirs:.2f} s", theirs / ours)


IDLE = """
import sys, time
import dask, psutil
from distributed import LocalCluster
from likely.engines.dask import LOCAL

def spent():
    here = psutil.Process()
    return sum(sum(one.cpu_times()[:2]) for one in [here, *here.children(recursive=True)])

if __name__ == "__main__":
    with dask.config.set(LOCAL if sys.argv[1] == "ours" else {}), LocalCluster(n_workers=4, dashboard_address=None):
        before = spent()
        time.sleep(10)
        print(spent() - before)
"""


def engines_bytes() -> Iterator[Row]:
    """The bytes of the sums of a part as they are sent over the network, vs. the estimate in docs/clusters.md."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, 5000).astype(np.int32)
    numbers = Sample(read(rng.normal(size=(5000, 50))), y, np.arange(10))
    sent, sums = _sent("gaussian", numbers), 50 * 10 * (8 + 8 + 8)
    yield Row("sums of 50 Gaussian columns, 10 classes", f"{sent:,} bytes", "n, mean, m2", f"{sums:,}", sums / sent)
    texts = [" ".join(f"word{at}" for at in range(first, first + 100)) for first in range(0, WORDS, 100)]
    hashed = TextMultinomial(Tokens(hashing=BUCKETS))
    for classes in (2, 20):
        y = np.repeat(np.arange(classes), len(texts)).astype(np.int32)
        words = Sample(read(texts * classes), y, np.arange(classes))
        for what, family, number, least in (
            ("words of 9 letters", "text_multinomial", WORDS, 9 + 16),
            ("buckets of hashing", hashed, BUCKETS, 8),
        ):
            each, sums = _sent(family, words) / number, least + 12 * classes
            yield Row(
                f"{what}, {classes} classes",
                f"{each:.1f} bytes each",
                f"{least} + 12 x {classes}",
                f"{sums}",
                sums / each,
            )


def _sent(family: str | TextMultinomial, sample: Sample) -> int:
    return len(pickle.dumps(count(NaiveBayesModel(family).plans(sample), sample)))
