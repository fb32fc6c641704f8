"""Fits of numbers on Dask and Spark, compared with MLlib and dask-ml.

Each fit runs in its own process with one worker or one core, on the same Parquet files, after a warm-up: a first fit in
Java takes three times the CPU seconds of the next. We measure the CPU seconds of the process and its children, subtract
those of the same fit on a quarter of the rows, and multiply by 4 / 3: so the start of jobs does not count. The least of
three runs is shown. Logistic regressions minimise the same objective, and the value that each reached is shown relative
to ours. dask-ml is skipped if it is not installed; DASK_ML_PYTHON can name a Python that has it.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
from pyarrow import parquet as pq

from bench.sizes import SIZES
from bench.table import Row

COLUMNS, FILES = 50, 4
NAMES = [f"x{j}" for j in range(COLUMNS)]


def write(folder: Path, rows: int) -> None:
    """COLUMNS numbers and two classes that overlap."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    weights = rng.normal(size=COLUMNS) / np.sqrt(COLUMNS)
    for file in range(FILES):
        x = rng.normal(size=(rows // FILES, COLUMNS)) * np.arange(1, COLUMNS + 1)
        y = (x / np.arange(1, COLUMNS + 1) @ weights + rng.logistic(size=len(x)) > 0).astype(np.int64)
        table = pa.table({**{name: x[:, j] for j, name in enumerate(NAMES)}, "y": y})
        pq.write_table(table, folder / f"{file}.parquet", row_group_size=100_000)


def spark_session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "4g")
    return builder.config("spark.ui.enabled", "false").getOrCreate()


def ours_on_spark(model: Any, folder: str) -> Any:
    from likely.engines import spark

    return spark.fit(model, folder, "y", session=spark_session())


def ours_on_dask(model: Any, folder: str) -> Any:
    import dask.dataframe as dd

    return model.fit(dd.read_parquet(folder), "y")


def ours(on: Callable[[Any, str], Any], folder: str) -> dict[str, Any]:
    from likely import LogisticRegression

    model = on(LogisticRegression(), folder)
    return {"weights": model.coef_[0].tolist(), "bias": float(model.intercept_[0])}


def our_naive_bayes(on: Callable[[Any, str], Any], folder: str) -> dict[str, Any]:
    from likely import NaiveBayes

    on(NaiveBayes("gaussian"), folder)
    return {}


def mllib(kind: str, folder: str) -> dict[str, Any]:
    from pyspark.ml.classification import LogisticRegression, NaiveBayes
    from pyspark.ml.feature import VectorAssembler

    frame = spark_session().read.parquet(folder)
    rows = VectorAssembler(inputCols=NAMES, outputCol="features").transform(frame).select("features", "y")
    if kind == "naive Bayes":
        NaiveBayes(modelType="gaussian", labelCol="y").fit(rows)
        return {}
    rows = rows.cache()
    found = LogisticRegression(labelCol="y", regParam=1 / rows.count(), tol=1e-9, maxIter=500).fit(rows)
    return {"weights": found.coefficients.toArray().tolist(), "bias": found.intercept}


def dask_ml(folder: str) -> dict[str, Any]:
    """dask-ml on standardised columns, so that it has the same penalty as ours."""
    import dask.dataframe as dd
    from dask_ml.linear_model import LogisticRegression

    frame = dd.read_parquet(folder).persist()  # otherwise dask-ml does not find the lengths of fused partitions
    x = frame[NAMES].to_dask_array(lengths=True)
    means, scales = x.mean(axis=0).compute(), x.std(axis=0).compute()
    y = frame["y"].to_dask_array(lengths=True).persist()
    found = LogisticRegression(C=1.0, solver="lbfgs", tol=1e-9, max_iter=500).fit(((x - means) / scales).persist(), y)
    weights = found.coef_.ravel() / scales
    bias = float(np.ravel(found.intercept_)[0]) - float(weights @ means)
    return {"weights": weights.tolist(), "bias": bias}


RUNS: dict[str, Callable[[str], dict[str, Any]]] = {
    "naive Bayes, Spark, ours": lambda folder: our_naive_bayes(ours_on_spark, folder),
    "naive Bayes, Spark, MLlib": lambda folder: mllib("naive Bayes", folder),
    "logistic, Spark, ours": lambda folder: ours(ours_on_spark, folder),
    "logistic, Spark, MLlib": lambda folder: mllib("logistic", folder),
    "logistic, Dask, ours": lambda folder: ours(ours_on_dask, folder),
    "logistic, Dask, dask-ml": dask_ml,
}


def objective(folder: Path, found: dict[str, Any]) -> float:
    """The objective: half the sum of squared weights of standardised columns, plus the loss of all rows."""
    table = pq.read_table(folder)
    x = np.column_stack([table[name].to_numpy() for name in NAMES])
    w = np.array(found["weights"])
    z = (x @ w + found["bias"]) * np.where(table["y"].to_numpy() == 1, 1, -1)
    return float(((w * x.std(axis=0)) ** 2).sum() / 2 + np.logaddexp(0, -z).sum())


def cluster_peers() -> Iterator[Row]:
    """Fits of 50 numbers in Parquet by Spark and Dask on one core, in CPU seconds, vs. MLlib and dask-ml."""
    with tempfile.TemporaryDirectory() as temporary:
        home, rows = Path(temporary), SIZES.rows
        write(home / "quarter", rows // 4)
        write(home / "all", rows)

        def cost(name: str, python: str) -> tuple[float, float]:
            """The CPU seconds for all rows, and the objective that was reached."""
            environment = {**os.environ, "LIKELY_THREADS": "1", "OMP_NUM_THREADS": "1"}
            command = [python, "-m", "bench.cluster_peers", name, str(home)]
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            taken, found = json.loads((home / "found").read_text())
            return (taken["all"] - taken["quarter"]) * 4 / 3, objective(home / "all", found) if found else 0.0

        for ours, theirs, target in PAIRS:
            python = _dask_ml_python() if theirs.endswith("dask-ml") else sys.executable
            if python is None:
                continue
            (mine, reached), (peers, beside) = cost(ours, sys.executable), cost(theirs, python)
            above = f"objective {beside / reached - 1:+.1e}" if reached else ""
            work, _, peer = theirs.rpartition(", ")
            yield Row(
                f"{work}, {rows:,} x {COLUMNS}", f"{mine:.1f} s", peer, f"{peers:.1f} s", peers / mine, target, above
            )


PAIRS = (
    ("logistic, Dask, ours", "logistic, Dask, dask-ml", 20),
    ("logistic, Spark, ours", "logistic, Spark, MLlib", 10),
    ("naive Bayes, Spark, ours", "naive Bayes, Spark, MLlib", 6),
)
"""Our run, the peer's run, and how many times longer the peer should take."""


def _dask_ml_python() -> str | None:
    python = os.environ.get("DASK_ML_PYTHON", sys.executable)
    return None if subprocess.run([python, "-c", "import dask_ml"], capture_output=True).returncode else python


def spent() -> float:
    """CPU seconds of this process and all below it so far."""
    here = psutil.Process()
    return sum(sum(one.cpu_times()[:2]) for one in [here, *here.children(recursive=True)])


def run(name: str, home: Path) -> None:
    taken = {"quarter": np.inf, "all": np.inf}
    found = RUNS[name](str(home / "quarter"))
    for _ in range(3):
        for data in taken:
            before = spent()
            found = RUNS[name](str(home / data))
            taken[data] = min(taken[data], spent() - before)
    (home / "found").write_text(json.dumps((taken, found)))


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]))
