"""Naive Bayes and logistic regression by the number of rows learned, in the manner of Ng and Jordan (2001).

python -m bench.twins [file]        draws docs/twins.svg, or the file; about ten minutes

Both read the columns alike, as the families that naive Bayes chooses for all rows of a table; naive Bayes has its
parameters by counting, logistic regression by maximum conditional likelihood with a little of a penalty (C = 1), and
the third line is the blend of the two, chosen by cross-validation.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from bench.data import table
from likely import LogisticRegression, NaiveBayes
from likely.validation import Curve, learning_curve

TABLES = ("adult", "german-credit", "house-votes-84", "mushroom", "nursery", "pima", "spambase", "titanic", "sonar")
MOST = 4000
"""Rows of a table that are drawn from."""
COLOURS = {"naive Bayes": "#0969da", "logistic regression": "#bc4c00", "the blend of the two": "#1a7f37"}


def curve(name: str) -> Curve:
    x, y = table(name, MOST)
    y = np.unique(y, return_inverse=True)[1]
    families = NaiveBayes(column_weights=False).fit(x, y).families_
    models: dict[str, Any] = {
        "naive Bayes": NaiveBayes(families),
        "logistic regression": LogisticRegression(1.0, families=families),
        "the blend of the two": LogisticRegression("auto", shrink_to="naive_bayes", families=families),
    }
    return learning_curve(models, x, y, repeats=8, sizes=_sizes(len(y), len(np.unique(y))))


def _sizes(rows: int, classes: int) -> list[int]:
    most = int(rows * 0.74)
    return np.unique(np.geomspace(max(12, 2 * classes), most, 7).round().astype(int)).tolist()


def draw(curves: dict[str, Curve], file: Path) -> None:
    figure = Figure(figsize=(10, 8.2), layout="constrained")
    for axes, (name, found) in zip(figure.subplots(3, 3).flat, curves.items(), strict=True):
        for label, colour in COLOURS.items():
            mean, error = found.mean[label], found.standard_error[label]
            axes.plot(found.sizes, mean, color=colour, label=label, linewidth=1.6)
            axes.fill_between(found.sizes, mean - error, mean + error, color=colour, alpha=0.15, linewidth=0)
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_ylim(bottom=0)
        axes.set_title(name, fontsize=10, loc="left")
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.supxlabel("rows learned", fontsize=10)
    figure.supylabel("error on rows held out", fontsize=10)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=10)
    figure.savefig(file, metadata={"Date": None})


def told(curves: dict[str, Curve]) -> str:
    """At the fewest and at the most rows, the error of each; and the mean over tables, size by size."""
    lines = ["table                fewest: naive Bayes, logistic, blend   most: naive Bayes, logistic, blend"]
    for name, found in curves.items():
        ends = [[f"{found.mean[label][at]:.3f}" for label in COLOURS] for at in (0, -1)]
        lines.append(f"{name:20} {found.sizes[0]:6}: {' '.join(ends[0])}  {found.sizes[-1]:14}: {' '.join(ends[1])}")
    lines.append("mean of all, from the fewest rows to the most")
    for label in COLOURS:
        means = np.mean([found.mean[label] for found in curves.values()], axis=0)
        lines.append(f"{label:22} {' '.join(f'{mean:.3f}' for mean in means)}")
    return "\n".join(lines)


if __name__ == "__main__":
    found = {name: curve(name) for name in TABLES}
    draw(found, Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs" / "twins.svg"))
    print(told(found))
