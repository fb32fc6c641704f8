"""Linear classifiers of largest margin, one class against all others: support vector machines with the squared hinge.

    min over w and b of   1/2 (|w|^2 + b^2) + C sum_i s_i max(0, 1 - t_i (w . x_i + b))^2

for each class, with t_i = 1 in its rows and -1 in all others, and sample weights s_i. With two classes there is one
problem, that of the second. Each is solved by coordinate descent on its dual (`native/margins.hpp`), classes in
parallel. A pass reads only the stored values: time grows with their number times the number of classes.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[np.float64]

TOL = 0.1
"""The tolerance, relative to the margin of 1. On Reuters R52, 0.01 gives the same accuracy with twice the passes."""
MOST_PASSES, FEWEST_PASSES = 1000, 10
MOST_READ = 10**11
"""The most values that all passes of a fit may read: some minutes of one core. Larger fits have fewer passes, and ten
are enough: Reuters R52 then has accuracy 0.955, and 0.954 after convergence, 20 Newsgroups 0.867 both times (`python
-m bench accuracy --only text_passes`)."""
AT_ONCE = 200
"""The number of rows that are copied at a time for scoring."""
PARTS = 4
"""Parts of the classes for each thread. A held-out fit stores only scores, and the weights of one part at a time: with
the weights of all classes the blend of Reuters R52 took 153 MB (`python -m bench accuracy --only text_costs`)."""


@dataclass(frozen=True, eq=False)
class MarginFit:
    """The margins of all classes; one output for two classes."""

    weights: Array
    """outputs x columns; one output for two classes."""
    bias: Array
    dual: Array
    """outputs x rows; another fit of these rows may start from it."""
    passes: int
    """The largest number of passes of any class."""
    message: str = ""
    """Why `tol` was not reached; empty if it was."""

    def scores(self, x: "csr_array") -> Array:
        """rows x outputs, in units of the margin."""
        out = np.empty((x.shape[0], len(self.bias)))

        def score(part: slice) -> None:
            out[:, part] = _scores(x, None, self.weights[part], self.bias[part])

        threads.run(score, _parts(len(self.bias)))
        return out


class HeldOutScores(NamedTuple):
    """The dual of a fit, and the scores of held-out rows by it."""

    dual: Array
    scores: Array
    """The scores of the requested rows: rows x outputs, in units of the margin."""


@dataclass(frozen=True, eq=False)
class _Problem:
    x: "csr_array"
    y: NDArray[np.int32]
    outputs: range
    cost: Array
    tol: float

    @classmethod
    def of(
        cls, x: "csr_array", y: NDArray[np.int32], classes: int, weight: Array | None, c: float, tol: float
    ) -> "_Problem":
        return cls(x, y, _outputs(classes), c * (np.ones(len(y)) if weight is None else weight), tol)

    @property
    def most_passes(self) -> int:
        read = int(self.x.nnz) * len(self.outputs)
        return min(MOST_PASSES, max(FEWEST_PASSES, MOST_READ // max(read, 1)))

    def start(self, dual: Array | None) -> Array:
        return np.zeros((len(self.outputs), len(self.y))) if dual is None else dual.copy()

    def solve(self, part: slice, dual: Array, weights: Array, passes: NDArray[np.int64]) -> None:
        """Solves the outputs of this part. `weights` has a row for each, with the bias last."""
        rows = self.x.indptr, self.x.indices, self.x.data, self.y, self.outputs[part.start], self.cost
        _native.fit_margins(*rows, self.tol, self.most_passes, dual[part], weights, passes[part])


def solve_margins(
    x: "csr_array",
    y: NDArray[np.int32],
    classes: int,
    weight: Array | None = None,
    c: float = 1.0,
    *,
    start: Array | None = None,
    tol: float = TOL,
) -> MarginFit:
    """The fit of each class, up to `tol` in the gradient of the dual. `start` is the dual of another fit of these rows.
    Rows of weight 0 have no effect. The values of `x` may be float32, which halves their memory."""
    problem = _Problem.of(x, y, classes, weight, c, tol)
    number, dual, most = len(problem.outputs), problem.start(start), problem.most_passes
    both, passes = np.empty((number, x.shape[1] + 1)), np.empty(number, np.int64)
    threads.run(lambda part: problem.solve(part, dual, both[part], passes), _parts(number))
    short = int(np.sum(passes < 0))
    message = f"{short} of {len(passes)} margins were not within {tol:g} after {most} passes" if short else ""
    return MarginFit(both[:, :-1], both[:, -1], dual, most if short else int(passes.max()), message)


def score_held_out(
    x: "csr_array",
    y: NDArray[np.int32],
    classes: int,
    weight: Array,
    c: float,
    rows: NDArray[np.intp],
    *,
    start: Array | None = None,
    tol: float = TOL,
) -> HeldOutScores:
    """The scores of these rows by a fit like that of `solve_margins`, without storing its weights."""
    problem = _Problem.of(x, y, classes, weight, c, tol)
    number, dual = len(problem.outputs), problem.start(start)
    passes, out = np.empty(number, np.int64), np.empty((len(rows), number))

    def fit(part: slice) -> None:
        both = np.empty((part.stop - part.start, x.shape[1] + 1))
        problem.solve(part, dual, both, passes)
        out[:, part] = _scores(x, rows, both[:, :-1], both[:, -1])

    threads.run(fit, _parts(number))
    return HeldOutScores(dual, out)


def _scores(x: "csr_array", rows: NDArray[np.intp] | None, weights: Array, bias: Array) -> Array:
    """The scores of these rows, or of all if None: rows x outputs."""
    rows = np.arange(x.shape[0]) if rows is None else rows
    width = 1 if len(bias) == 1 else -(-len(bias) // 4) * 4
    table, out = np.zeros((x.shape[1], width)), np.empty((len(rows), width))
    table[:, : len(bias)] = weights.T
    for first in range(0, len(rows), AT_ONCE):
        copied = x[rows[first : first + AT_ONCE]]
        part = copied.indptr, copied.indices, copied.data.astype(np.float64, copy=False)
        _native.csr_product(*part, table, False, out[first : first + AT_ONCE])
    return np.asarray(out[:, : len(bias)] + bias)


def _parts(outputs: int) -> list[slice]:
    return threads.parts(outputs, PARTS * threads.count())


def margin_gap(
    fit: MarginFit, x: "csr_array", y: NDArray[np.int32], classes: int, weight: Array | None, c: float
) -> tuple[float, float]:
    """The objective, summed over classes, and its duality gap: the objective is at most this much above its minimum."""
    cost, side = c * (np.ones(len(y)) if weight is None else weight), np.array(_outputs(classes)) == y[:, None]
    slack = np.maximum(1 - np.where(side, 1.0, -1.0) * fit.scores(x), 0.0)
    ridge = 0.5 * float(np.sum(fit.weights**2) + np.sum(fit.bias**2))
    objective = ridge + float(np.sum(cost @ slack**2))
    squares = np.divide(fit.dual**2, 4 * cost, out=np.zeros(fit.dual.shape), where=cost > 0)
    return objective, objective + ridge - float(np.sum(fit.dual) - np.sum(squares))


def _outputs(classes: int) -> range:
    """The classes that have a margin: all, or only the second of two."""
    return range(1, 2) if classes == 2 else range(classes)
