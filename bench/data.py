"""The shared data sets: in ../shared/data next to the project, or in LIKELY_DATA."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
from numpy.typing import NDArray

FOLDER = Path(os.environ.get("LIKELY_DATA", Path(__file__).parents[2] / "shared" / "data"))
TABLES = {
    "adult": "adult/train.csv.gz",
    "german-credit": "german-credit/german-credit.csv",
    "titanic": "titanic/titanic.csv",
    "nursery": "nursery/nursery.csv.gz",
    "letter": "letter/letter.csv.gz",
    "covertype-93k": "covertype-93k/covertype-93k.csv.gz",
    "mushroom": "mushroom/mushroom.csv.gz",
    "house-votes-84": "house-votes-84/house-votes-84.csv",
} | {
    name.split(".")[0]: f"small-tables/{name}"
    for name in (
        "breast-cancer-ljubljana.csv",
        "higgs-7500.csv.gz",
        "ionosphere.csv",
        "iris.csv",
        "pendigits.csv.gz",
        "pima.csv",
        "sonar.csv",
        "soybean.csv",
        "spambase.csv.gz",
        "wine.csv",
    )
}
INTERACTIONS = {
    name: f"interaction-tables/{name}.csv.gz" for name in ("car-evaluation", "kr-vs-kp", "phoneme", "vehicle", "vowel")
}
"""Tables in which columns act together."""
BUSINESS = {name: f"business-tables/{name}.csv.gz" for name in ("telco-churn", "hr-attrition", "bank-additional-full")}
"""Tables with a rare class, as in business analytics."""
UNREADABLE = {"titanic": ["Name", "Ticket"]}
"""Columns of free text."""


def check() -> None:
    """Ends the program if the data sets are not there."""
    if not FOLDER.exists():
        raise SystemExit(f"the data sets are not at {FOLDER}; LIKELY_DATA may name another place")


def sampled(rows: pa.Table, most: int = 20_000) -> pa.Table:
    """If a table has more rows than `most`, a random part of it, always the same one."""
    if rows.num_rows <= most:
        return rows
    return rows.take(np.sort(np.random.default_rng(0).permutation(rows.num_rows)[:most]))


def table(name: str, most: int = 20_000) -> tuple[pa.Table, NDArray[Any]]:
    """The columns of a table and its class, which is the last column; a random part if it has more rows than `most`."""
    options = csv.ConvertOptions(null_values=["?", ""], strings_can_be_null=True)
    parse = csv.ParseOptions(delimiter=";" if name.startswith("bank-") else ",")
    path = FOLDER / (TABLES | INTERACTIONS | BUSINESS)[name]
    rows = csv.read_csv(path, parse_options=parse, convert_options=options)
    rows = sampled(rows.drop_columns(UNREADABLE.get(name, [])), most)
    return rows.drop_columns(rows.column_names[-1:]), rows.column(-1).to_numpy()
