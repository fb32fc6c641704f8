"""K-fold cross-validation: each row is scored by a model of all other folds, without fitting k models.

All folds are counted in one pass. The statistics of all other folds are the merge of the folds before and the folds
after: 3k - 6 merges in total. Nothing is subtracted, so no digits cancel.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Codes, Sample
from likely.data.table import Table
from likely.engines import threads
from likely.families import Block
from likely.models.learned import Learned, count
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import Labels


def score_folds(
    model: NaiveBayesModel, sample: Sample, fold: NDArray[np.integer[Any]]
) -> tuple[NaiveBayesModel, Array]:
    """The model of all rows; and log p(x, y) of each row and class, by the model of the other folds. `fold` is the fold
    of each row, from 0.

    What the model chooses by looking at rows (families, bins, weights, options left open) is the same for all folds.
    Categories and words that only one fold has are unknown to the model of the others.
    """
    k, classes = int(fold.max()) + 1, len(sample.classes)
    if k < 2 or fold.min() < 0:
        raise ValueError(f"two folds at least, numbered from 0, are needed, not {np.unique(fold)[:5].tolist()}")
    by_fold = replace(sample, y=(fold * classes + sample.y).astype(np.int32), classes=np.arange(k * classes))
    parts = _parted(count(model.unlearned.plans(sample), by_fold), sample.classes, k)
    before = list(accumulate(parts, add))
    whole = model.unlearned.take_in(before[-1], sample)
    models = [replace(whole, learned=_planned(whole.known, rest)) for rest in _others(parts, before)]
    for of_others in models:
        of_others.check_parameters()
    return whole, _scored(whole.known, models, sample.table, fold.astype(np.int32))


def _parted(counted: Learned, classes: Labels, folds: int) -> list[Learned]:
    """The statistics of each fold, from statistics whose classes are pairs of fold and class."""
    parts = []
    for f in range(folds):
        at = slice(f * len(classes), (f + 1) * len(classes))
        blocks = tuple(replace(b, statistics=b.statistics.of_some_classes(at)) for b in counted.blocks)
        parts.append(replace(counted, classes=classes, rows=counted.rows.of_some_classes(at), blocks=blocks))
    return parts


def _others(parts: Sequence[Learned], before: Sequence[Learned]) -> Iterator[Learned]:
    """The statistics of all other folds, for each fold. `before` are the cumulative sums from the first fold."""
    after = list(accumulate(reversed(parts), add))[::-1]
    yield after[1]
    for f in range(1, len(parts) - 1):
        yield before[f - 1] + after[f + 1]
    yield before[-2]


def _planned(known: Learned, rest: Learned) -> Learned:
    """`rest` with the options of `known`, the model of all rows; without the categories that have no rows left."""
    blocks = []
    for block, part in zip(known.blocks, rest.blocks, strict=True):
        blocks.append(replace(block, frame=part.frame, statistics=part.statistics).trimmed())
    return replace(rest, blocks=tuple(blocks))


def _scored(known: Learned, models: Sequence[NaiveBayesModel], table: Table, fold: Codes) -> Array:
    """log p(x, y) of each row and class, by the model of its fold: `fold` has a position in `models`."""
    out = np.empty((table.rows, len(known.classes)))
    priors = np.array([model.log_prior() for model in models])
    by_block = list(zip(*(model.blocks for model in models), strict=True))
    places = [_places(block, of_folds) for block, of_folds in zip(known.blocks, by_block, strict=True)]

    def work(rows: slice) -> None:
        which, scores = fold[rows], out[rows]
        scores[:] = priors[which]
        for block, of_folds, place in zip(known.blocks, by_block, places, strict=True):
            if block.family.reads == "text":
                continue
            cells = block.read(table, rows)
            if place is not None:
                cells = place[which[:, None], cells, np.arange(cells.shape[1])]
            block.family.score_by([of_fold.parameters for of_fold in of_folds], which, cells, scores)

    threads.run(work, threads.pieces(table.rows, table.row_bytes + 8 * out.shape[1]))
    for of_folds in (of_folds for of_folds in by_block if of_folds[0].family.reads == "text"):
        for f, of_fold in enumerate(of_folds):
            rows = np.flatnonzero(fold == f)
            scores = out[rows]
            of_fold.score(table.take(rows), slice(None), scores)
            out[rows] = scores
    return out


def _places(block: Block, of_folds: Sequence[Block]) -> NDArray[np.int32] | None:
    """The code of each category of a block in the block of each fold: folds x codes x columns; None if all are the
    same. After the codes of a column comes that of an unknown value; the last, at -1, is that of a missing cell."""
    cells, sizes = block.frame.cells, block.frame.sizes
    if cells is None or all(of_fold.frame.sizes == sizes for of_fold in of_folds):
        return None
    places = np.full((len(of_folds), max(sizes) + 2, len(sizes)), -1, np.int32)
    for f, of_fold in enumerate(of_folds):
        assert of_fold.frame.cells is not None
        for j, (labels, left) in enumerate(zip(cells, of_fold.frame.cells, strict=True)):
            places[f, : len(labels) + 1, j] = len(left)
            places[f, np.searchsorted(labels, left), j] = np.arange(len(left))
    return places
