"""Draws drift: how far the columns and the classes of new rows are from the old ones."""

from likely.report.colours import CLASSES, LINE, OTHERS, QUIET
from likely.report.names import short
from likely.report.picture import Picture, sheet, style
from likely.validation import Drift

SHOWN = 20
"""The most columns with a bar: those that moved most."""


@style()
def draw_drift(found: Drift) -> Picture:
    """A bar for each column, with the change of those that moved. Below, the share of each class before and after."""
    columns = sorted(found.columns, key=lambda one: -one.divergence)[:SHOWN][::-1]
    shift = found.classes if found.classes is not None and len(found.classes.classes) <= SHOWN else None
    rows = len(columns), 0 if shift is None else len(shift.classes)
    figure = sheet(70 + 22 * sum(rows) + 60 * (shift is not None), 600)
    axes, *below = figure.subplots(
        1 + (shift is not None), 1, height_ratios=[max(n, 1) for n in rows if n], squeeze=False
    )[:, 0]
    axes.barh(
        range(len(columns)),
        [one.divergence for one in columns],
        color=[CLASSES[1] if one.moved else OTHERS for one in columns],
        hatch=["" if one.moved else "///" for one in columns],
        edgecolor=LINE,
    )
    axes.set_yticks(range(len(columns)), [short(one.column) for one in columns])
    for at, one in enumerate(columns):
        said = f" {short(one.change, 60)}" if one.moved else " did not move"
        axes.text(one.divergence, at, said, va="center", color=QUIET, fontsize=9, clip_on=False)
    axes.set(
        xlabel="divergence of new rows from old ones",
        xlim=(0, 2 * max([0.01, *(c.divergence for c in columns)])),
    )
    if shift is not None:
        for at, (before, after) in enumerate(zip(shift.before, shift.after, strict=True)):
            below[0].annotate("", (after, at), (before, at), arrowprops={"arrowstyle": "->", "color": QUIET})
            below[0].plot([before], [at], "o", color=OTHERS, label="before" if at == 0 else None)
            below[0].plot([after], [at], "s", color=CLASSES[0], label="after" if at == 0 else None)
        below[0].set_yticks(range(len(shift.classes)), [short(label) for label in shift.classes.tolist()])
        below[0].set(xlabel="share of each class", xlim=(0, 1), ylim=(-0.6, len(shift.classes) - 0.4))
        below[0].legend(loc="lower right")
    return Picture(figure, f"Drift: {found.caption} {'' if shift is None else shift.caption}".strip())
