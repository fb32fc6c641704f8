"""Newton's method by Cholesky, for dense rows with few columns: the Hessian of a sample, and gradients of all rows.

The Hessian of all rows would cost several times as much as a pass for the gradient, while a sample gives it with a
relative error of about sqrt(unknowns / rows of the sample). So the problem is first solved on the sample, by the same
method, and the Hessian there is factored. It preconditions a quasi-Newton method (L-BFGS), in which every step is one
pass over all rows. With many classes the sample itself is first solved roughly, with the cheap Hessian of rows whose
probabilities are all the class shares (`Even`).

The dual point uses the same Hessian, H = penalty I + ratio M. M is the sum over the sample of A_i (x_i x_i^T), with A_i
the curvature of a row's loss; and d = H^-1 gradient. With q_i = p_i - ratio A_i (x_i d) in the sample and q_i = p_i
outside of it, G(q) = -penalty (W - d) and the residuals sum to zero, both exactly. The gap is then about ratio / 2
times the Newton decrement; |gradient|^2 / (2 penalty) would need weights a thousand times as precise.
"""

from collections.abc import Callable

import numpy as np

from likely.optimize.softmax.certificate import duality_gap
from likely.optimize.softmax.dense import DenseRows
from likely.optimize.softmax.problem import Array, RowPasses, SoftmaxFit
from likely.optimize.softmax.rows import padded
from likely.optimize.softmax.steps import halved

Pair = tuple[Array, Array]
"""A step, and the change of the gradient along it."""
LIMIT = 200
MEMORY = 8
ENOUGH = 8000
"""The rows of a sample; more if ten for each unknown, or one row in PART, are more. For a million rows of 50 columns a
sample of 8,000 needs one pass over all rows more than a sample of 40,000."""
PART = 25
ROUGH = 1e-4
"""About the relative gap to which a sample is first solved: its minimum differs from that of all rows by more."""


def solve(rows: DenseRows, penalty: float, start: Array | None, tol: float) -> SoftmaxFit:
    """The minimum, up to a gap of tol times the objective. `start` is outputs x (columns + 1), the bias last."""
    return solve_by(rows, _sample(rows) or rows, penalty, start, tol)


def solve_by(rows: RowPasses, sample: DenseRows, penalty: float, start: Array | None, tol: float) -> SoftmaxFit:
    """`solve` with the Hessian of `sample`, which is some of the rows."""
    ratio = rows.total / sample.total
    if sample.outputs > 1:
        start = _roughly(sample, penalty / ratio) if start is None else start
    elif sample is not rows:
        fit = solve(sample, penalty / ratio, start, max(tol, 1e-4))
        start = np.column_stack([fit.weights, fit.bias])
    start = _origin(sample) if start is None else start
    return _quasi_newton(rows, penalty, start, Curvature(sample, penalty, ratio, start), tol)


def _origin(rows: DenseRows) -> Array:
    """Weights of zero, with the best bias for them."""
    return np.column_stack([np.zeros((rows.outputs, rows.columns)), rows.first_bias])


def _roughly(rows: DenseRows, penalty: float) -> Array:
    """A rough minimum for many classes, by L-BFGS preconditioned with `Even`."""
    at, here = rows.objective(penalty), _origin(rows)
    (value, gradient), even, pairs = at(here), Even(rows, penalty), list[Pair]()
    for _ in range(LIMIT):
        step = _two_loops(pairs, gradient, even.solve)
        predicted = float(np.sum(step * gradient))
        if predicted <= 2 * ROUGH * rows.scale_of(value):
            break
        moved = halved(lambda t, here=here, step=step: at(here - t * step), value, predicted)  # type: ignore[misc]
        if moved is None or value - moved[1] < 0.1 * predicted:
            break  # the step ends where the loss is flat
        t, value, after = moved
        pairs, here, gradient = _remembered(pairs, -t * step, after - gradient), here - t * step, after
    return here


def _sample(rows: DenseRows) -> DenseRows | None:
    """A uniform sample of rows, always with the same seed; None if it would not be a small part of the rows, or if it
    has no row of some class."""
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
    """The Hessian of rows whose probabilities are all the class shares: a Kronecker product of a matrix of classes and
    a matrix of columns, factored for each eigenvalue of the first.
    """

    def __init__(self, rows: DenseRows, penalty: float) -> None:
        weight = np.ones(rows.number) if rows.weight is None else rows.weight
        shares = np.bincount(rows.y, weight, minlength=rows.outputs) / rows.total
        values, self.turn = np.linalg.eigh(np.diag(shares) - np.outer(shares, shares))
        products, ridge = rows.products(weight), rows.ridge(penalty)
        # A constant added to every class changes no loss: that eigenvalue is 0, so all are kept above a minimum.
        self.factors = [_factored(max(v, 1e-3 * values.mean()) * products + np.diag(ridge)) for v in values]

    def solve(self, gradient: Array) -> Array:
        """H^-1 gradient, both as outputs x (columns + 1), the bias last."""
        from scipy.linalg import cho_solve

        turned = self.turn.T @ gradient
        solved = [cho_solve(f, g, check_finite=False) for f, g in zip(self.factors, turned, strict=True)]
        return np.asarray(self.turn @ solved)


