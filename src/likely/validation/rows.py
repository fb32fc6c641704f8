"""Takes rows from any kind of table, and splits rows: at random, by class, by group or by time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data import Table
from likely.validation.measures import Codes

Rows = NDArray[np.intp]


def take(x: Any, rows: Rows) -> Any:
    """These rows, in a container of the same kind."""
    if hasattr(x, "iloc"):
        return x.iloc[rows]
    if isinstance(x, Table) or hasattr(x, "to_pylist"):  # a table of Likely or of Arrow
        return x.take(rows)
    if isinstance(x, (list, tuple)):
        return [x[row] for row in rows.tolist()]
    return (x.tocsr() if hasattr(x, "tocsr") else x)[rows]


def folds(k: int, y: Codes, rng: "np.random.Generator", stratify: bool = False, group: Any = None) -> NDArray[np.intp]:
    """The fold of each row, of k folds of equal size: at random, or class by class if `stratify`. Rows of one group
    stay together: the largest groups are assigned first, each to the smallest fold.
    """
    n = len(y)
    if group is not None:
        if stratify:
            raise ValueError("folds are either whole groups or stratified: use group or stratify, not both")
        _, of, sizes = np.unique(as_column(group, n, "group"), return_inverse=True, return_counts=True)
        check_parts(k, len(sizes), "groups")
        order = rng.permutation(len(sizes))
        order = order[np.argsort(-sizes[order], kind="stable")]
        filled, at = np.zeros(k), np.empty(len(sizes), np.intp)
        for one in order.tolist():
            at[one] = filled.argmin()
            filled[at[one]] += sizes[one]
        return np.asarray(at[of])
    check_parts(k, n, "rows")
    order = rng.permutation(n)
    if stratify:
        order = order[np.argsort(y[order], kind="stable")]
    dealt = np.empty(n, np.intp)
    dealt[order] = np.arange(n) % k
    return dealt


def cut(
    shares: tuple[float, ...],
    y: Codes,
    rng: "np.random.Generator",
    stratify: bool = False,
    group: Any = None,
    time: Any = None,
) -> list[Rows]:
    """The rows in parts with these shares: at random, or in whole groups, or in order of time."""
    n = len(y)
    if not all(0 < share < 1 for share in shares) or abs(sum(shares) - 1) > 1e-9:
        raise ValueError(f"the shares of the parts must be above 0 and sum to 1, not {', '.join(map(str, shares))}")
    if time is not None:
        if group is not None or stratify:
            raise ValueError("rows can be split by time, by group or by class, but only by one of these")
        order = np.argsort(as_column(time, n, "time"), kind="stable")
    elif group is not None:
        if stratify:
            raise ValueError("folds are either whole groups or stratified: use group or stratify, not both")
        names, of = np.unique(as_column(group, n, "group"), return_inverse=True)
        check_parts(len(shares), len(names), "groups")
        return _of_groups(shares, of, rng.permutation(len(names)))
    else:
        order = rng.permutation(n)
    check_parts(len(shares), n, "rows")
    if not stratify:
        least = np.arange(1, len(shares))  # no part is empty
        return [np.sort(part) for part in np.split(order, np.clip(_ends(shares, n), least, n - least[::-1]))]
    order = order[np.argsort(y[order], kind="stable")]
    each = [np.split(rows, _ends(shares, len(rows))) for rows in np.split(order, np.cumsum(np.bincount(y))[:-1])]
    return [np.sort(np.concatenate(parts)) for parts in zip(*each, strict=True)]


def _ends(shares: tuple[float, ...], n: int) -> NDArray[np.intp]:
    """Where each part but the last ends."""
    return np.asarray(np.rint(np.cumsum(shares)[:-1] * n), np.intp)


def _of_groups(shares: tuple[float, ...], of: NDArray[np.intp], order: NDArray[np.intp]) -> list[Rows]:
    """Groups in this order, split where the numbers of rows come nearest to the shares, with at least one group per
    part."""
    sizes = np.bincount(of)[order]
    reached = np.cumsum(sizes) / sizes.sum()
    ends, last = [], 0
    for at, share in enumerate(np.cumsum(shares)[:-1]):
        most = len(order) - (len(shares) - 1 - at)
        last = min(max(int(np.abs(reached - share).argmin()) + 1, last + 1), most)
        ends.append(last)
    return [np.flatnonzero(np.isin(of, part)) for part in np.split(order, ends)]


def as_column(values: Any, n: int, what: str) -> NDArray[Any]:
    column = np.asarray(values)
    if column.shape != (n,):
        raise ValueError(f"{what} has shape {column.shape}, but one value for each of {n} rows is needed")
    return column


def check_parts(k: int, n: int, what: str) -> None:
    if not 2 <= k <= n:
        raise ValueError(f"{n} {what} cannot be split into {k} parts; use from 2 to {n}")
