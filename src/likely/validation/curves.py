"""Learning curves: the error by the number of rows learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.plotted import Plotted
from likely.printing import aligned, counted, percent
from likely.tabular import Cells, Tabular
from likely.typing import ClassifiersLike, LabelsLike, TableLike, WeightsLike
from likely.validation import measures
from likely.validation.learner import learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.rows import Rows, cut

SIZES = 8


@dataclass(frozen=True, eq=False)
class Curve(Tabular, Plotted):
    """Learning curves: the errors and log losses of each model, sizes x repeats.

    See Also
    --------
    learning_curve : makes it.
    """

    sizes: NDArray[np.intp]
    errors: dict[str, Array]
    log_losses: dict[str, Array]
    """NaN for a model without probabilities."""
    test: float = 0.25
    """The share of all rows that was held out in each repeat."""

    @property
    def mean(self) -> dict[str, Array]:
        """The mean error of each model by size."""
        return {name: errors.mean(axis=1) for name, errors in self.errors.items()}

    @property
    def standard_error(self) -> dict[str, Array]:
        """The standard error of the mean over the repeats."""
        return {name: _standard_error(errors) for name, errors in self.errors.items()}

    def cells(self) -> Cells:
        """A line for each model and number of rows learned, with the mean over the repeats."""
        lines = [
            (name, size, self.mean[name][at], self.standard_error[name][at], self.log_losses[name][at].mean())
            for name in self.errors
            for at, size in enumerate(self.sizes.tolist())
        ]
        names = ("model", "rows learned", "error", "standard error", "log loss")
        return dict(zip(names, zip(*lines, strict=True), strict=True))

    def __str__(self) -> str:
        lines = [("rows learned", "", *self.errors)]
        for at, size in enumerate(self.sizes.tolist()):
            cells = (
                f"{100 * self.mean[name][at]:.1f} ± {percent(self.standard_error[name][at])}" for name in self.errors
            )
            lines.append((f"{size:,}", "", *cells))
        return f"error, mean of {next(iter(self.errors.values())).shape[1]} repeats\n{aligned(lines)}"


def learning_curve(
    models: ClassifiersLike,
    x: TableLike,
    y: LabelsLike,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 10,
    test: float = 0.25,
    sample_weight: WeightsLike = None,
    seed: int = 0,
) -> Curve:
    """The error on held-out rows by the number of rows learned, for one model or several.

    Parameters
    ----------
    models : classifier, list of them, or dict from name to classifier
        Likely's, or any of scikit-learn's. Their parameters are used, not what they may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    sizes : sequence of int, optional
        The numbers of rows learned; by default from few to all, each about the same factor more.
    repeats : int, default 10
        How often rows are held out. All models learn the same rows. One row of each class comes first, because a model
        can't be fitted without it.
    test : float, default 0.25
        The share of the rows that is held out.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Curve
        The errors and log losses of each model; `plot` draws them.

    See Also
    --------
    tune : choose one of several models.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import learning_curve
    >>> curve = learning_curve(NaiveBayes(), X, y, sizes=[20, 80], repeats=3)
    >>> curve.sizes.tolist(), list(curve.errors)
    ([20, 80], ['NaiveBayes'])
    """
    by_name = named(models)
    bound = {name: learner(model, x, y, sample_weight) for name, model in by_name.items()}
    first = next(iter(bound.values()))
    rng = np.random.default_rng(seed)
    sample = first.sample
    most, least = len(cut((1 - test, test), sample.y, rng)[0]), len(sample.classes)
    if sizes is None:
        sizes = np.unique(np.geomspace(max(10, 2 * least), most, SIZES).round().astype(int)).tolist()
    if most < least:
        raise ValueError(f"{counted(len(sample), 'row')} of {least} classes are too few for a learning curve")
    if not sizes or min(sizes) < least or max(sizes) > most:
        raise ValueError(f"sizes are from {least} (one row per class) to {most} (all rows that are not held out)")
    shape = len(sizes), repeats
    errors, losses = ({name: np.full(shape, np.nan) for name in bound} for _ in range(2))
    steps = [(again, at, name) for again in range(repeats) for at in range(len(sizes)) for name in bound]
    splits = [_split(sample.y, test, rng) for _ in range(repeats)]
    for again, at, name in progress(steps, "learning curve"):
        kept, held = splits[again]
        one = bound[name]
        codes, log_p = one.answer(one.learn(np.sort(kept[: sizes[at]])), held)
        weight = None if sample.weight is None else sample.weight[held]
        errors[name][at, again] = measures.mean(codes != sample.y[held], weight)
        if log_p is not None:
            losses[name][at, again] = measures.log_loss(np.exp(log_p), sample.y[held], weight)
    return Curve(np.asarray(sizes), errors, losses, test)


def _split(y: NDArray[np.int32], test: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """The rows to learn, in random order after one row of each class, and the held-out rows."""
    kept, held = cut((1 - test, test), y, rng)
    kept = rng.permutation(kept)
    ahead = np.unique(y[kept], return_index=True)[1]
    return np.concatenate([kept[ahead], np.delete(kept, ahead)]), held


def named(models: Any) -> dict[str, Any]:
    """One model or several, by name."""
    if isinstance(models, (Mapping, list, tuple)) and not models:
        raise ValueError("there are no models to validate")
    if isinstance(models, Mapping):
        return {str(name): model for name, model in models.items()}
    if not isinstance(models, (list, tuple)):
        return {_name(models): models}
    names = [_name(model) for model in models]
    alike = {name for name in names if names.count(name) > 1}
    return {
        f"{name} {at}" if name in alike else name: model
        for at, (name, model) in enumerate(zip(names, models, strict=True))
    }


def _name(model: Any) -> str:
    return str(getattr(model, "name", type(model).__name__))


def _standard_error(errors: Array) -> Array:
    repeats = errors.shape[1]
    return np.asarray(errors.std(axis=1, ddof=1) / np.sqrt(repeats) if repeats > 1 else np.full(len(errors), np.nan))
