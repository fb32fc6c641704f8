"""Conditional probability tables p(x_j | parents of j, y), from counts.

They are smoothed level by level. Without parents, a column has the probabilities of its prior and its counts. Each
further parent, in order, gives p_l = (n_l + m p_(l-1)) / (N_l + m): a combination that was rarely seen backs off to the
estimate from fewer parents, and in the end to the column alone. `m` is the strength of the smoothing.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.cells import Array, Codes, ratio, without
from likely.families.structure import Structure
from likely.priors import Prior
from likely.statistics import JointCounts, JointFrame
from likely.statistics.joint import Clique, JointCells


class Smoothing:
    """The counts of a block, and how the factors of a network are estimated from them."""

    def __init__(
        self, statistics: JointCounts, frame: JointFrame, structure: Structure, prior: Prior, m: float
    ) -> None:
        self.statistics, self.frame, self.structure, self.m = statistics, frame, structure, m
        self.pseudocounts = [
            np.append(prior.proportions(size + 1 - cut), [0.0] * cut)  # with bins, no number is unseen
            for size, cut in zip(frame.sizes, frame.bins, strict=True)
        ]
        self.at = {clique: q for q, clique in enumerate(frame.cliques)}

    def levels(self, factor: Clique) -> list[Array]:
        """The counts of each value of a column: without its parents, with the first one, with the first two, and so on.
        Each is classes x slots of these parents x (its values and one for unseen values). The slots of a parent are as
        in native/networks.hpp: those for missing and unseen values have counts of 0."""
        *parents, j = factor
        start, end = self.frame.starts[j : j + 2]
        table = self.statistics.table
        alone = np.zeros((len(table), end - start + 1))  # np.pad would take longer than the rest of this method
        alone[:, :-1] = table[:, start:end]
        if not parents:
            return [alone]
        clique = tuple(sorted(factor))
        counts = self.frame.joint.of(self.statistics.joint, self.at[clique])
        counts = counts.transpose(0, *(1 + clique.index(i) for i in factor))[..., 1:]
        by_level = []
        for level in range(len(parents), 0, -1):
            padded = np.zeros((len(table), *(size + 1 for size in counts.shape[1:])))
            inner = (slice(None), *(slice(1, -1),) * level, slice(-1))
            padded[inner] = counts[:, *(slice(1, None),) * level]
            by_level.append(padded)
            counts = counts.sum(axis=-2)
        return [alone, *reversed(by_level)]

    def conditional(self, factor: Clique, left_out: float = 0.0) -> Array:
        """p of each value: classes x slots of the parents x (values and one for unseen values). With `left_out`, each
        cell has the p it would have if a row of this weight had not been counted in it."""
        levels, pseudo = self.levels(factor), self.pseudocounts[factor[-1]]
        p = np.zeros(0)
        for level, counts in enumerate(levels):
            n = without(counts, left_out) if left_out else counts
            total = counts.sum(axis=-1, keepdims=True)
            total = without(total, left_out) if left_out else total
            if level == 0:
                p = ratio(n + pseudo, total + pseudo.sum())
            else:
                p = (n + self.m * p[..., None, :]) / (total + self.m)
        return p

    def own(self, factor: Clique, codes: Codes, y: Codes, weight: Array) -> Array:
        """Leave-one-out log p of each row's value in its own class. Codes are columns x rows."""
        levels, pseudo = self.levels(factor), self.pseudocounts[factor[-1]]
        x = codes[factor[-1]]
        at: tuple[Codes, ...] = (y,)
        value = np.where(x < 0, 0, x)
        total = without(levels[0].sum(axis=-1)[at], weight) + pseudo.sum()
        p = ratio(without(levels[0][*at, value], weight) + pseudo[value], total)
        there = np.ones(len(y), np.bool)
        for parent, counts in zip(factor[:-1], levels[1:], strict=True):
            at = *at, codes[parent] + 1
            there &= codes[parent] >= 0
            n, total = without(counts[*at, value], weight), without(counts.sum(axis=-1)[at], weight)
            p = np.where(there, (n + self.m * p) / (total + self.m), p)
        with np.errstate(divide="ignore"):
            return np.where(x < 0, 0.0, np.log(p))

    def left_to_no_parent(self, factor: Clique) -> Array:
        """For a factor with one parent or none, the share m / (N + m) of the column alone: slots of the parent x
        classes."""
        if len(factor) == 1:
            return np.zeros((1, len(self.statistics.table)))
        return np.asarray(self.m / (self.levels(factor)[1].sum(axis=-1) + self.m)).T


