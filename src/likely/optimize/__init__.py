"""Constrained optimisation with a proof.

    min f(x)   where   equalities = 0   and   at_most <= 0

`minimize` returns the point, the Lagrange multipliers and a certificate: how far each of the four Karush-Kuhn-Tucker
(KKT) conditions is violated, computed only from the point and the multipliers. `kkt` checks any point, `dual` computes
the dual value and the gap. `gradient_descent` and `newton` are for teaching, with their traces.

The contract:

- A function is any callable that takes a vector x. If it has the attributes `gradient` and `hessian`, as
  `Function(value, gradient, hessian)` has, they are used. Otherwise they are approximated by differences, and the
  certificate shows how accurate those are.
- A constraint is `Linear(matrix, bound)`, `Bounds(low, high)` (in `at_most`) or a function with values of any shape.
- The Lagrangian is L = f + sum of multiplier * constraint, and multipliers of `at_most` are 0 or more. They have the
  structure of the constraints: one for one, a list for a list, each in the shape of its constraint.
- Linear constraints and bounds hold at every step, up to rounding, and the multipliers of inactive ones are 0. Other
  functions may be called outside of them, wherever scipy's solvers go.
- `Unsolved` is raised if no point can be certified; `Infeasible` or `Unbounded` if the problem has no solution.
"""

from likely.optimize.certificate import Certificate, kkt
from likely.optimize.constraints import Bounds, Linear, Sides, equal, increasing
from likely.optimize.descent import Trace, gradient_descent, newton
from likely.optimize.duality import Dual, NotConvex, dual
from likely.optimize.function import Function
from likely.optimize.minimizer import Minimum, minimize
from likely.optimize.polyhedral import Infeasible, Unbounded, Unsolved
from likely.optimize.problem import Multipliers
from likely.optimize.proportions import Proportions, proportions

__all__ = [
    "Bounds",
    "Certificate",
    "Dual",
    "Function",
    "Infeasible",
    "Linear",
    "Minimum",
    "Multipliers",
    "NotConvex",
    "Proportions",
    "Sides",
    "Trace",
    "Unbounded",
    "Unsolved",
    "dual",
    "equal",
    "gradient_descent",
    "increasing",
    "kkt",
    "minimize",
    "newton",
    "proportions",
]
