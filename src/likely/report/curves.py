"""Draws learning curves: the error of models by the number of rows learned."""

import numpy as np

from likely.report.colours import CLASSES, DASHES, MARKS
from likely.report.names import in_legend
from likely.report.picture import Picture, sheet, style
from likely.validation import Curve
from likely.validation.recommended import intervals


@style()
def draw_curves(found: Curve) -> Picture:
    """The error and the log loss of each model by the number of rows learned, with 95 % intervals of the means.

    Parameters
    ----------
    found : Curve
        What `likely.validation.learning_curve` returns.

    Returns
    -------
    Picture
        It shows itself in a notebook; `save` writes .svg, .png or .pdf.

    See Also
    --------
    likely.validation.Curve.plot : on axes of your own.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.report import draw_curves
    >>> from likely.validation import learning_curve
    >>> picture = draw_curves(learning_curve(NaiveBayes(), X, y, sizes=[20, 80], repeats=2))
    """
    figure = sheet(300, 600)
    panels = (found.errors, "Error"), (found.log_losses, "Log loss")
    for axes, (of, title) in zip(figure.subplots(1, 2), panels, strict=True):
        top = 0.0
        for at, ((name, values), colour) in enumerate(zip(of.items(), CLASSES, strict=False)):
            mean, half = intervals(found, values)
            shifted = found.sizes * 1.02 ** (at - (len(of) - 1) / 2)  # so that error bars do not hide each other
            line = {"color": colour, "linestyle": DASHES[at], "marker": MARKS[at]}
            axes.plot(shifted, mean, **line, markersize=4.5, linewidth=1.6, label=in_legend(name))
            axes.vlines(shifted, np.maximum(mean - half, 0), mean + half, color=colour, linewidth=1, alpha=0.55)
            top = max(top, float(np.nanmax(np.fmin(mean + np.nan_to_num(half), 1.6 * mean))))
        axes.set_xscale("log")
        axes.set_xticks(found.sizes.tolist(), [f"{size:,}" for size in found.sizes.tolist()])
        axes.minorticks_off()
        axes.set_title(title)
        axes.set_xlabel("rows learned")
        axes.set_ylim(0, 1.05 * top or 1.0)
        axes.grid(True, axis="y")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    ends = ", ".join(f"{name} {mean[-1]:.4f}" for name, mean in found.mean.items())
    return Picture(figure, f"Learning curves; the error after {found.sizes[-1]} rows: {ends}")
