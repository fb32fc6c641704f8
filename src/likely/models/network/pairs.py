"""How much two columns depend on each other given the class, and each on the class: from counts of all pairs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from likely.data.sample import Array, Codes
from likely.engines import threads
from likely.families.cells import terms
from likely.families.network import MOST_CELLS
from likely.statistics import JointCells


class PairInformation(NamedTuple):
    """In nats of all rows together, each less its degrees of freedom: twice what independent columns would show by
    chance (Akaike's criterion). -inf of a pair with too many combinations of values to be counted."""

    of_class: Array
    """Mutual information of each column and the class."""
    of_pairs: Array
    """Conditional mutual information of each two columns given the class."""


def information(codes: Codes, y: Codes, classes: int, weight: Array | None, sizes: Sequence[int]) -> PairInformation:
    """Of columns x rows of codes. The pairs of one column at a time are counted side by side."""
    columns = len(codes)
    of_pairs = np.full((columns, columns), -np.inf)
    few = [
        [j for j in range(i + 1, columns) if classes * (sizes[i] + 1) * (sizes[j] + 1) <= MOST_CELLS]
        for i in range(columns)
    ]

    def work(of: slice) -> None:
        for i in range(*of.indices(columns)):
            for at in range(0, len(few[i]), 64):
                others = few[i][at : at + 64]
                cells = JointCells(
                    (sizes[i], *(sizes[j] for j in others)), tuple((0, 1 + b) for b in range(len(others)))
                )
                counts = cells.count(np.ascontiguousarray(codes[[i, *others]]), y, classes, weight)
                for size in {sizes[j] for j in others}:  # those of one size at once, which takes a fifth of the time
                    alike = [b for b, j in enumerate(others) if sizes[j] == size]
                    found = _conditional(np.stack([cells.of(counts, b)[:, 1:, 1:] for b in alike]))
                    for b, shown in zip(alike, found.tolist(), strict=True):
                        of_pairs[i, others[b]] = of_pairs[others[b], i] = shown

    threads.run(work, [slice(i, i + 1) for i in range(columns)])
    singles = JointCells(tuple(sizes), tuple((j,) for j in range(columns)))
    counts = singles.count(codes, y, classes, weight)
    of_class = [float(_conditional(singles.of(counts, j)[None, None, :, 1:])[0]) for j in range(columns)]
    return PairInformation(np.array(of_class), of_pairs)


def _conditional(counts: Array) -> Array:
    """Of counts of pairs x given x first x second the sum over what is given of the mutual information of the other
    two, less its degrees of freedom."""
    n = counts.astype(np.float64)
    rows, columns = n.sum(axis=3, keepdims=True), n.sum(axis=2, keepdims=True)
    all_ = rows.sum(axis=2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(n) + np.log(all_) - np.log(rows) - np.log(columns)
    degrees = np.maximum((rows > 0).sum(axis=(2, 3)) - 1, 0) * np.maximum((columns > 0).sum(axis=(2, 3)) - 1, 0)
    return np.asarray(terms(n, logs).sum(axis=(1, 2, 3)) - degrees.sum(axis=1))
