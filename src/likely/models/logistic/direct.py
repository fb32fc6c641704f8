"""Newton's method by Cholesky, for dense rows of few columns: curvature from a sample, gradients from all rows.

The curvature of all rows would cost several times the pass that gives their gradient, and a sample of them knows it to
within sqrt(unknowns / rows of the sample). So the problem is first solved on the sample, by the same method, and its
curvature there is kept. It preconditions a quasi-Newton method (L-BFGS), whose every step is one pass over all rows.
The sample of many classes is itself first solved roughly with the curvature of rows that all have the classes' shares
for probabilities (`Even`), which is cheap.

The dual point is taken with the same curvature. Let it be H = penalty I + ratio M, M the sum over the sample of
A_i (x_i x_i^T), A_i the curvature of a row's loss, and d = H^-1 gradient. With q_i = p_i - ratio A_i (x_i d) in the
sample and q_i = p_i outside it, G(q) = -penalty (U - d) and the residuals add up to zero, both exactly. The gap is then
about ratio / 2 times the decrement of Newton's method, where |gradient|^2 / (2 penalty) would ask for a thousand times
the precision.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likely.models.logistic.certificate import divergence
from likely.models.logistic.point import Found, first_bias, relative_to
from likely.models.logistic.rows import Dense, padded

Array = NDArray[np.float64]

Start = tuple[Array, Array]
Pair = tuple[Array, Array]
"""A step, and how the gradient changes along it."""
LIMIT = 200
MEMORY = 8
ENOUGH = 8000
"""Rows of a sample for few unknowns; ten for each unknown, or a row in PART, if that is more. Of a million rows of 50
columns 8,000 need a pass over all of them more than 40,000 do."""
PART = 25
ROUGH = 1e-4
"""To what gap, about, a sample is first solved: it differs from all rows by more."""


def solve(rows: Dense, penalty: float, centre: Array, start: Start | None, tol: float) -> Found:
    """The minimum over weights (columns x outputs) and bias, to a gap of tol times the objective."""
    sample = _sample(rows) or rows
    ratio = rows.total / sample.total
    if rows.outputs > 1:
        start = start or _roughly(sample, penalty / ratio, centre)
    elif sample is not rows:
        sampled = solve(sample, penalty / ratio, centre, start, max(tol, 1e-4))
        start = sampled.weights, sampled.bias
    start = start or (centre, first_bias(rows))
    return _quasi_newton(rows, penalty, centre, start, Curvature(sample, penalty, ratio, *start), tol)


def _roughly(rows: Dense, penalty: float, centre: Array) -> Start:
    here, even = _at(rows, penalty, centre, centre, first_bias(rows)), Even(rows, penalty)
    pairs: list[Pair] = []
    for _ in range(LIMIT):
        step = _two_loops(even, pairs, here.gradient)
        promise = float(np.sum(step * here.gradient))
        if promise <= 2 * ROUGH * relative_to(rows, here.value):
            break
        there, _ = _searched(rows, penalty, centre, here, step)
        if there is None or here.value - there.value < 0.1 * promise:
            break  # it leaps to where the loss is flat
        pairs, here = _remembered(pairs, here, there), there
    return here.weights, here.bias


def _sample(rows: Dense) -> Dense | None:
    """Rows drawn evenly, and with the same seed always; None where the sample would be no small part."""
    size = max(ENOUGH, 10 * (rows.columns + 1) * rows.outputs, rows.number // PART)
    if rows.number < 4 * size:
        return None
    step = rows.number / size
    chosen = (np.arange(size) * step + np.random.default_rng(0).random(size) * step).astype(np.intp)
    sample = rows.taken(np.minimum(chosen, rows.number - 1))
    present = np.bincount(sample.y, sample.weight, minlength=rows.classes) > 0
    everywhere = np.bincount(rows.y, rows.weight, minlength=rows.classes) > 0
    return sample if np.array_equal(present, everywhere) else None


class Even:
    """The curvature of rows whose probabilities are all the classes' shares: a product of one of the classes and one of
    the columns, factored for each eigenvalue of the first.
    """

    def __init__(self, rows: Dense, penalty: float) -> None:
        weight = np.ones(rows.number) if rows.weight is None else rows.weight
        shares = np.bincount(rows.y, weight, minlength=rows.outputs) / rows.total
        values, self.turn = np.linalg.eigh(np.diag(shares) - np.outer(shares, shares))
        products = rows.products_of_columns(weight)
        held = np.full(len(products), penalty)
        held[-1] = penalty if rows.held else 0.0
        # A constant added to every class changes no loss: that eigenvalue is 0, and all are kept from it.
        self.factors = [_factored(max(v, 1e-3 * values.mean()) * products + np.diag(held)) for v in values]

    def solve(self, gradient: Array) -> Array:
        """H^-1 gradient, both as outputs x (columns + 1), the bias last."""
        from scipy.linalg import cho_solve

        turned = self.turn.T @ gradient
        solved = [cho_solve(f, g, check_finite=False) for f, g in zip(self.factors, turned, strict=True)]
        return np.asarray(self.turn @ solved)


class Curvature:
    """The curvature of rows at a point, factored, as that of `ratio` times as many. `products` are those of the rows
    there, if they are at hand.
    """

    def __init__(
        self, rows: Dense, penalty: float, ratio: float, weights: Array, bias: Array, products: Array | None = None
    ) -> None:
        self.rows, self.penalty, self.ratio = rows, penalty, ratio
        scores = rows.scores(padded(weights, rows.width), bias)
        self.residuals = rows.residuals(scores)[1]
        self.products = rows.products_of_classes(self.residuals) if products is None else products
        size = rows.columns + 1
        full = ratio * self.products
        full[np.diag_indices(len(full))] += penalty
        biases = np.arange(rows.outputs) * size + rows.columns
        if not rows.held:
            full[biases, biases] -= penalty
        if rows.outputs > 1 and not rows.held:
            # A constant added to every bias changes nothing: hold it. Without a penalty, nor does one in any column.
            full[np.ix_(biases, biases)] += full[biases, biases].mean()
            if penalty == 0:
                blocks = full.reshape(rows.outputs, size, rows.outputs, size)
                blocks += np.einsum("kikj->ij", blocks)[None, :, None, :] / rows.outputs
        self.factor = _factored(full)

    def solve(self, gradient: Array) -> Array:
        """H^-1 gradient, both as outputs x (columns + 1), the bias last."""
        from scipy.linalg import cho_solve

        return np.asarray(cho_solve(self.factor, gradient.ravel(), check_finite=False).reshape(gradient.shape))

    def gap(self, gradient: Array, weights: Array, bias: Array, wanted: float) -> float:
        """The gap at the weights and bias that have this gradient of all rows; only about so, where it is far from what
        is wanted.
        """
        rows = self.rows
        d = self.solve(gradient)
        if (about := self.ratio / 2 * float(np.sum(gradient * d))) > 4 * wanted:
            return about
        at = rows.residuals(rows.scores(padded(weights, rows.width), bias))[1]
        along = rows.product(padded(d[:, :-1].T, rows.width))
        along[:, : rows.outputs] += d[:, -1]
        moved = at - self.ratio * rows.curved(self.residuals, along)
        c = rows.outputs
        left = gradient - self.ratio * np.einsum("ij,j->i", self.products, d.ravel()).reshape(d.shape)
        distance = divergence(moved[:, :c], at[:, :c], rows.y, rows.weight)
        if not rows.held:
            if np.abs(left[:, -1]).max() > 1e-10 * self.ratio * rows.total:
                return np.inf  # the residuals do not add up to zero
            left = left[:, :-1]
        if self.penalty == 0:
            return distance
        return distance + float(np.sum(left**2)) / (2 * self.penalty)


def _factored(matrix: Array) -> tuple[Array, bool]:
    """Its Cholesky factor; of columns that rounding leaves nothing of their own, with a little more on the diagonal."""
    from scipy.linalg import cho_factor

    diagonal = np.diagonal(matrix).copy()
    for more in (1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4):
        matrix[np.diag_indices(len(matrix))] = diagonal + more * np.maximum(diagonal, 1e-3 * diagonal.max()) + 1e-290
        try:
            factor: tuple[Array, bool] = cho_factor(matrix, lower=True, check_finite=False)
            return factor
        except np.linalg.LinAlgError:
            continue
    raise np.linalg.LinAlgError("the curvature of the rows is not positive: a column has numbers too large for squares")


@dataclass
class _Point:
    weights: Array
    bias: Array
    value: float
    gradient: Array
    """outputs x (columns + 1), the bias last."""


def _at(rows: Dense, penalty: float, centre: Array, weights: Array, bias: Array) -> _Point:
    loss, gradient, slope = rows.passed(weights, bias)
    away = weights - centre
    held = bias if rows.held else np.zeros_like(bias)
    both = np.column_stack([(gradient + penalty * away).T, slope + penalty * held])
    return _Point(weights, bias, loss + penalty / 2 * float(np.sum(away**2) + np.sum(held**2)), both)


def _searched(rows: Dense, penalty: float, centre: Array, here: _Point, step: Array) -> tuple[_Point | None, int]:
    """The first of the step, its half, its quarter ... that lowers the value as it should; and the passes it took."""
    slope = float(np.sum(step * here.gradient))
    for halvings in range(40):
        t = 0.5**halvings
        there = _at(rows, penalty, centre, here.weights - t * step[:, :-1].T, here.bias - t * step[:, -1])
        if there.value <= here.value - 1e-4 * t * slope or (
            halvings == 0 and np.sum(there.gradient * step) >= -0.9 * slope and there.value <= here.value * (1 + 1e-14)
        ):
            return there, halvings + 1
    return None, 40


def _quasi_newton(rows: Dense, penalty: float, centre: Array, start: Start, curvature: Curvature, tol: float) -> Found:
    """Steps of L-BFGS on the curvature, which is worked out anew where it is out of date."""
    here = _at(rows, penalty, centre, *start)
    passes, gap, patience = 1, np.inf, _patience(rows, curvature.rows)
    pairs: list[Pair] = []
    for _ in range(LIMIT):
        wanted = tol * relative_to(rows, here.value)
        gap, before = curvature.gap(here.gradient, here.weights, here.bias, wanted), gap
        if pairs and (gap == np.inf or (gap > max(wanted, 0.1 * before) and len(pairs) >= patience)):
            try:
                curvature = Curvature(curvature.rows, penalty, curvature.ratio, here.weights, here.bias)
            except np.linalg.LinAlgError:
                break  # the loss is flat, as that of rows that weights without a penalty tell apart
            pairs = []
            gap = curvature.gap(here.gradient, here.weights, here.bias, wanted)
        if gap <= wanted:
            break
        step = _two_loops(curvature, pairs, here.gradient)
        there, tried = _searched(rows, penalty, centre, here, step)
        passes += tried
        if there is None:
            break
        pairs, here = _remembered(pairs, here, there), there
    if not gap <= tol * relative_to(rows, here.value):
        gap = curvature.gap(here.gradient, here.weights, here.bias, np.inf)
    return Found(here.weights, here.bias, here.value, gap, passes)


def _patience(rows: Dense, sample: Dense) -> int:
    """Steps that cost as much as new curvature; one where neither costs anything to speak of."""
    unknowns = (rows.columns + 1) * rows.outputs
    work = sample.number * unknowns * (rows.columns + 1) * (rows.outputs + 1) / 2 + unknowns**3 / 3
    return max(1, min(MEMORY, round((work - 1e7) / (4 * rows.number * unknowns))))


def _remembered(pairs: list[Pair], here: _Point, there: _Point) -> list[Pair]:
    """With the last step; one along which the gradient does not grow tells nothing."""
    moved = np.column_stack([(there.weights - here.weights).T, there.bias - here.bias])
    turned = there.gradient - here.gradient
    return [*pairs[-MEMORY + 1 :], (moved, turned)] if np.sum(moved * turned) > 0 else pairs


def _two_loops(curvature: Curvature | Even, pairs: list[Pair], gradient: Array) -> Array:
    """L-BFGS: the inverse curvature that the pairs correct, times the gradient."""
    q = gradient.copy()
    shares = []
    for moved, turned in reversed(pairs):
        shares.append(np.sum(moved * q) / np.sum(moved * turned))
        q -= shares[-1] * turned
    q = curvature.solve(q)
    for (moved, turned), share in zip(pairs, reversed(shares), strict=True):
        q += moved * (share - np.sum(turned * q) / np.sum(moved * turned))
    return q
