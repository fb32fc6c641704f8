"""Commands on a cluster: its workers read the files, part by part."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from likely.cli.model_factory import HELD_KINDS
from likely.cli.sources import Source
from likely.data.dataset import Dataset
from likely.engines.engine import Parts

DASK = ("dask", "tcp://", "tls://", "ws://", "wss://", "ucx://")
SPARK = ("local[", "spark://", "sc://", "yarn", "k8s://", "mesos://")


def refuse_on_cluster(engine: str | None, data: Sequence[str], kind: str = "") -> None:
    """Raises before any work if a cluster can't do what the options ask for."""
    if engine is None:
        return
    if not engine.startswith(DASK + SPARK):
        raise click.BadParameter(
            f"{engine!r} is no engine; use dask, local[*], or the address of a cluster: tcp://HOST:PORT for Dask, "
            "spark://HOST:PORT or sc://HOST for Spark.",
            param_hint="'--engine'",
        )
    if "-" in data:
        raise click.BadParameter("standard input is read only on this machine; name files.", param_hint="'--engine'")
    if kind in HELD_KINDS:
        raise click.BadParameter(
            f"--model {kind} holds all rows in the memory of one machine; use naive-bayes, gaussian or network.",
            param_hint="'--engine'",
        )


@contextmanager
def cluster(engine: str, source: Source) -> Iterator[tuple[Dataset, Parts[Dataset]]]:
    """The files, and their parts as the engine reads them."""
    if not isinstance(source, Dataset):
        raise click.BadParameter(
            "folders of texts and mail are read only on this machine; name tables.", param_hint="'--engine'"
        )
    parts = source.split()
    if engine.startswith(SPARK):
        from likely.engines import spark

        with spark.connected(engine) as session:
            yield source, spark.SparkParts(session, parts)
    else:
        from likely.engines import dask

        with dask.connected(None if engine == "dask" else engine, len(parts)):
            yield source, dask.DaskParts(parts)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder next to `path`, which is renamed to it once everything is written. The path must not exist."""
    if path.exists():
        raise FileExistsError(17, "it exists already; name a new folder", str(path))
    made = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        yield made
        made.rename(path)
    finally:
        shutil.rmtree(made, ignore_errors=True)