class Curvature:
    """The factored Hessian of rows at a point, scaled to `ratio` times as many rows. `products` is the result of
    `rows.curvature` there, if you have it already.
    """

    def __init__(self, rows: DenseRows, penalty: float, ratio: float, at: Array, products: Array | None = None) -> None:
        self.rows, self.penalty, self.ratio = rows, penalty, ratio
        self.residuals = rows.residuals(rows.scores(at[:, :-1].T, at[:, -1]))[1]
        self.products = rows.curvature(self.residuals) if products is None else products
        size = rows.columns + 1
        full = ratio * self.products
        full[np.diag_indices(len(full))] += np.tile(rows.ridge(penalty), rows.outputs)
        if rows.outputs > 1 and not rows.penalise_bias:
            # A constant added to every bias changes no loss, so the sum of the biases is held. Without a penalty the
            # same is true of the weights of every column.
            biases = np.arange(rows.outputs) * size + rows.columns
            full[np.ix_(biases, biases)] += full[biases, biases].mean()
            if penalty == 0:
                blocks = full.reshape(rows.outputs, size, rows.outputs, size)
                blocks += np.einsum("kikj->ij", blocks)[None, :, None, :] / rows.outputs
        self.factor = _factored(full)

    def solve(self, gradient: Array) -> Array:
        """H^-1 gradient, both as outputs x (columns + 1), the bias last."""
        from scipy.linalg import cho_solve

        return np.asarray(cho_solve(self.factor, gradient.ravel(), check_finite=False).reshape(gradient.shape))

    def gap(self, gradient: Array, here: Array, wanted: float) -> float:
        """The duality gap at a point `here` where the objective of all rows has this gradient. If the gap is far above
        `wanted`, only an estimate of it.
        """
        rows = self.rows
        d = self.solve(gradient)
        if (about := self.ratio / 2 * float(np.sum(gradient * d))) > 4 * wanted:
            return about
        at = rows.residuals(rows.scores(here[:, :-1].T, here[:, -1]))[1]
        along = rows.product(padded(d[:, :-1].T, rows.width))
        along[:, : rows.outputs] += d[:, -1]
        dual = at - self.ratio * rows.curved(self.residuals, along)
        rest = gradient - self.ratio * np.einsum("ij,j->i", self.products, d.ravel()).reshape(d.shape)
        return duality_gap(rows, self.penalty, dual, at, rest[:, :-1], rest[:, -1], self.ratio * rows.total)


def _factored(matrix: Array) -> tuple[Array, bool]:
    """The Cholesky factor. If columns are collinear up to rounding, a little is added to the diagonal."""
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


def _quasi_newton(rows: RowPasses, penalty: float, here: Array, curvature: Curvature, tol: float) -> SoftmaxFit:
    """L-BFGS preconditioned by the Hessian, which is computed again when it is out of date."""
    at = rows.objective(penalty)
    value, gradient = at(here)
    passes, gap, patience, pairs = 1, np.inf, _patience(rows, curvature.rows), list[Pair]()
    for _ in range(LIMIT):
        wanted = tol * rows.scale_of(value)
        gap, before = curvature.gap(gradient, here, wanted), gap
        if pairs and (gap == np.inf or (gap > max(wanted, 0.1 * before) and len(pairs) >= patience)):
            try:
                curvature = Curvature(curvature.rows, penalty, curvature.ratio, here)
            except np.linalg.LinAlgError:
                break  # the loss is flat, as for separable classes without a penalty
            pairs = []
            gap = curvature.gap(gradient, here, wanted)
        if gap <= wanted:
            break
        step = _two_loops(pairs, gradient, curvature.solve)
        along = float(np.sum(step * gradient))
        moved = halved(lambda t, here=here, step=step: at(here - t * step), value, along)  # type: ignore[misc]
        if moved is None:
            break
        t, value, after = moved
        passes += 1 - round(np.log2(t))
        pairs, here, gradient = _remembered(pairs, -t * step, after - gradient), here - t * step, after
    if not gap <= tol * rows.scale_of(value):
        gap = curvature.gap(gradient, here, np.inf)
    return SoftmaxFit(here[:, :-1], here[:, -1], value, gap, passes)


def _patience(rows: RowPasses, sample: DenseRows) -> int:
    """How many steps cost as much as a new Hessian; 1 if both cost very little."""
    unknowns = (sample.columns + 1) * sample.outputs
    work = sample.number * unknowns * (sample.columns + 1) * (sample.outputs + 1) / 2 + unknowns**3 / 3
    return max(1, min(MEMORY, round((work - 1e7) / (4 * rows.number * unknowns))))


def _remembered(pairs: list[Pair], moved: Array, turned: Array) -> list[Pair]:
    """The pairs with the last step, unless the gradient does not grow along it: then it shows no curvature."""
    return [*pairs[-MEMORY + 1 :], (moved, turned)] if np.sum(moved * turned) > 0 else pairs


def _two_loops(pairs: list[Pair], gradient: Array, solve: Callable[[Array], Array]) -> Array:
    """L-BFGS: the inverse Hessian of `solve`, corrected by the pairs, times the gradient."""
    q = gradient.copy()
    shares = []
    for moved, turned in reversed(pairs):
        shares.append(np.sum(moved * q) / np.sum(moved * turned))
        q -= shares[-1] * turned
    q = solve(q)
    for (moved, turned), share in zip(pairs, reversed(shares), strict=True):
        q += moved * (share - np.sum(turned * q) / np.sum(moved * turned))
    return q
