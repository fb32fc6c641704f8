"""Plots on your own axes: `plot(value, ax)` for priors, validation results, curves, thresholds and traces.

They use your matplotlib style, so that they match the rest of your figure. The report has its own style.
"""

from collections.abc import Callable
from functools import singledispatch
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from likely.data import read
from likely.models.gaussian import GaussianModel
from likely.models.logistic.trace import LogisticTrace
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize import Trace
from likely.priors import Prior
from likely.report.colours import DASHES
from likely.report.columns import log_densities
from likely.report.names import in_legend, short
from likely.report.picture import verbatim
from likely.validation import Curve, Result, Thresholds, thresholds
from likely.validation.measures import Reliability
from likely.validation.recommended import intervals
from likely.validation.risk import Risk

Kind = Literal["reliability", "roc", "precision_recall", "coverage"]
FINE = 400
"""The number of points of a line."""


def plot(value: Any, ax: Axes | None = None, **options: Any) -> Axes:
    """Plots a value on `ax`, by default on new axes, and returns the axes."""
    axes = _axes(ax)
    draw(value, axes, **options)
    return verbatim(axes)


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots(layout="constrained")[1] if ax is None else ax


@singledispatch
def draw(value: Any, axes: Axes, **options: Any) -> None:
    raise TypeError(f"{type(value).__name__} can't be plotted")


