"""Sessions of labelling over texts that a person can tell apart."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from likely.families import Text
from likely.labelling.labels import Labels
from likely.labelling.session import Session

WORDS = {"ham": ["lunch", "meeting", "family", "photos"], "spam": ["prize", "offer", "winner", "cheap"]}


def table(rows: int = 200) -> pa.Table:
    rng = np.random.default_rng(1)
    kinds = [("ham", "spam")[k] for k in rng.integers(0, 2, rows)]
    return pa.table(
        {
            "text": [" ".join([*rng.choice(WORDS[kind], 4), f"n{at}"]) for at, kind in enumerate(kinds)],
            "kind": kinds,
        }
    )


def session(path: Path, rows: int = 200, given: int = 0, **options: Any) -> Session:
    """The first `given` rows have labels."""
    data = table(rows)
    kinds = data["kind"].to_pylist()
    labels = [kind if at < given else None for at, kind in enumerate(kinds)] if given else None
    text = data.select(["text"])
    return Session(text, Labels(path / "labels.sqlite"), labels, {"text": Text()}, text, seed=0, **options)


def truth(rows: int = 200) -> list[str]:
    found: list[str] = table(rows)["kind"].to_pylist()
    return found


def answer(of: Session, count: int) -> None:
    kinds = truth(of.rows)
    for _ in range(count):
        assert of.offer is not None
        of.say(of.offer.row, kinds[of.offer.row], 0)
