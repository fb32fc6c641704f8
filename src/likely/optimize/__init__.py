"""Constrained optimisation with a proof.

    min f(x)   where   equalities = 0   and   at_most <= 0

`minimize` gives the point, the Lagrange multipliers and a certificate: how far the four conditions of Karush, Kuhn and
Tucker are from holding, worked out from the point and the multipliers alone. `kkt` checks any point, `dual` gives the
dual value and the gap. `gradient_descent` and `newton` are there for teaching, with their traces.

The contract:

- A function is anything that can be called with x, a vector. If it has `gradient` and `hessian` they are used, as in
  `Function(value, gradient, hessian)`; otherwise differences are, and the certificate says how good they were.
- A constraint is `Linear(matrix, bound)`, `Bounds(low, high)` (in `at_most`) or a function of any shape.
- The Lagrangian is L = f + sum of multiplier * constraint, and multipliers of `at_most` are 0 or more. They come as
  the constraints were given: one for one, a list for a list, each in the shape of its constraint.
- Linear constraints and bounds hold at every step, to rounding, and multipliers of those that do not bind are 0. Other
  functions are asked wherever scipy's solvers go.
- What can't be certified raises `Unsolved`; what has no answer `Infeasible` or `Unbounded`.
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