@draw.register
def _(value: Prior, axes: Axes, *, level: float = 0.95, names: Any = None) -> None:
    """The density of each parameter, with its `level` credible interval shaded. `names` are the names of the
    parameters, such as the classes for a posterior. If a class has several parameters, as for categories, they look the
    same."""
    of = value.distribution()
    size = np.size(of.mean())
    ends = np.ravel(of.ppf(0.001)).min(), np.ravel(of.ppf(0.999)).max()
    x = np.linspace(*ends, FINE)
    density = np.broadcast_to(of.pdf(x.reshape(-1, *[1] * np.ndim(of.mean()))), (FINE, *np.shape(of.mean())))
    low, high = (np.broadcast_to(np.ravel(of.ppf(tail)), size) for tail in ((1 - level) / 2, (1 + level) / 2))
    groups = size if names is None else len(names)
    if not groups or size % groups:
        raise ValueError(f"there are {size} parameters, but {groups} names")
    for at, y in enumerate(density.reshape(FINE, -1).T):
        k, first = divmod(at, size // groups)
        label = in_legend(names[k]) if names is not None and not first else None
        (line,) = axes.plot(x, y, linestyle=DASHES[k % len(DASHES)], color=f"C{k}", label=label)
        inside = (x >= low[at]) & (x <= high[at])
        axes.fill_between(x[inside], y[inside], color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(xlabel="parameter", ylabel="density", ylim=(0, None))
    if names is not None:
        axes.legend()


@draw.register
def _(value: Result, axes: Axes, *, kind: Kind = "reliability", of_class: Any = None) -> None:
    """The reliability diagram; or, for one class against the others, the ROC curve or precision against recall; or the
    error against coverage."""
    kinds: dict[str, Callable[[], None]] = {
        "reliability": lambda: draw(value.reliability(), axes),
        "roc": lambda: _roc(value, axes, of_class),
        "precision_recall": lambda: _precision_recall(thresholds(value, of_class), axes),
        "coverage": lambda: draw(value.risk, axes),
    }
    if kind not in kinds:
        raise ValueError(f"kind is one of {', '.join(kinds)}, not {kind!r}")
    kinds[kind]()


@draw.register
def _(value: Reliability, axes: Axes) -> None:
    """The reliability diagram: accuracy against confidence. A calibrated model is on the diagonal."""
    axes.axline((0, 0), slope=1, color="0.8")
    axes.plot(value.confidence, value.accuracy, marker="o")
    axes.set(xlabel="confidence", ylabel="share right", title=value.caption)


def _roc(result: Result, axes: Axes, of_class: Any) -> None:
    alarms, hits, _ = result.roc(of_class)
    axes.axline((0, 0), slope=1, color="0.8")
    axes.plot(alarms, hits)
    axes.set(xlabel="false positive rate", ylabel="true positive rate", title=f"AUC {result.auc:.3f}")


def _precision_recall(found: Thresholds, axes: Axes) -> None:
    axes.axhline(found.rate, color="0.8")
    axes.step(found.recall, found.precision, where="post")
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
    axes.set_title(f"{short(found.of_class)}: average precision {found.average_precision:.3f}")


@draw.register
def _(value: Risk, axes: Axes) -> None:
    """The error against coverage, if rows with the highest confidence are predicted first."""
    axes.step(value.coverage, 1 - value.precision, where="post")
    axes.set(xlabel="share of rows, highest confidence first", ylabel="error", xlim=(0, 1), ylim=(0, None))


@draw.register
def _(value: Thresholds, axes: Axes) -> None:
    """Recall, precision and the share of flagged rows, by threshold."""
    for at, name in enumerate(("recall", "precision", "flagged")):
        axes.plot(value.threshold, getattr(value, name), label=name, linestyle=DASHES[at])
    axes.set(xlabel=f"threshold for {short(value.of_class)}", ylim=(0, 1.02))
    axes.legend()


@draw.register
def _(value: Curve, axes: Axes, *, of: Literal["error", "log_loss"] = "error") -> None:
    """The mean of each model by the number of rows learned, with its 95 % interval."""
    for at, (name, values) in enumerate((value.errors if of == "error" else value.log_losses).items()):
        mean, half = intervals(value, values)
        (line,) = axes.plot(value.sizes, mean, marker="o", linestyle=DASHES[at % len(DASHES)], label=in_legend(name))
        axes.fill_between(value.sizes, mean - half, mean + half, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(xlabel="rows learned", ylabel=of.replace("_", " "), xscale="log")
    axes.legend()


@draw.register
def _(value: Trace, axes: Axes, *, objective: Callable[[NDArray[Any]], float] | None = None) -> None:
    """The objective by step; with two unknowns and `objective`, the path on its contours."""
    if objective is None:
        _by_step(value, axes)
        return
    if value.points.shape[1] != 2:
        raise ValueError(f"contours need two unknowns, and there are {value.points.shape[1]}")
    _on_contours(value.points, objective, axes)
    axes.set(xlabel="x0", ylabel="x1", title=value.outcome)


@draw.register
def _(value: LogisticTrace, axes: Axes) -> None:
    """With two weights, the path on the contours of the objective, at the optimal bias; otherwise the objective by
    step."""
    if not value.plane:
        _by_step(value, axes)
        return
    bias = value.x[2]
    _on_contours(value.points[:, :2], lambda w: float(np.asarray(value.objective(np.append(w, bias)))), axes)
    axes.set(
        xlabel=f"weight of {short(value.names[0])}", ylabel=f"weight of {short(value.names[1])}", title=value.message
    )


def _by_step(value: Trace, axes: Axes) -> None:
    axes.plot(value.values - np.nanmin(value.values) + np.finfo(float).eps, marker="o", markersize=3)
    axes.set(xlabel="step", ylabel="objective above its minimum", yscale="log")


def _on_contours(points: NDArray[Any], objective: Callable[[NDArray[Any]], float], axes: Axes) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.25 * np.maximum(high - low, 1e-12).max()
    grids = np.meshgrid(*(np.linspace(a - room, b + room, 120) for a, b in zip(low, high, strict=True)))
    heights = np.apply_along_axis(objective, -1, np.stack(grids, axis=-1))
    axes.contour(*grids, heights, levels=24, linewidths=0.7)
    axes.plot(*points.T, marker="o", markersize=3, color="black")


def plot_column(model: NaiveBayesModel, name: Any, ax: Axes | None = None) -> Axes:
    """p(x | y) of one column: the probability of each value, or a density."""
    block, at = model.block_of(name)
    if block.family.reads == "text":
        raise ValueError(f"column {name!r} has texts, which can't be plotted; describe() shows their words")
    axes = _axes(ax)
    names = [in_legend(label) for label in model.classes.tolist()]
    values = [0, 1] if block.family.domain == "bit" else None if block.frame.cells is None else block.frame.cells[at]
    if values is not None:
        shares = np.exp(log_densities(block, at, np.arange(len(values))))
        for k, label in enumerate(names):
            axes.bar(
                np.arange(len(values)) + 0.8 * ((k + 0.5) / len(names) - 0.5),
                shares[:, k],
                0.8 / len(names),
                label=label,
            )
        axes.set_xticks(range(len(values)), [short(value) for value in values])
    else:
        sampled = np.asarray(model.sample(1000, np.random.default_rng(0))[0][name], np.float64)
        counts = block.family.picture == "mass"
        x = np.unique(np.rint(sampled)) if counts else np.linspace(np.nanmin(sampled), np.nanmax(sampled), FINE)
        for k, (label, p) in enumerate(zip(names, np.exp(log_densities(block, at, x)).T, strict=True)):
            axes.plot(x, p, linestyle=DASHES[k % len(DASHES)], marker="o" if counts else None, label=label)
    axes.set(xlabel=short(name), ylabel="p(x | y)", ylim=(0, None))
    axes.legend()
    return verbatim(axes)


def plot_gaussians(model: GaussianModel, ax: Axes | None = None) -> Axes:
    """For two columns: the mean of each class, ellipses at Mahalanobis distances of 1 and 2 from it, the decision
    boundary, and shading by p(y | x) of the most probable class."""
    if len(model.names) != 2:
        raise ValueError(f"ellipses need a model of two columns, and it has {len(model.names)}")
    axes, turn = _axes(ax), np.linspace(0, 2 * np.pi, 90)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    outer = []
    for k, (mean, covariance) in enumerate(zip(*model.parameters, strict=True)):
        ellipses = [mean + distance * circle @ np.linalg.cholesky(covariance).T for distance in (1, 2)]
        (line,) = axes.plot(
            *ellipses[0].T, linestyle=DASHES[k % len(DASHES)], label=in_legend(model.classes.tolist()[k])
        )
        axes.plot(*ellipses[1].T, linestyle=line.get_linestyle(), color=line.get_color())
        axes.plot(*mean, "+", color=line.get_color())
        outer.append(ellipses[1])
    low, high = np.concatenate(outer).min(axis=0), np.concatenate(outer).max(axis=0)
    grids = np.meshgrid(*(np.linspace(a, b, 160) for a, b in zip(low, high, strict=True)))
    p = model.predict_proba(read(np.column_stack([grid.ravel() for grid in grids]))).reshape(*grids[0].shape, -1)
    axes.contourf(*grids, p.max(axis=-1), levels=12, cmap="Greys", alpha=0.25, zorder=0)
    for k in range(p.shape[-1] if p.shape[-1] > 2 else 1):  # two classes share one line
        others = np.delete(p, k, axis=-1).max(axis=-1, initial=0.0)
        axes.contour(*grids, p[..., k] - others, levels=[0.0], colors="black", linewidths=1)
    axes.set(xlabel=short(model.names[0]), ylabel=short(model.names[1]))
    axes.legend()
    return verbatim(axes)
