"""The odds of texts in the order in which they came, each from those before it alone."""

from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.families.family import Array, Codes

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def odds_replayed(
    counts: "csr_array", y: Codes, classes: int, imagined: float, growth: Array | None = None
) -> tuple[Array, Array]:
    """What `Text(event="odds")` tells of each text at scale 1, after those before it; and sqrt(tokens known).

    `counts` are those of `Tokens(sublinear=True).matrix`, without `root`, which is taken here. A class that has no text
    yet has minus infinity. `growth` is how much a text weighs: where it doubles, all before counts half.
    """
    rows = counts.shape[0]
    out, lengths = np.empty((rows, classes)), np.empty(rows)
    _native.score_texts_replayed(
        counts.indptr.astype(np.int64),
        counts.indices.astype(np.int32, copy=False),
        np.ascontiguousarray(counts.data, np.float64),
        counts.shape[1],
        y,
        np.ones(rows) if growth is None else growth,
        imagined,
        out,
        lengths,
    )
    return out, lengths
