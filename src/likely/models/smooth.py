"""How strong the prior of a block is: by left-out likelihood, where it was left to be chosen."""

from dataclasses import replace

import numpy as np

from likely.data.table import Table
from likely.families.family import Array, Codes
from likely.models.block import Block, naming
from likely.priors import Auto

ROWS = 2_000
"""Rows that are left out; but cells need none, as their counts say all."""


def smoothed(block: Block, table: Table, y: Codes, weight: Array | None) -> Block:
    """The block with the strength under which its columns, in rows of the table, which it has counted, are most
    probable. One strength for all columns: they are read by one family."""
    if not isinstance(getattr(block.family, "prior", None), Auto) or block.family.reads == "text":
        return block
    step = max(1, -(-table.rows // ROWS))
    cells = block.read(table if step == 1 else table.every(step), slice(None))
    part = None if weight is None else np.ascontiguousarray(weight[::step])
    whole = np.array([table.kinds[j] == "int" and not block.plan.absence for j in block.plan.columns])
    given = block.statistics, cells, np.ascontiguousarray(y[::step]), part, block.frame, whole
    with naming(block.frame, 0, step):
        trials = [replace(block.family, prior=Auto(strength)) for strength in Auto.GRID]  # type: ignore[type-var]
        logs = [float(trial.left_out_total(*given).sum()) for trial in trials]
    prior = Auto(Auto.GRID[int(np.argmax(logs))], tuple(zip(Auto.GRID, logs, strict=True)))
    return replace(block, plan=replace(block.plan, family=replace(block.family, prior=prior)))  # type: ignore[type-var]
