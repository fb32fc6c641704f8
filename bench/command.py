"""The command line: data larger than memory, compared with reading them by Arrow, and the time to the first answer."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import numpy as np
import pyarrow as pa
from pyarrow import csv
from pyarrow import parquet as pq

from bench.data import FOLDER
from bench.table import Row, milliseconds
from likely.datasets import ANIMALS

LIKELY = str(Path(sys.executable).with_name("likely"))
ROWS = 500_000
"""The rows of one piece; 42 MB as CSV."""
READ = {
    "csv": "from pyarrow import csv; csv.read_csv({path!r})",
    "parquet": "from pyarrow import parquet; parquet.read_table({path!r})",
}


def command_fit() -> Iterator[Row]:
    """A fit of 500 MB of CSV, and of the same as Parquet, compared with reading by Arrow; each in its own process."""
    with TemporaryDirectory() as place:
        for ending, target in (("csv", 0.5), ("parquet", 1 / 3)):
            path = _written(Path(place, f"table.{ending}"), 12)
            size = path.stat().st_size / 1e6
            work = [LIKELY, "fit", str(path), "-t", "label", "-o", str(Path(place, "model.likely"))]
            read = [sys.executable, "-c", READ[ending].format(path=str(path))]
            times = [(_run(work)[0], _run(read)[0]) for _ in range(3)]
            ours, theirs = map(min, zip(*times, strict=True))
            name = f"likely fit, {ending} of {size:.0f} MB"
            yield Row(name, f"{ours:.2f} s", "pyarrow's read", f"{theirs:.2f} s", theirs / ours, target)
            path.unlink()


def command_memory() -> Iterator[Row]:
    """A fit of 2 GB of CSV in 500 MB of memory."""
    with TemporaryDirectory() as place:
        path = _written(Path(place, "table.csv"), 48)
        _, memory = _run([LIKELY, "fit", str(path), "-t", "label", "-o", str(Path(place, "model.likely"))])
        size = path.stat().st_size
    yield Row(
        f"likely fit, csv of {size / 1e9:.1f} GB, memory", f"{memory / 1e6:.0f} MB", "", "500 MB", 5e8 / memory, 1
    )


def predict_explain() -> Iterator[Row]:
    """CPU time of `predict --explain` vs. `predict`, each in a process of its own, for half of telco-churn's rows."""
    source = csv.read_csv(FOLDER / "business-tables" / "telco-churn.csv.gz")
    with TemporaryDirectory() as place:
        old, new, model = (str(Path(place, name)) for name in ("old.csv", "new.csv", "model.likely"))
        csv.write_csv(source.slice(0, source.num_rows // 2), old)
        csv.write_csv(source.slice(source.num_rows // 2), new)
        for kind in ("naive-bayes", "logistic", "blend"):
            fit = [LIKELY, "fit", old, "-t", "Churn", "--model", kind, "-o", model]
            subprocess.run(fit, check=True, stdout=subprocess.DEVNULL)
            work = [LIKELY, "predict", model, new, "-o", str(Path(place, "out.csv"))]
            times = [(_cpu([*work, "--explain"]), _cpu(work)) for _ in range(3)]
            ours, theirs = map(min, zip(*times, strict=True))
            name = f"likely predict --explain, {kind}, {source.num_rows // 2:,} rows, CPU"
            yield Row(name, milliseconds(ours), "predict", milliseconds(theirs), theirs / ours, 1 / 3)


def _cpu(work: list[str]) -> float:
    before = os.times()
    subprocess.run(work, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def command_stream() -> Iterator[Row]:
    """How long `predict -` takes for a row that arrives by a pipe: the first one after its start, and the next 200."""
    header, first = ANIMALS.read_bytes().splitlines(keepends=True)[:2]
    with TemporaryDirectory() as place:
        model = str(Path(place, "model.likely"))
        fit = [LIKELY, "fit", str(ANIMALS), "-t", "animal", "-o", model]
        subprocess.run(fit, check=True, stdout=subprocess.DEVNULL)
        work = [LIKELY, "predict", model, "-"]
        with subprocess.Popen(work, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
            sleep(3)  # by then it has started, and waits for rows
            waited = [_answered(process, header + first, 2), *(_answered(process, first, 1) for _ in range(200))]
    for name, taken in (("the first row", waited[0]), ("the next rows, median", float(np.median(waited[1:])))):
        yield Row(f"likely predict -, {name}", milliseconds(taken), "", milliseconds(0.1), 0.1 / taken, 1)


def _answered(process: "subprocess.Popen[bytes]", rows: bytes, lines: int) -> float:
    """Seconds until the process has written the lines for these rows."""
    assert process.stdin is not None
    assert process.stdout is not None
    begin = perf_counter()
    process.stdin.write(rows)
    answer = b""
    while answer.count(b"\n") < lines:
        answer += process.stdout.read(1 << 16)
    return perf_counter() - begin


def command_start() -> Iterator[Row]:
    """The time of short commands, with the start of Python from compiled files."""
    with TemporaryDirectory() as place:
        compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        compiled["PYTHONPYCACHEPREFIX"] = str(Path(place, "compiled"))
        one = Path(place, "one.csv")
        one.write_text("".join(ANIMALS.read_text().splitlines(keepends=True)[:2]))
        works = [("likely --help", [LIKELY, "--help"], 0.12)]
        for kind in ("naive-bayes", "logistic"):
            model = str(Path(place, f"{kind}.likely"))
            fit = [LIKELY, "fit", str(ANIMALS), "-t", "animal", "-o", model, "--model", kind]
            subprocess.run(fit, check=True, stdout=subprocess.DEVNULL)
            works.append((f"likely predict, one row, {kind}", [LIKELY, "predict", model, str(one)], 0.4))
        for name, work, most in works:
            taken = min(_run(work, compiled)[0] for _ in range(10))
            yield Row(name, milliseconds(taken), "", milliseconds(most), most / taken, 1)


def command_wide() -> Iterator[Row]:
    """Fit and predict for a CSV of 20 rows and 100,000 columns, compared with ten times one of 10,000 columns."""
    with TemporaryDirectory() as place:
        (few, _), (many, memory) = (_fit_and_predict(Path(place), columns) for columns in (10_000, 100_000))
    ten = f"{10 * few:.1f} s"
    yield Row("likely fit and predict, 100,000 columns", f"{many:.1f} s", "10 x 10,000", ten, 10 * few / many)
    yield Row("the same, memory", f"{memory / 1e9:.1f} GB", "", "", 1.0)


def _fit_and_predict(place: Path, columns: int) -> tuple[float, int]:
    """Seconds, and the bytes of the larger of the two."""
    path, model = place / "wide.csv", str(place / "model.likely")
    cells = np.random.default_rng(0).integers(0, 9, (20, columns)).astype(str)
    lines = [",".join(["label", *(f"c{j}" for j in range(columns))])]
    lines += [",".join([label, *row]) for label, row in zip("ab" * 10, cells.tolist(), strict=True)]
    path.write_text("\n".join(lines) + "\n")
    fit = [LIKELY, "fit", str(path), "-t", "label", "-o", model]
    predict = [LIKELY, "predict", model, str(path), "-o", str(place / "answers.parquet")]
    (one, of_one), (other, of_other) = _run(fit), _run(predict)
    return one + other, max(of_one, of_other)


def _run(work: list[str], environment: dict[str, str] | None = None) -> tuple[float, int]:
    """Seconds, and bytes of memory at the most."""
    begin = perf_counter()
    process = subprocess.Popen(work, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, work
    return perf_counter() - begin, used.ru_maxrss * 1024


def _written(path: Path, pieces: int) -> Path:
    """A table of numbers, counts, categories and a flag."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, ROWS)
    colours = np.array(["red", "green", "blue", "yellow", "black"])
    columns = {
        **{f"number {i}": np.round(rng.normal(y * 0.3), 4) for i in range(6)},
        **{f"count {i}": rng.poisson(2 + y) for i in range(3)},
        **{f"colour {i}": colours[rng.integers(0, 5, ROWS)] for i in range(3)},
        "flag": rng.random(ROWS) < 0.3 + 0.1 * y,
        "label": np.array(["alpha", "beta", "gamma", "delta", "epsilon"])[y],
    }
    table = pa.table(columns)
    writer = (csv.CSVWriter if path.suffix == ".csv" else pq.ParquetWriter)(str(path), table.schema)
    with writer:
        for _ in range(pieces):
            writer.write_table(table)
    return path
