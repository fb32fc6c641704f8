"""A real session of Spark on this machine, and files for it to read."""

import os
import shutil
import socket
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet as pq

from likely.engines import spark

from .rows import TABLE

with socket.socket() as free:
    free.bind(("localhost", 0))
    PORT = free.getsockname()[1]


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    if shutil.which("java") is None:
        why = "Java is not installed: on Debian, apt-get install default-jre-headless"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)
    serving = "--conf spark.plugins=org.apache.spark.sql.connect.SparkConnectPlugin"
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patched:
        warnings.simplefilter("ignore")
        patched.setenv("PYSPARK_SUBMIT_ARGS", f"{serving} --conf spark.connect.grpc.binding.port={PORT} pyspark-shell")
        with spark.connected("local[1,3]") as session:  # a task may fail twice
            session.conf.set("spark.sql.shuffle.partitions", 2)
            yield session


@pytest.fixture(scope="session")
def folder(tmp_path_factory: Any) -> Path:
    found: Path = tmp_path_factory.mktemp("spark")
    for at in range(4):
        pq.write_table(TABLE.slice(150 * at, 150), found / f"{at}.parquet")
    return found


@pytest.fixture
def port() -> int:
    """Where the session listens, for Spark Connect."""
    return PORT
