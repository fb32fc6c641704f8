"""Colours by what they are for, each with the one that takes its place where the page is dark."""

INK, QUIET, LINE, PAPER = "#24292f", "#57606a", "#d0d7de", "#ffffff"

CLASSES = ("#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#0e7490")
"""Of the classes that are drawn; all others are one."""
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
"""So that lines and dots of classes differ by more than colour."""


def in_the_dark() -> str:
    """Rules of CSS by which a picture, drawn for a light page, is right on a dark one."""
    return " ".join(
        f'svg [{what}="{light}"] {{ {what}: {dark} }}' for light, dark in DARK.items() for what in ("fill", "stroke")
    )
