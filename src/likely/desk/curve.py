"""Computes the coordinates of a learning curve, for an SVG figure."""

from dataclasses import dataclass

from likely.validation.measures import wilson

WIDTH, HEIGHT, LEFT, BOTTOM = 320, 150, 42, 20
POINTS = 160
"""The most points to draw: the eye can't separate more."""


@dataclass(frozen=True)
class CurvePicture:
    line: str
    band: str
    """The 95 % interval, as a polygon."""
    least: int
    """The number of labels at the left edge."""
    most: int
    """The number of labels at the right edge."""
    top: float
    """The share of errors at the top edge."""
    left: int = LEFT
    width: int = WIDTH
    height: int = HEIGHT
    bottom: int = HEIGHT - BOTTOM


def curve(points: list[tuple[int, int, int]]) -> CurvePicture | None:
    """The figure for points (labels, wrong rows, judged rows); None for fewer than two points."""
    points = [point for point in points if point[2]]
    if len(points) < 2:
        return None
    step = -(-len(points) // POINTS)
    points = [*points[:-1:step], points[-1]]
    first, last = points[0][0], points[-1][0]
    limits = [wilson(wrong, judged) for _, wrong, judged in points]
    top = min(1.0, max(0.05, 1.1 * max(wrong / judged for _, wrong, judged in points)))

    def x(labels: int) -> float:
        return LEFT + (WIDTH - LEFT - 6) * (labels - first) / max(last - first, 1)

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 8) * min(share, top) / top

    line = " ".join(f"{x(n):.1f},{y(wrong / judged):.1f}" for n, wrong, judged in points)
    upper = [f"{x(n):.1f},{y(high):.1f}" for (n, *_), (_, high) in zip(points, limits, strict=True)]
    lower = [f"{x(n):.1f},{y(low):.1f}" for (n, *_), (low, _) in zip(points, limits, strict=True)]
    return CurvePicture(line, " ".join([*upper, *lower[::-1]]), first, last, top)
