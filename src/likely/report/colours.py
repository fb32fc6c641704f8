"""Colours by their use, each with its replacement on a dark page."""

INK, QUIET, LINE, PAPER = "#24292f", "#57606a", "#d0d7de", "#ffffff"

CLASSES = ("#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#0e7490")
"""The colours of the classes that are drawn; all other classes share `OTHERS`."""
OTHERS = "#6e7781"

DARK = {
    INK: "#e6edf3",
    QUIET: "#9198a1",
    LINE: "#3d444d",
    PAPER: "#0d1117",
    OTHERS: "#8b949e",
    **dict(zip(CLASSES, ("#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#f778ba", "#39c5cf"), strict=True)),
}

DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
MARKS = "os^Dv*"
"""Markers, so that lines and dots of classes differ not only by colour."""


def in_the_dark() -> str:
    """CSS rules that adapt a figure, drawn for a light page, to a dark one."""
    return " ".join(
        f'svg [{what}="{light}"] {{ {what}: {dark} }}' for light, dark in DARK.items() for what in ("fill", "stroke")
    )
