"""Softmax with an offset and a ridge: `problem` states it, `solve` solves it with a proof of how good the solution is,
and `evidence` has the form of few unknowns that all classes share.
"""

from likely.optimize.softmax.problem import RowPasses, SoftmaxFit
from likely.optimize.softmax.rows import NotFinite, SoftmaxRows
from likely.optimize.softmax.solver import rows_of, solve, solve_elsewhere

__all__ = ["NotFinite", "RowPasses", "SoftmaxFit", "SoftmaxRows", "rows_of", "solve", "solve_elsewhere"]
