"""All rows at once, for what must go over them again and again."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.cli.labelled import anew
from likely.cli.options import Reading
from likely.cli.sources import Source
from likely.data.stream import Widened


class Whole(NamedTuple):
    columns: pa.Table
    y: NDArray[Any]
    weight: NDArray[np.float64] | None


def whole(source: Source, target: str | None, reading: Reading) -> Whole:
    while True:
        try:
            parts = list(anew(source, target, reading))
        except Widened:
            continue
        labels = np.concatenate([part.classes[part.y] for part in parts])
        weight = (
            None
            if reading.weights is None
            else np.concatenate([part.weight for part in parts if part.weight is not None])
        )
        return Whole(pa.concat_tables([part.columns for part in parts]), labels, weight)
