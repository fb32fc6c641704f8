"""Softmax regression with an offset and a ridge penalty: `problem` states it, `solve` solves it with a bound on the
error, and `evidence` solves the form with a few unknowns that all classes share.
"""

from likely.optimize.softmax.problem import RowPasses, SoftmaxFit
from likely.optimize.softmax.rows import NotFinite, SoftmaxRows
from likely.optimize.softmax.solver import rows_of, solve, solve_elsewhere

__all__ = ["NotFinite", "RowPasses", "SoftmaxFit", "SoftmaxRows", "rows_of", "solve", "solve_elsewhere"]
