"""A script: a fit on a cluster of two executors, of which one is killed in the middle. It prints whether the model is
the same to the bit as that of an undisturbed fit."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from likely import NaiveBayes
from likely.engines import spark

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(400, 3)), RNG.integers(0, 3, 400)


def killing(work: Callable[[int, Any], Any], flag: Path, number: int, part: Any) -> Any:
    """The first task of part 2 kills the Java process that it belongs to, which is its executor."""
    if number == 2 and not flag.exists():
        flag.touch()
        process = psutil.Process()
        while process.name() != "java":
            process = process.parent()
        process.kill()
        os._exit(1)
    return work(number, part)


class LosingParts(spark.SparkParts[Any]):
    """Parts of which one is lost with its executor while they are added."""

    flag: Path

    def total(self, work: Callable[[int, Any], Any]) -> Any:
        return super().total(partial(killing, work, self.flag))


if __name__ == "__main__":
    rows = [(X[at::8], Y[at::8], None) for at in range(8)]
    with spark.connected("local-cluster[2,1,1024]") as session:
        losing = LosingParts(session, rows)
        losing.flag = Path(sys.argv[1])
        found = NaiveBayes().fit_parts(losing)
        whole = NaiveBayes().fit_parts(spark.SparkParts(session, rows))
    same = found.predict_joint_log_proba(X).tobytes() == whole.predict_joint_log_proba(X).tobytes()
    print("lost", losing.flag.exists(), "same", same)
