"""The zeros of a quadratic function of two numbers (an ellipse, a hyperbola, a parabola or lines), as points."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from likely.data.sample import Array

Window = tuple[tuple[float, float], ...]
"""The least and the largest value of each column."""


def curves(a: Array, b: Array, c: float, window: Window, points: int) -> list[Array]:
    """The curves x' a x + b' x + c = 0 within a window: a list of arrays of points, in order along each curve.

    In axes that make the quadratic part diagonal, p u^2 + q v^2 + r u + s v + t = 0 is solved for v, the coordinate
    with the larger curvature. The two solutions meet where the discriminant is zero. There, and where a curve leaves
    the window, points are closer together, spaced by a cosine.
    """
    low, high = np.asarray(window, np.float64).T
    centre, half = (low + high) / 2, (high - low) / 2
    t = float(centre @ a @ centre + b @ centre + c)
    b, a = half * (2 * a @ centre + b), half[:, None] * a * half
    scale = max(np.abs(a).max(), np.abs(b).max(), abs(t))
    if scale == 0:
        return []
    a, b, t = a / scale, b / scale, t / scale
    (p, q), axes = np.linalg.eigh(a)
    if abs(p) > abs(q):
        p, q, axes = q, p, axes[:, ::-1]
    if abs(q) < 1e-12:  # a line: the second axis is perpendicular to it
        across = b / (np.linalg.norm(b) or 1.0)
        p, q, axes = 0.0, 0.0, np.column_stack([[-across[1], across[0]], across])
    r, s = axes.T @ b
    pieces = []
    for line in _solved(p, q, r, s, t, points):
        inside = line @ axes.T
        pieces += _pieces(centre + half * inside, (np.abs(inside) <= 1 + 1e-9).all(axis=1))
    return pieces


def _solved(p: float, q: float, r: float, s: float, t: float, points: int) -> Iterator[Array]:
    """The curves in (u, v), for u from -sqrt 2 to sqrt 2, the distance of the window's corners from its centre."""
    reach = 2**0.5
    if q == 0:
        if s != 0:
            u = np.linspace(-reach, reach, points)
            yield np.column_stack([u, np.full(points, -t / s)])
        return
    discriminant = np.array([-4 * p * q, -4 * q * r, s * s - 4 * q * t])
    turns = _roots(discriminant, reach)
    edges = [u for v in (-reach, reach) for u in _roots(np.array([p, r, q * v * v + s * v + t]), reach)]
    begin = -reach
    lines: list[list[Array]] = [[], []]
    for start, end in pairwise(sorted({-reach, reach, *turns, *edges})):
        if np.polyval(discriminant, (start + end) / 2) > 0:
            u = (start + end) / 2 - (end - start) / 2 * np.cos(np.linspace(0, np.pi, points))
            root = np.sqrt(np.maximum(np.polyval(discriminant, u), 0.0))
            # The larger solution is computed without cancellation, the other from their product.
            far = -0.5 * (s + np.copysign(root, s))
            near = np.divide(p * u * u + r * u + t, far, out=-far / q, where=far != 0)
            for line, v in zip(lines, (far / q, near), strict=True):
                line.append(np.column_stack([u, v]))
        if end in turns or end == reach:
            if lines[0]:
                one, two = map(np.concatenate, lines)
                if end in turns:
                    yield np.concatenate([one, two[::-1]])
                elif begin in turns:
                    yield np.concatenate([one[::-1], two])
                else:
                    yield one
                    yield two
            begin, lines = end, [[], []]


def _roots(polynomial: Array, reach: float) -> list[float]:
    roots = np.roots(np.trim_zeros(polynomial, "f"))
    return sorted(float(root.real) for root in roots if abs(root.imag) < 1e-9 and abs(root.real) < reach)


def _pieces(line: Array, inside: Array) -> list[Array]:
    """The parts of a line that are inside the window."""
    cuts = np.flatnonzero(np.diff(inside)) + 1
    return [
        piece
        for piece, kept in zip(np.split(line, cuts), np.split(inside, cuts), strict=True)
        if len(piece) and kept[0]
    ]
