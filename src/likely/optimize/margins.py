"""Linear classifiers of largest margin, one class against all others: support vector machines with the squared hinge.

    min over w and b of   1/2 (|w|^2 + b^2) + C sum_i s_i max(0, 1 - t_i (w . x_i + b))^2

for each class, with t_i = 1 in its rows and -1 in all others; the rows have the weights s_i. Of two classes there is
one problem, that of the second. Each is solved by coordinate descent on its dual (`native/margins.hpp`), classes
side by side, and a pass over a row reads only its own values: time grows with the values of the rows times the classes.
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
"""Of the margin, which is 1. Reuters R52 has the same accuracy at 0.01, in twice the passes."""
MOST_PASSES, FEWEST_PASSES = 1000, 10
MOST_READ = 10**11
"""Values of rows that all passes of a fit may read: some minutes of one core. A fit of more has fewer passes, and ten
are a good answer: Reuters R52 has accuracy 0.955 then and 0.954 after all that it takes, 20 Newsgroups 0.867 both times
(`python -m bench accuracy --only text_passes`)."""
AT_ONCE = 200
"""Rows that are copied at a time to be scored."""
PARTS = 4
"""Of the classes for each thread. Of a fit for rows held out only scores are kept, and meanwhile the weights of one
part: with those of all classes the blend of Reuters R52 took 153 MB (`python -m bench accuracy --only text_costs`)."""


@dataclass(frozen=True, eq=False)
class MarginFit:
    weights: Array
    """outputs x columns; one output of two classes."""
    bias: Array
    dual: Array
    """outputs x rows, from which another fit of these rows may start."""
    passes: int
    """The most of any class."""
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
    dual: Array
    scores: Array
    """Of the rows that were asked for: rows x outputs, in units of the margin."""


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
        """Of the outputs in this part, whose weights end with the bias."""
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
    """The fit of each class, up to `tol` in the gradient of the dual; `start` is the dual of another fit of these rows.
    Rows without weight have no part. The values of `x` may be float32, which halves their memory."""
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
    """Scores of these rows by such a fit, whose weights are not kept."""
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
    """Of these rows, or of all: rows x outputs."""
    rows = np.arange(x.shape[0]) if rows is None else rows
    width = 1 if len(bias) == 1 else -(-len(bias) // 4) * 4
    table, out = np.zeros((x.shape[1], width)), np.empty((len(rows), width))
    table[:, : len(bias)] = weights.T
    for first in range(0, len(rows), AT_ONCE):
        some = x[rows[first : first + AT_ONCE]]
        part = some.indptr, some.indices, some.data.astype(np.float64, copy=False)
        _native.csr_product(*part, table, False, out[first : first + AT_ONCE])
    return np.asarray(out[:, : len(bias)] + bias)


def _parts(outputs: int) -> list[slice]:
    return threads.parts(outputs, PARTS * threads.count())


def margin_gap(
    fit: MarginFit, x: "csr_array", y: NDArray[np.int32], classes: int, weight: Array | None, c: float
) -> tuple[float, float]:
    """The objective of all classes together; and that it is above its minimum by no more than this, the duality gap."""
    cost, side = c * (np.ones(len(y)) if weight is None else weight), np.array(_outputs(classes)) == y[:, None]
    slack = np.maximum(1 - np.where(side, 1.0, -1.0) * fit.scores(x), 0.0)
    ridge = 0.5 * float(np.sum(fit.weights**2) + np.sum(fit.bias**2))
    objective = ridge + float(np.sum(cost @ slack**2))
    squares = np.divide(fit.dual**2, 4 * cost, out=np.zeros(fit.dual.shape), where=cost > 0)
    return objective, objective + ridge - float(np.sum(fit.dual) - np.sum(squares))


def _outputs(classes: int) -> range:
    """The classes that have a margin of their own."""
    return range(1, 2) if classes == 2 else range(classes)
