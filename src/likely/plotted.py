"""The base of results that can be plotted."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Plotted:
    """`value.plot()` plots it. `likely.report.axes` has the plots of all types. It is imported by name, because it is
    in a higher layer, and because matplotlib is only needed for plots."""

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """Plots it on matplotlib axes, new ones if `ax` is None, and returns them; needs `likely[report]`.

        The options are those for its type in `likely.report.axes`.
        """
        axes: Axes = import_module("likely.report.axes").plot(self, ax, **options)
        return axes
