"""The least of a loss over a grid, trying few of its numbers."""

from collections.abc import Callable, Sequence


def downhill(loss: Callable[[float], float], grid: Sequence[float], start: float) -> float:
    """From the start down to where neither neighbour is better. The loss of a number may be asked for again."""
    at = grid.index(start)
    while True:
        near = range(max(at - 1, 0), min(at + 2, len(grid)))
        best = min(near, key=lambda step: (loss(grid[step]), step != at))
        if best == at:
            return float(grid[at])
        at = best
