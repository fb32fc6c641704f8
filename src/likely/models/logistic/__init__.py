"""The numerical core of logistic regression: passes over rows, solvers, and the duality gap of what they find."""

from likely.models.logistic.information import Information, information
from likely.models.logistic.rows import NotFinite, rows_of
from likely.models.logistic.solver import Solution, solve, solve_rows

__all__ = ["Information", "NotFinite", "Solution", "information", "rows_of", "solve", "solve_rows"]
