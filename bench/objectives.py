"""The least objective of logistic regression that each solver finds, worked out alike from the weights it returns.

All are asked for the utmost: ours for a gap of 1e-14, theirs for a tolerance of 1e-8. Ours may be above another's by no
more than the rounding of the sums that are compared. scikit-learn's stochastic solvers, sag and saga, are asked of the
small sets alone, as they take minutes for the others; its liblinear penalises the bias, and is here for two classes as
LIBLINEAR, which need not.
"""

from collections.abc import Iterator

from bench import logistic
from bench.data import TABLES, table
from bench.logistic import Problem, liblinear, objective, sklearn_fit
from bench.table import Row
from likely.optimize.softmax import rows_of, solve

GAP = 1e-14
ROUNDING = 1e-13
SMALL = ("newton-cholesky", "sag", "saga")
SETS = {
    "dense 1M x 50": (logistic.binary, ("lbfgs", "newton-cholesky", "LIBLINEAR")),
    "dense 200k x 50, 10 classes": (logistic.softmax, ("lbfgs", "newton-cg")),
    "100 x 1000, 10 classes": (logistic.wide, ("lbfgs", "newton-cg", "sag", "saga")),
    "20 Newsgroups, tf-idf": (lambda: logistic.news(tfidf=True), ("lbfgs", "newton-cg")),
    "20 Newsgroups, counts": (lambda: logistic.news(tfidf=False), ("lbfgs",)),
    "sparse 1M x 1M": (logistic.sparse, ("lbfgs", "LIBLINEAR")),
}


def objectives() -> Iterator[Row]:
    """Logistic regression: the objective that ours and scikit-learn's solvers and LIBLINEAR end at, on every set."""
    for name, (make, solvers) in SETS.items():
        yield from _rows(name, make(), solvers)
    for name in TABLES:
        problem = _indicators(name)
        two = ("LIBLINEAR",) if problem[1].max() == 1 else ()
        yield from _rows(name, problem, ("lbfgs", "newton-cg", *SMALL, *two))


def _rows(name: str, problem: Problem, solvers: tuple[str, ...]) -> Iterator[Row]:
    x, y = problem
    found = solve(rows_of(x, y, int(y.max()) + 1), tol=GAP)
    ours = objective(x, y, found.weights, found.bias)
    for solver in solvers:
        fit = (liblinear if solver == "LIBLINEAR" else sklearn_fit)(solver, 1e-8, x, y)
        theirs = objective(x, y, *fit())
        gap = f"gap {found.gap / ours:.0e}"
        yield Row(f"objective, {name}", f"{ours:.14g}", solver, f"{theirs:.14g}", theirs / ours, 1 - ROUNDING, gap)


def _indicators(name: str) -> Problem:
    """A table of at most 2,000 rows: numbers standardised, the mean for those missing, indicators of categories."""
    import numpy as np
    import pandas as pd

    rows, y = table(name, 2000)
    frame = pd.get_dummies(rows.to_pandas(), dtype=float)
    frame = ((frame - frame.mean()) / frame.std().replace(0.0, 1.0)).fillna(0.0)
    return np.ascontiguousarray(frame.to_numpy(np.float64)), np.unique(y, return_inverse=True)[1].astype(np.int32)
