"""Checks of the numbers of priors: each raises an error of one sentence."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def require(ok: bool, otherwise: str) -> None:
    if not ok:
        raise ValueError(otherwise)


def known_estimate(estimate: str) -> None:
    require(estimate in ("mean", "mode"), f"the estimate is 'mean' or 'mode', not {estimate!r}")


def at_least(least: float, **parameters: Any) -> None:
    for name, value in parameters.items():
        lowest = value if isinstance(value, (int, float)) else np.asarray(value, np.float64).min(initial=np.inf)
        if not lowest >= least:
            raise ValueError(f"{name} must be {least} or more, not {lowest}")


MOST = 1e150
"""The largest pseudo-count, so that sums and products of pseudo-counts do not overflow."""


def pseudocounts(**parameters: Any) -> None:
    at_least(0, **parameters)
    for name, value in parameters.items():
        most = value if isinstance(value, (int, float)) else np.asarray(value, np.float64).max(initial=0.0)
        if not most <= (2**63 - 1 if isinstance(most, int) else MOST):
            raise ValueError(f"{name} must be {MOST:g} or less, not {most:g}")


def finite(**parameters: Any) -> None:
    for name, value in parameters.items():
        if not np.isfinite(np.asarray(value, np.float64)).all():
            raise ValueError(f"{name} must be finite, not {value!r}")


def positive(covariance: Any) -> None:
    """Checks that a covariance is numbers of 0 or more, or positive semidefinite matrices; in any units."""
    covariance = np.asarray(covariance, np.float64)
    if covariance.ndim < 2:
        at_least(0, covariance=covariance)
        return
    require(covariance.shape[-1] == covariance.shape[-2], "the covariance must be symmetric")
    variance = np.abs(np.diagonal(covariance, axis1=-2, axis2=-1))
    deviation = np.sqrt(np.where((variance > 0) & (variance < np.inf), variance, 1.0))
    scaled = np.where(np.isinf(covariance), 0.0, covariance) / (deviation[..., :, None] * deviation[..., None, :])
    symmetric = bool((np.abs(scaled - np.swapaxes(scaled, -1, -2)) <= 1e-9).all())
    require(symmetric, "the covariance must be symmetric")
    require(bool((np.linalg.eigvalsh(scaled) >= -1e-9).all()), "the covariance must not be negative in any direction")


def as_matrix(covariance: ArrayLike, columns: int, axes: int) -> NDArray[np.float64]:
    """A covariance as a matrix, or one for each class."""
    array = np.asarray(covariance, np.float64)
    if array.ndim >= 2 and array.ndim == axes:
        require(array.shape[-1] == columns, f"the covariance is of {array.shape[-1]} columns, not of {columns}")
        return array
    require(array.ndim == 0 or array.shape[-1] == columns, f"there are {array.size} variances for {columns} columns")
    return np.asarray(np.broadcast_to(array, (*array.shape[:-1], columns))[..., None, :] * np.eye(columns))
