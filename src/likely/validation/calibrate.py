"""Calibration: a map from a model's probabilities to the true frequencies, learned from leave-one-out predictions.

It costs no rows: leave-one-out scores come from a model that has not seen the row, as the scores of new rows do.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely.models.calibration import LEAST, Calibration, How, Steps, softmax
from likely.models.prediction_sets import Conformity
from likely.optimize.softmax.evidence import least
from likely.statistics import Labels
from likely.validation.measures import Array, Codes, log_loss, mean

ROWS = 10_000
"""The most rows that a map is learned from, evenly spaced in a larger table: it has few parameters."""

FOLDS = 5
"""The number of folds to choose between the kinds of map, and to make prediction sets."""


def calibration(
    log_p: Array,
    y: Codes,
    classes: Labels,
    how: How | bool = True,
    weight: Array | None = None,
    unchosen: Array | None = None,
) -> Calibration:
    """Learns the map from leave-one-out log probabilities to calibrated probabilities.

    Parameters
    ----------
    log_p : array of rows x classes
        Log probabilities of rows that were not learned.
    y : array of int
        The class of each row, as a position in `classes`.
    classes : labels
        The classes, in the order of the columns of `log_p`.
    how : bool, "temperature" or "isotonic", default True
        The kind of map: a temperature and an offset for each class, or rising curves. True chooses the one with the
        lower cross-validated log loss.
    weight : array, optional
        The weight of each row; 1 by default.
    unchosen : array of rows x classes, optional
        Log probabilities from models whose families and other choices were made without the row, for prediction sets;
        `log_p` by default.

    Returns
    -------
    Calibration
        The map, which takes log probabilities and returns probabilities.

    See Also
    --------
    likely.NaiveBayes : `calibrate=True` does all this.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.validation import calibration
    >>> log_p = np.log(np.repeat([[0.99, 0.01], [0.01, 0.99]], 50, axis=0))
    >>> y = np.repeat([0, 1, 1, 0], [40, 10, 40, 10]).astype(np.int32)  # one in five is wrong
    >>> calibration(log_p, y, np.array(["a", "b"]), "temperature")(log_p[:1]).round(1).tolist()
    [[0.8, 0.2]]
    """
    if how not in (True, "temperature", "isotonic"):
        raise ValueError(f"calibrate is True, False, 'temperature' or 'isotonic', not {how!r}")
    step = -(-len(y) // ROWS)
    log_p, y, weight = log_p[::step], y[::step], None if weight is None else weight[::step]
    unchosen = None if unchosen is None else unchosen[::step]
    if len(y) < 2:
        return _fitted(log_p, y, classes, "temperature", weight)
    kinds: tuple[How, ...] = ("temperature", "isotonic") if how is True else (how,)
    crossed = {kind: _crossed(log_p, y, classes, kind, weight) for kind in kinds}
    best = min(kinds, key=lambda kind: log_loss(crossed[kind], y, weight))
    p = crossed[best] if unchosen is None else _crossed(log_p, y, classes, best, weight, unchosen)
    conformity = Conformity(y, p[np.arange(len(y)), y], weight)
    return replace(_fitted(log_p, y, classes, best, weight), conformity=conformity)


def _crossed(
    log_p: Array, y: Codes, classes: Labels, how: How, weight: Array | None, unchosen: Array | None = None
) -> Array:
    """The probabilities of each fold of the rows, by a map learned from the other folds."""
    mapped = log_p if unchosen is None else unchosen
    p = np.empty(log_p.shape)
    part = np.random.default_rng(0).permutation(len(y)) % FOLDS
    for fold in range(FOLDS):
        learned, judged = part != fold, part == fold
        of = None if weight is None else weight[learned]
        p[judged] = _fitted(log_p[learned], y[learned], classes, how, of)(mapped[judged])
    return p


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
    """A start for the scale (one over the temperature) with the least log loss, from a part of the rows; the fit that
    follows is exact.

    The loss of a row is bounded, so this is not the convex problem of `evidence`. The log of the scale has the prior
    0 ± 1, because the least loss has no finite scale if every row is predicted correctly.
    """
    from scipy.optimize import minimize_scalar

    step = -(-len(y) // 2000)
    log_p, y, w = log_p[::step], y[::step], w[::step]

    def loss(log_scale: float) -> float:
        p = softmax(np.maximum(np.exp(log_scale) * log_p, LEAST))
        own = p[np.arange(len(y)), y]
        return mean(-np.log(np.maximum(own, np.exp(LEAST))), w) + float(log_scale**2 / (2 * w.sum()))

    found = minimize_scalar(loss, bounds=(np.log(1e-3), np.log(20.0)), method="bounded", options={"xatol": 0.01})
    return float(np.exp(found.x))


def _scaled(u: Array, y: Codes, w: Array) -> tuple[float, Array]:
    """The scale and the offsets with the least log loss. The prior of each offset is 0 ± 1, which matters if a class
    has few rows.

    The features of class k are u_k for the scale and 1 for its own offset. They are never stored as a table, which
    would grow with the square of the number of classes.
    """
    classes = u.shape[1]
    rows, counts = np.arange(len(y)), np.bincount(y, w, classes)

    def passed(t: Array) -> tuple[float, Array, Array]:
        p = softmax(t[0] * u + t[1:])
        q, middle = w[:, None] * p, (p * u).sum(axis=1)
        gradient = np.append((q * u).sum() - w @ u[rows, y], q.sum(axis=0) - counts)
        curvature = np.empty((classes + 1, classes + 1))
        curvature[0, 0] = w @ ((p * u * u).sum(axis=1) - middle**2)
        curvature[0, 1:] = curvature[1:, 0] = (q * (u - middle[:, None])).sum(axis=0)
        curvature[1:, 1:] = np.diag(q.sum(axis=0)) - q.T @ p
        return float(-w @ np.log(np.maximum(p[rows, y], 1e-300))), gradient, curvature

    low = np.append(1e-6, np.full(classes, -np.inf))
    unit = np.append(1.0, np.zeros(classes))
    found = least(passed, np.eye(classes + 1), unit, low=low, enough=1e-10 * w.sum())[0]
    return float(found[0]), found[1:]


def _rising(x: Array, hit: NDArray[np.bool], w: Array) -> Steps:
    """Isotonic regression of the hits. The curve stays one row away from 0 and 1, so that nothing is impossible."""
    from scipy.optimize import isotonic_regression

    x, at = np.unique(x, return_inverse=True)  # rows with the same x are one point, in whatever order they come
    weight = np.maximum(np.bincount(at, w), 1e-300)
    least = 1 / (w.sum() + 2)
    y = np.clip(isotonic_regression(np.bincount(at, w * hit) / weight, weights=weight).x, least, 1 - least)
    corner = np.append(True, y[1:] > y[:-1]) | np.append(y[1:] > y[:-1], True)
    return Steps(x[corner], y[corner])
