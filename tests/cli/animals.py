"""The bundled table, in files of every format, and models of it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet as pq

from likely import store
from likely.data import read
from likely.datasets import ANIMALS

from .command import likely, worked

TABLE = arrow_csv.read_csv(ANIMALS, convert_options=arrow_csv.ConvertOptions(strings_can_be_null=True))
COLUMNS = TABLE.drop_columns("animal")
LABELS = np.array(TABLE["animal"].to_pylist())
FAMILIES = "shoulder_cm=gaussian,teeth_mm=gaussian,legs=categorical,sightings=poisson"


def write_json(table: pa.Table, path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))


def write_arrow(table: pa.Table, path: Path) -> None:
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)


def write_csv(table: pa.Table, path: Path) -> None:
    with pa.output_stream(str(path), compression="detect") as stream:
        arrow_csv.write_csv(table, stream, arrow_csv.WriteOptions(delimiter="\t" if ".tsv" in path.name else ","))


FORMATS = {
    "t.csv": write_csv,
    "t.tsv": write_csv,
    "t.csv.gz": write_csv,
    "t.csv.zst": write_csv,
    "t.parquet": lambda table, path: pq.write_table(table, path),
    "t.arrow": write_arrow,
    "t.jsonl": write_json,
}


def fit(data: Any, output: Path, *options: str) -> Path:
    """A model whose families are named, so that it merges with others."""
    worked(likely("fit", data, "-t", "animal", "-o", output, "--families", FAMILIES, *options))
    return output


def scores(path: Path) -> np.ndarray:
    return store.load(path).model.score(read(COLUMNS))


def halves(place: Path) -> tuple[Path, Path]:
    """The table in two files."""
    header, *rows = ANIMALS.read_text().splitlines(keepends=True)
    paths = place / "north.csv", place / "south.csv"
    paths[0].write_text(header + "".join(rows[:60]))
    paths[1].write_text(header + "".join(rows[60:]))
    return paths
