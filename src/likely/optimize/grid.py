"""The minimum of a loss over a grid, with few evaluations."""

from collections.abc import Callable, Sequence


def downhill(loss: Callable[[float], float], grid: Sequence[float], start: float) -> float:
    """A local minimum of the loss on the grid, by steps from the start until no neighbour is better. `loss` may be
    called several times with the same number."""
    at = grid.index(start)
    while True:
        near = range(max(at - 1, 0), min(at + 2, len(grid)))
        best = min(near, key=lambda step: (loss(grid[step]), step != at))
        if best == at:
            return float(grid[at])
        at = best
