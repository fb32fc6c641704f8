"""The features of one block of columns for logistic regression, standardised.

Each family has the features that its scores are linear in: a number, with its square if classes may differ in variance;
an indicator of each category or bin; the count of each word. Numbers are standardised to mean 0 and deviation 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from likely.data.sample import Array
from likely.data.sparse import Csr
from likely.data.table import Table
from likely.errors import BadCell
from likely.families import Block, Family
from likely.families.block import naming
from likely.families.effects import Effects, first_seen
from likely.families.formula import LARGEST
from likely.limits import Feature


class Standardising(NamedTuple):
    """The means and standard deviations with which features are standardised."""

    means: Array
    scales: Array


@dataclass(frozen=True, eq=False)
class Piece:
    """The features of one block: those of its family, standardised, then their squares if the family has them."""

    block: Block
    standard: Standardising | None = None

    @property
    def squares(self) -> bool:
        return self.standard is not None and self.block.family.squares

    @cached_property
    def positions(self) -> Sequence[tuple[int, int | str | None]]:
        """For each feature, the position of its column in the block; and its category, its word, "squared" or None."""
        own = list(self.block.family.feature_names(self.block))
        return own + [(j, "squared") for j, _ in own] if self.squares else own

    @property
    def features(self) -> list[Feature]:
        frame = self.block.frame
        return [(frame.columns[j], frame.value_of(j, cell)) for j, cell in self.positions]

    @property
    def size(self) -> int:
        return self.block.family.feature_count(self.block) * (2 if self.squares else 1)

    @property
    def plain(self) -> bool:
        """Whether features are the cells themselves."""
        return type(self.block.family).features is Family.features and not self.squares

    def read(self, table: Table, rows: slice) -> "Array | Csr":
        """These rows x features."""
        frame, first = self.block.frame, rows.start or 0
        with naming(frame, first):
            cells = self.block.family.features(self.block, self.block.read(table, rows))
        if not isinstance(cells, np.ndarray):
            _check(cells, np.isfinite(cells.data), self, first)
            return cells
        x = np.asarray(cells, np.float64)
        if self.standard is None:
            return np.nan_to_num(x)
        _check(x, ~(np.abs(x) > LARGEST), self, first)
        z = np.nan_to_num((x - self.standard.means) / self.standard.scales, copy=False)
        return np.hstack([z, z * z]) if self.squares else z

    def original(self, weights: Array) -> tuple[Array, Array]:
        """Weights (outputs x features) for features in their original units, and what to add to the bias."""
        if self.standard is None:
            return weights, np.zeros(len(weights))
        means, scales = self.standard
        linear = weights[:, : len(means)] / scales
        bias = -linear @ means
        if not self.squares:
            return linear, bias
        square = weights[:, len(means) :] / scales**2
        return np.hstack([linear - 2 * square * means, square]), bias + square @ means**2

    def effects(self, table: Table, rows: slice, weights: Array, alone: bool) -> Effects:
        """What the features of these rows add to the scores, by column; for a text by word, with the column's name
        unless the block is `alone`."""
        block, cells = self.block, self.read(table, rows)
        if isinstance(cells, np.ndarray):
            row, feature = np.nonzero(cells)
            x = cells[row, feature]
        else:
            row, feature, x = np.repeat(np.arange(cells.shape[0]), np.diff(cells.indptr)), cells.indices, cells.data
        raw, frame, family = block.read(table, rows), block.frame, block.family
        used, title = first_seen(feature)
        positions = [self.positions[f] for f in used.tolist()]
        titles = [
            frame.columns[j] if family.domain != "text" else cell if alone else f"{frame.columns[j]}: {cell}"
            for j, cell in positions
        ]

        def value(at: int) -> Any:
            j, _ = positions[title[at]]
            in_column = family.domain != "text" and isinstance(raw, np.ndarray)
            return family.value(raw[row[at], j], frame, j) if in_column else x[at].item()

        return Effects(row, titles, title, x[:, None] * weights.T[feature], value)


def standardising(block: Block, standardize: bool) -> Standardising | None:
    """How to standardise the features of a block; None if they stay as they are."""
    family = block.family
    if family.joint and family.reads != "text":
        raise ValueError(f"logistic regression reads columns one by one, and not as {family!r}; name another family")
    moments = family.feature_scale(block)
    if moments is None:
        return None
    means, variance = moments
    if not standardize:
        return Standardising(np.zeros_like(means), np.ones_like(means))
    flat = (variance <= (1e-10 * means) ** 2) | (variance == 0)
    return Standardising(means, np.sqrt(np.where(flat, 1.0, variance)))


def _check(cells: Any, good: Any, piece: Piece, first_row: int) -> None:
    """Raises ValueError for the first cell that is not good, with its column and row."""
    if good.all():
        return
    at = int(np.argmin(good))
    if isinstance(cells, np.ndarray):
        (row, feature), value = divmod(at, cells.shape[1]), cells.ravel()[at]
    else:
        row, feature = int(np.searchsorted(cells.indptr, at, side="right")) - 1, cells.indices[at]
        value = cells.data[at]
    name = piece.block.frame.columns[piece.positions[feature][0]]
    up_to = ", up to 1e150" if isinstance(cells, np.ndarray) else ""
    raise BadCell(f"logistic regression needs finite numbers{up_to}", first_row + row, name, value)
