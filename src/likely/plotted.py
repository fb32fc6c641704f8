"""Values that have a picture."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Plotted:
    """`value.plot()` draws it. What is drawn of each kind of value is in `likely.report.axes`, which is loaded by name:
    it lies above this, and matplotlib is for those who ask for a picture."""

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """Draws it on matplotlib's axes, new ones if none are given, and returns them; needs `likely[report]`.

        The options are those of its kind in `likely.report.axes`.
        """
        axes: Axes = import_module("likely.report.axes").plot(self, ax, **options)
        return axes
