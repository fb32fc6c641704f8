"""What the tests of the model file share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likely.data import read
from likely.models.logistic.regression import LogisticModel
from likely.models.naive_bayes import NaiveBayesModel

from ..samples import sample_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model.likely"


@pytest.fixture
def small() -> Callable[..., Any]:
    """A model of a few rows with columns of every kind, and its table."""

    def made(kind: Any = NaiveBayesModel, **options: Any) -> tuple[Any, Any]:
        import pyarrow as pa

        rng = np.random.default_rng(7)
        rows = 40
        table = read(
            pa.table(
                {
                    "yes": pa.array(rng.random(rows) < 0.5),
                    "count": pa.array(rng.poisson(3, rows)),
                    "size": pa.array(rng.normal(size=rows), mask=rng.random(rows) < 0.1),
                    "skewed": pa.array(rng.exponential(size=rows) ** 3),
                    "kind": pa.array(rng.choice(["a", "b", "\N{SNOWMAN}"], rows).tolist()),
                    "said": pa.array(
                        [" ".join(rng.choice(["hay", "oats", "corn", "rye", "to"], 6)) + f" {i}" for i in range(rows)]
                    ),
                }
            )
        )
        model = kind(**({"candidates": 0.1, "shrink_to": "naive_bayes"} if kind is LogisticModel else {}), **options)
        return model.learn(sample_of(table, rng.choice(["x", "y", "z"], rows))), table

    return made
