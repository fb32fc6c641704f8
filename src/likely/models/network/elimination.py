"""Sums over all values of some variables of a product of factors, one variable at a time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from likely.data.sample import Array

Variable = int


class Potential(NamedTuple):
    """A table with an axis for each of its variables."""

    of: tuple[Variable, ...]
    table: Array

    def at(self, values: Mapping[Variable, int]) -> "Potential":
        """With the variables that are known taken at their values."""
        where = tuple(values.get(variable, slice(None)) for variable in self.of)
        return Potential(tuple(variable for variable in self.of if variable not in values), self.table[where])


def marginal(potentials: Iterable[Potential], wanted: Sequence[Variable]) -> Array:
    """The sum of the product over all variables but those wanted, with an axis for each of these.

    The next variable to go is the one that leaves the smallest table. No table is larger than the treewidth asks for of
    an order found like that; in a forest, that is two columns and the class.
    """
    left = list(potentials)
    others = {variable for one in left for variable in one.of} - set(wanted)
    while others:
        variable = min(others, key=lambda v: (_cells(left, v), v))
        with_it = [one for one in left if variable in one.of]
        product = _product(with_it)
        axis = product.of.index(variable)
        rest = tuple(v for v in product.of if v != variable)
        left = [one for one in left if variable not in one.of] + [Potential(rest, product.table.sum(axis=axis))]
        others.remove(variable)
    product = _product(left)
    order = [product.of.index(variable) for variable in wanted]
    return product.table.transpose(order)


def _cells(potentials: Sequence[Potential], variable: Variable) -> int:
    sizes = {v: n for one in potentials if variable in one.of for v, n in zip(one.of, one.table.shape, strict=True)}
    return int(np.prod(list(sizes.values()), dtype=np.float64))


def _product(potentials: Sequence[Potential]) -> Potential:
    of = tuple(dict.fromkeys(variable for one in potentials for variable in one.of))
    table: Array = np.ones((1,) * len(of))
    for one in potentials:
        axes = sorted(range(len(one.of)), key=lambda at: of.index(one.of[at]))
        shape = [1] * len(of)
        for at in axes:
            shape[of.index(one.of[at])] = one.table.shape[at]
        table = table * one.table.transpose(axes).reshape(shape)
    return Potential(of, table)