@dataclass(frozen=True, eq=False)
class Conditionals:
    """The parameters of a network: a table for each factor, also in the layout that the kernels need."""

    smoothing: Smoothing
    log_widths: list[Array]
    """For each column, the log widths of its bins; 0 for categories."""
    column_weights: Array | None = None

    @property
    def structure(self) -> Structure:
        return self.smoothing.structure

    @property
    def sizes(self) -> list[int]:
        return self.smoothing.frame.sizes

    @cached_property
    def cells(self) -> JointCells:
        """The cells of the factors. Each column has a slot for missing cells, one for each value, and one for unseen
        values."""
        return JointCells(tuple(size + 1 for size in self.sizes), tuple(self.structure.factors))

    @cached_property
    def times(self) -> Array:
        """The weight of each column."""
        return np.ones(len(self.sizes)) if self.column_weights is None else self.column_weights

    @cached_property
    def scale(self) -> float:
        """By how much log p(x | y) is multiplied, where all columns that count have one weight."""
        most = float(self.times.max(initial=0.0))
        return most if most and np.isin(self.times, (0.0, most)).all() else 1.0

    @property
    def exact(self) -> bool:
        """Whether missing cells are marginalised out. Factors with different column weights are no probabilities, and
        can't be summed."""
        return self.structure.forest and bool(np.isin(self.times, (0.0, self.scale)).all())

    @cached_property
    def tables(self) -> list[Array]:
        """p(x | parents, y) of each factor: classes x slots of the parents x (values and one for unseen values)."""
        return [self.smoothing.conditional(factor) for factor in self.structure.factors]

    @cached_property
    def log_p(self) -> Array:
        """The log of `tables`, in the layout of `_flat`."""
        return self._flat(self.tables)

    @cached_property
    def loo_log_p(self) -> Array:
        """`log_p` leave-one-out, for rows of weight 1: each cell without one of its rows."""
        return self._flat([self.smoothing.conditional(factor, 1.0) for factor in self.structure.factors])

    def _flat(self, tables: Sequence[Array]) -> Array:
        """The logs in the layout of the kernels: a row for each cell, the classes padded to a multiple of four."""
        classes = len(tables[0])
        flat = np.zeros((self.cells.starts[-1], -(-classes // 4) * 4))
        for f, table in enumerate(tables):
            with np.errstate(divide="ignore"):
                logs = np.moveaxis(np.log(table), 0, -1)
            padded = np.zeros((*logs.shape[:-2], logs.shape[-2] + 1, classes))
            padded[..., 1:, :] = logs
            flat[self.cells.starts[f] : self.cells.starts[f + 1], :classes] = padded.reshape(-1, classes)
        return flat

    @cached_property
    def _shape(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The sizes of columns, the columns of all factors one after the other, and where each factor ends."""
        factors = self.structure.factors
        ends = np.cumsum([len(factor) for factor in factors], dtype=np.int64)
        return (
            np.array(self.cells.sizes, np.int64),
            np.array([j for factor in factors for j in factor], np.int64),
            ends,
        )

    def score(self, codes: Codes, out: Array, y: Codes | None = None, own: Array | None = None) -> None:
        """Adds log p(x | y) of each row and class to `out`. Codes are columns x rows, contiguous. For leave-one-out, y
        is each row's class and `own` the log factors of that class, rows x factors."""
        columns = len(self.sizes)
        networks = np.arange(1, len(self.structure.networks) + 1, dtype=np.int64) * columns
        backoff = None
        if own is not None and self.exact:
            backoff = self._backoff
        scores = out if self.scale == 1 else np.zeros_like(out)
        _native.score_networks(
            codes, *self._shape, networks, self.log_p, self.times / self.scale, self.exact, y, own, backoff, scores
        )  # fmt: skip
        if scores is not out:
            out += self.scale * scores
        if any(widths.any() for widths in self.log_widths):
            out -= self._widths(codes)[:, None]

    @cached_property
    def _backoff(self) -> Array:
        """`left_to_no_parent` of all factors, padded like `log_p`."""
        shares = np.concatenate([self.smoothing.left_to_no_parent(factor) for factor in self.structure.factors])
        return np.ascontiguousarray(np.pad(shares, ((0, 0), (0, self.log_p.shape[1] - shares.shape[1]))))

    def _widths(self, codes: Codes) -> Array:
        """The sum of the weighted log widths of each row's bins."""
        total = np.zeros(codes.shape[1])
        for of_column, widths, times in zip(codes, self.log_widths, self.times, strict=True):
            if widths.any() and times:
                total += times * np.append(widths, 0.0)[of_column]
        return total

    def own(self, codes: Codes, y: Codes, weight: Array | None) -> Array:
        """Leave-one-out log p of each factor in the row's own class, without bin widths: rows x factors."""
        factors = self.structure.factors
        out = np.empty((codes.shape[1], len(factors)))
        if weight is None:
            _native.look_up_factors(codes, y, *self._shape, self.loo_log_p, out)
        else:
            for f, factor in enumerate(factors):
                out[:, f] = self.smoothing.own(factor, codes, y, weight)
        return out

    def contributions(self, codes: Codes) -> Array:
        """For a single network, the log p of each factor without column weights: rows x classes x columns. A missing
        cell has its own slot. Codes are columns x rows."""
        classes = len(self.tables[0])
        out = np.empty((codes.shape[1], classes, len(self.sizes)))
        for f, factor in enumerate(self.structure.factors):
            at = np.zeros(codes.shape[1], np.int64)
            for j in factor:
                at = at * (self.sizes[j] + 2) + codes[j] + 1
            out[:, :, factor[-1]] = self.log_p[self.cells.starts[f] + at, :classes]
        return out

    def averaged_contributions(self, codes: Codes) -> Array:
        """`contributions` for the mean of several networks: the mean over networks, weighted by the share of each in
        the score, minus the log widths of bins. What the averaging itself adds is divided equally among the columns
        that are not missing."""
        each, there, log_widths = [], codes >= 0, [np.zeros(size) for size in self.sizes]
        for parents in self.structure.networks:
            single = copy(self.smoothing)
            single.structure = Structure("given", (parents,))
            each.append(replace(self, smoothing=single).contributions(codes))
        added = np.array(each)  # networks x rows x classes x columns
        firsts = [parents.index(()) for parents in self.structure.networks]
        scores = np.where(there[firsts][:, :, None], added.sum(axis=3), -np.inf)
        total = np.zeros(added.shape[1:3])
        replace(self, log_widths=log_widths).score(codes, total)
        with np.errstate(invalid="ignore"):
            share = np.nan_to_num(np.exp(scores - np.logaddexp.reduce(scores, axis=0)))
        parts = self.scale * np.asarray((share[..., None] * added).sum(axis=0))
        rest = (total - parts.sum(axis=2)) / np.maximum(there.sum(axis=0), 1)[:, None]
        parts += np.where(there.T[:, None, :], rest[:, :, None], 0.0)
        for j, widths in enumerate(self.log_widths):
            parts[:, :, j] -= self.scale * np.append(widths, 0.0)[codes[j]][:, None]
        return parts
