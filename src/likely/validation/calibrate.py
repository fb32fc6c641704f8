"""Calibration: a map by which probabilities come to mean what they say, learned from rows left out.

No row is given up for it. Left-out scores are those of a model that has not seen the row, as all scores will be.
"""

import numpy as np
from numpy.typing import NDArray

from likely.models.calibration import LEAST, Calibration, How, Steps, softmax
from likely.statistics import Labels
from likely.validation.measures import Array, Codes, log_loss, mean

ROWS = 10_000
"""Rows that a map is learned from: evenly spaced in a larger table. It has few parameters."""

FOLDS = 5
"""Parts by which one kind of map is chosen over the other."""


def calibration(
    log_p: Array, y: Codes, classes: Labels, how: How | bool = True, weight: Array | None = None
) -> Calibration:
    """The map for log probabilities of rows left out, and their classes. True takes the kind of map under which rows
    that it was not learned from are more probable.
    """
    if how not in (True, "temperature", "isotonic"):
        raise ValueError(f"calibrate is True, False, 'temperature' or 'isotonic', not {how!r}")
    step = -(-len(y) // ROWS)
    log_p, y, weight = log_p[::step], y[::step], None if weight is None else weight[::step]
    if how is True:
        how = _better(log_p, y, classes, weight)
    return _fitted(log_p, y, classes, how, weight)


def _better(log_p: Array, y: Codes, classes: Labels, weight: Array | None) -> How:
    part = np.random.default_rng(0).permutation(len(y)) % FOLDS
    kinds: tuple[How, How] = ("temperature", "isotonic")

    def loss(how: How) -> float:
        p = np.empty(log_p.shape)
        for fold in range(FOLDS):
            learned, judged = part != fold, part == fold
            of = None if weight is None else weight[learned]
            p[judged] = _fitted(log_p[learned], y[learned], classes, how, of)(log_p[judged])
        return log_loss(p, y, weight)

    return min(kinds, key=loss)


def _fitted(log_p: Array, y: Codes, classes: Labels, how: How, weight: Array | None) -> Calibration:
    w = np.ones(len(y)) if weight is None else weight
    first = _temperature(log_p, y, w)
    scale, offset = _scaled(np.maximum(first * log_p, LEAST), y, w)
    straight = Calibration(classes, first * scale, offset)
    if how == "temperature" or len(y) < 2:
        return straight
    p = straight(log_p)
    curves = tuple(_rising(p[:, k], y == k, w) for k in range(len(classes)))
    drawn = Calibration(classes, straight.scale, offset, curves)(log_p)
    return Calibration(
        classes, straight.scale, offset, curves, _rising(drawn.max(axis=1), drawn.argmax(axis=1) == y, w)
    )


def _temperature(log_p: Array, y: Codes, w: Array) -> float:
    """One over the temperature of the least log loss, roughly: what comes after is exact. By golden section over its
    logarithm, on some of the rows, and with the loss of a row bounded.
    """
    step = -(-len(y) // 2000)
    log_p, y, w = log_p[::step], y[::step], w[::step]

    def loss(log_scale: float) -> float:
        p = softmax(np.maximum(np.exp(log_scale) * log_p, LEAST))
        own = p[np.arange(len(y)), y]
        return mean(-np.log(np.maximum(own, np.exp(LEAST))), w)

    low, high, share = np.log(1e-3), np.log(20.0), (5**0.5 - 1) / 2
    a, b = high - share * (high - low), low + share * (high - low)
    at_a, at_b = loss(a), loss(b)
    while high - low > 0.01:
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - share * (high - low)
            at_a = loss(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + share * (high - low)
            at_b = loss(b)
    return float(np.exp((low + high) / 2))


def _scaled(u: Array, y: Codes, w: Array) -> tuple[float, Array]:
    """The scale and the offsets of the least log loss, by Newton's method. Each offset is believed to be 0 ± 1, which
    is worth some rows where a class has few.
    """
    classes = u.shape[1]
    rows, own = np.arange(len(y)), np.bincount(y, w, classes)
    now = np.zeros(classes + 1)
    now[0] = 1.0

    def at(t: Array) -> tuple[float, Array]:
        p = softmax(t[0] * u + t[1:])
        losses = -np.log(np.maximum(p[rows, y], 1e-300))
        return float((w * losses).sum() + 0.5 * (t[1:] ** 2).sum() + 0.5 * (t[0] - 1) ** 2), p

    loss, p = at(now)
    for _ in range(50):
        q = w[:, None] * p
        middle = (p * u).sum(axis=1)
        slope = np.concatenate([[(q * u).sum() - (w * u[rows, y]).sum() + now[0] - 1], q.sum(axis=0) - own + now[1:]])
        curvature = np.empty((classes + 1, classes + 1))
        curvature[0, 0] = (w * ((p * u * u).sum(axis=1) - middle**2)).sum() + 1
        curvature[0, 1:] = curvature[1:, 0] = (q * (u - middle[:, None])).sum(axis=0)
        curvature[1:, 1:] = np.diag(q.sum(axis=0) + 1) - q.T @ p
        step = np.linalg.solve(curvature, slope)
        gain, length = slope @ step, 1.0
        if gain < 1e-10 * w.sum():
            break
        while True:
            there = now - length * step
            found, p_there = at(there)
            if (there[0] > 0 and found <= loss - 1e-4 * length * gain) or length < 1e-6:
                break
            length /= 2
        if found >= loss:
            break
        now, loss, p = there, found, p_there
    return float(now[0]), now[1:]


def _rising(x: Array, hit: NDArray[np.bool], w: Array) -> Steps:
    """The rising curve nearest to the hits. It stays a row short of 0 and 1: nothing is impossible."""
    from scipy.optimize import isotonic_regression

    x, at = np.unique(x, return_inverse=True)  # what is alike in x is one point, whatever order its rows are in
    weight = np.maximum(np.bincount(at, w), 1e-300)
    least = 1 / (w.sum() + 2)
    y = np.clip(isotonic_regression(np.bincount(at, w * hit) / weight, weights=weight).x, least, 1 - least)
    corner = np.append(True, y[1:] > y[:-1]) | np.append(y[1:] > y[:-1], True)
    return Steps(x[corner], y[corner])
