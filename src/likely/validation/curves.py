"""Learning curves: the error by the number of rows learned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.printing import aligned
from likely.validation import measures
from likely.validation.learner import learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.rows import Rows, cut

SIZES = 8


@dataclass(frozen=True, eq=False)
class Curve:
    """Of each model: sizes x repeats."""

    sizes: NDArray[np.intp]
    errors: dict[str, Array]
    log_losses: dict[str, Array]
    """NaN of a model without probabilities."""
    test: float = 0.25
    """The share of all rows that was held out in each repeat."""

    @property
    def mean(self) -> dict[str, Array]:
        """The mean error of each model by size."""
        return {name: errors.mean(axis=1) for name, errors in self.errors.items()}

    @property
    def standard_error(self) -> dict[str, Array]:
        """Of the mean over the repeats."""
        return {name: _standard_error(errors) for name, errors in self.errors.items()}

    def __str__(self) -> str:
        lines = [("rows learned", "", *self.errors)]
        for at, size in enumerate(self.sizes.tolist()):
            cells = (f"{self.mean[name][at]:.4f} ± {self.standard_error[name][at]:.4f}" for name in self.errors)
            lines.append((str(size), "", *cells))
        return f"error, mean of {next(iter(self.errors.values())).shape[1]} repeats\n{aligned(lines)}"


def learning_curve(
    models: Any,
    x: Any,
    y: Any,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 10,
    test: float = 0.25,
    sample_weight: Any = None,
    seed: int = 0,
) -> Curve:
    """The error on held-out rows by the number of rows learned; of one model, or of several, named or in a list.

    In each repeat a share `test` of the rows is held out, and of the others the first in random order are learned, by
    all models the same. One row of each class comes first: without it a small part has no model at all.
    """
    by_name = named(models)
    bound = {name: learner(model, x, y, sample_weight) for name, model in by_name.items()}
    first = next(iter(bound.values()))
    rng = np.random.default_rng(seed)
    sample = first.sample
    most, least = len(cut((1 - test, test), sample.y, rng)[0]), len(sample.classes)
    if sizes is None:
        sizes = np.unique(np.geomspace(max(10, 2 * least), most, SIZES).round().astype(int)).tolist()
    if not sizes or min(sizes) < least or max(sizes) > most:
        raise ValueError(f"sizes are from {least}, one row a class, to {most}, all rows that are not held out")
    shape = len(sizes), repeats
    errors, losses = ({name: np.full(shape, np.nan) for name in bound} for _ in range(2))
    steps = [(again, at, name) for again in range(repeats) for at in range(len(sizes)) for name in bound]
    splits = [_split(sample.y, test, rng) for _ in range(repeats)]
    for again, at, name in progress(steps, "learning curve"):
        kept, held = splits[again]
        one = bound[name]
        codes, p = one.answer(one.learn(np.sort(kept[: sizes[at]])), held)
        weight = None if sample.weight is None else sample.weight[held]
        errors[name][at, again] = measures.mean(codes != sample.y[held], weight)
        if p is not None:
            losses[name][at, again] = measures.log_loss(p, sample.y[held], weight)
    return Curve(np.asarray(sizes), errors, losses, test)


def _split(y: NDArray[np.int32], test: float, rng: "np.random.Generator") -> tuple[Rows, Rows]:
    """Rows to learn, in random order but one of each class first, and rows held out."""
    kept, held = cut((1 - test, test), y, rng)
    kept = rng.permutation(kept)
    ahead = np.unique(y[kept], return_index=True)[1]
    return np.concatenate([kept[ahead], np.delete(kept, ahead)]), held


def named(models: Any) -> dict[str, Any]:
    """One model or several, by name."""
    if isinstance(models, (Mapping, list, tuple)) and not models:
        raise ValueError("there is no model to validate")
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
