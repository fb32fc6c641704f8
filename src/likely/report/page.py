"""The report: a single HTML page that runs no scripts, and loads nothing from the network."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from likely.models.explain import explanation
from likely.printing import percent, probability
from likely.report.appendix import class_lines, column_lines, figure_lines, origin_lines, suspects
from likely.report.boundary import draw_plane, drawable
from likely.report.colours import CLASSES, DASHES, in_the_dark
from likely.report.columns import draw_column
from likely.report.confusion import draw_confusion, shown
from likely.report.coverage import draw_coverage
from likely.report.cuts import ThresholdTable, threshold_table
from likely.report.drivers import Driver, draw_drivers, drivers, some_rows
from likely.report.findings import Findings
from likely.report.gains import draw_gains, draw_lift, draw_precision_recall
from likely.report.headline import calibration_words, headline
from likely.report.mistakes import mistakes
from likely.report.names import NAMED, displayed, most_common
from likely.report.pairs import draw_pair, pair_class, pair_terms
from likely.report.picture import Picture
from likely.report.rates import draw_rates
from likely.report.reliability import draw_reliability
from likely.report.words import draw_words
from likely.validation import Result

COLUMNS, COLUMNS_BY_CLASS = 12, 6
"""The most columns to draw: those that move the log-odds most. Fewer if each figure shows several classes."""
PAIRS = 6
"""The most pairs to draw: those that add most."""
LISTED = 60
"""The most columns and classes in a table."""
MAIL = {"text": "subject and body", "marks": "headers and links"}
"""Readable names of the columns of messages."""
LONG = 20
"""If a class has at least this many characters, the table of mistakes takes the full width of the page."""
CHECKED = 40
"""The most data checks to list."""


class Shown(NamedTuple):
    svg: Markup
    caption: str


class Pictures:
    """Numbers the figures, so that the identifiers in each are unique in the page."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, picture: Picture, caption: str = "") -> Shown:
        self.count += 1
        return Shown(Markup(picture.svg(f"p{self.count}")), caption)  # matplotlib has escaped the names in it


def page(found: Findings, title: str) -> str:
    """The page as HTML. The same findings give exactly the same page."""
    show, result = Pictures(), found.result
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_unbroken
    )
    environment.filters |= {"displayed": displayed, "percent": percent, "probability": probability, "coded": _coded}
    template = environment.from_string((Path(__file__).parent / "page.html").read_text("utf-8"))
    moved = drivers(explanation(found.model, some_rows(found.sample.table)), _position(found), found.texts)
    decided, confused = threshold_table(found), _confused(found.decided)
    wrong, surprising = mistakes(found), list(suspects(found))
    return template.render(
        title=title,
        dark=Markup(in_the_dark()),
        head=headline(found),
        found=found,
        result=result,
        decided=decided,
        curves=_curves(decided, found, show),
        coverage=show(draw_coverage(result)),
        focus=None if found.focus is None else displayed(result.classes[found.focus], NAMED),
        driven=len(moved),
        strongest=[displayed(_named(one.name, found), NAMED) for one in moved if one.name in found.sample.table.names][
            :3
        ],
        drivers=show(draw_drivers([one._replace(name=_named(one.name, found)) for one in moved]))
        if len(moved) > 1
        else None,
        columns=list(_columns(found, moved, show)),
        pairs=list(_pairs(found, show)),
        pairs_in_all=0 if found.counts else len(found.model.design.pairs),
        legend=_legend(found),
        reliability=show(draw_reliability(found.before, found.after, _curve_names(found))),
        calibration=calibration_words(found),
        confusion=show(draw_confusion(found.decided)),
        confused=confused,
        side_by_side=max((len(name) for line in confused for name in line[:2]), default=0) < LONG,
        drawn_classes=len(shown(found.decided)),
        by_class=_by_class(found.decided),
        mistakes=wrong,
        in_words=_in_words(found),
        checks=[
            (displayed(one.column, NAMED), displayed(one.says), *_option(one.option)) for one in found.checks[:CHECKED]
        ],
        boundary=_boundary(found, show),
        figures=figure_lines(result),
        suspects=surprising,
        repeated={one.row for one in surprising} <= {one.row for one in wrong},
        made=origin_lines(found),
        classes=class_lines(found, LISTED),
        as_read=column_lines(found, LISTED),
        listed=LISTED,
    )


def _unbroken(shown: Any) -> Any:
    """Keeps numbers and their % sign on one line."""
    return shown if isinstance(shown, Markup) or not isinstance(shown, str) else re.sub(r"(?<=\d) %", "\u00a0%", shown)


def _coded(text: str) -> Markup:
    """Text with `commands` marked as code."""
    parts = [escape(_unbroken(part)) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _option(option: str) -> tuple[str, str]:
    """Splits the option of a finding into the option and its explanation, if it has one."""
    code, _, does = option.partition(" reads ") if " reads " in option else option.partition(" keeps ")
    return code and displayed(code), f"{option[len(code) + 1 :]}" if does else ""


def _in_words(found: Findings) -> str:
    """Sentences on the confusion matrix for the class in focus, in numbers of rows."""
    if found.focus is None:
        return ""
    table, k = found.decided.confusion, found.focus
    mine, flagged, hits = float(table[k].sum()), float(table[:, k].sum()), float(table[k, k])
    missed, alarms, rest = mine - hits, flagged - hits, float(table.sum()) - mine
    label = displayed(found.result.classes[k], NAMED)
    return (
        f"Of {mine:,.6g} rows that are “{label}”, {hits:,.6g} are found and {missed:,.6g} are missed. "
        f"Of {rest:,.6g} others, {alarms:,.6g} are wrongly predicted as “{label}”."
    )


def _named(column: Any, found: Findings) -> Any:
    return MAIL.get(column, column) if found.stored.origin.source == "mail" else column


def _position(found: Findings) -> int | None:
    """The position of the class in focus among the classes of the model; None if the model has not learned it."""
    if found.focus is None:
        return None
    at = np.flatnonzero(found.model.classes == found.result.classes[found.focus])
    return int(at[0]) if at.size else None


def _curve_names(found: Findings) -> tuple[str, str]:
    return ("now", "calibrated") if found.stored.calibration is None else ("without calibration", "now")


def _curves(decided: ThresholdTable | None, found: Findings, show: Pictures) -> list[Shown]:
    if decided is None:
        return []
    cuts, now = decided.cuts, decided.now
    return [show(draw_gains(cuts, now)), show(draw_lift(cuts)), show(draw_precision_recall(cuts, now))]


class OfClass(NamedTuple):
    name: str
    rows: float
    precision: float
    recall: float


def _by_class(result: Result) -> list[OfClass]:
    """Recall and precision of each class; if there are many, of those with the most errors."""
    precision, recall, rows = result.by_class
    wrong = rows - np.diag(result.confusion)
    there = np.flatnonzero((rows > 0) | (result.confusion.sum(axis=0) > 0))
    kept = np.sort(there[np.argsort(-wrong[there], kind="stable")[:LISTED]])
    return [OfClass(displayed(result.classes[k], NAMED), float(rows[k]), precision[k], recall[k]) for k in kept]


def _confused(result: Result) -> list[tuple[str, str, float, float]]:
    """The most common mistakes: true class, predicted class, rows, and their share of the true class."""
    table = np.asarray(result.confusion, np.float64)
    rows = table.sum(axis=1)
    np.fill_diagonal(table, 0)
    order = np.argsort(-table, axis=None, kind="stable")[:8]
    pairs = [np.unravel_index(at, table.shape) for at in order.tolist()]
    names = [displayed(label, NAMED) for label in result.classes.tolist()]
    return [(names[i], names[j], float(table[i, j]), float(table[i, j] / rows[i])) for i, j in pairs if table[i, j]]


def _legend(found: Findings) -> list[tuple[str, str, str]]:
    """The colour, the dashes of its line and the name of each class that is drawn."""
    dashes = ("" if isinstance(dash, str) else " ".join(f"{2 * part:g}" for part in dash[1]) for dash in DASHES)
    names = (displayed(found.result.classes[k], NAMED) for k in most_common(found.sample))
    return list(zip(CLASSES, dashes, names, strict=False))


class OfColumn(NamedTuple):
    name: str
    how: str
    pictures: list[Shown]


def _columns(found: Findings, moved: list[Driver], show: Pictures) -> Iterator[OfColumn]:
    """Figures of the columns that the model uses most: the rates of the class in focus, or the distribution in each
    class."""
    counted, read_as = found.counted, found.counted.chosen_families
    names = {*found.sample.table.names}
    texts = [name for name, family in read_as.items() if family.picture == "words" and name in names]
    used = [one.name for one in moved if one.name in names and one.name in read_as and one.name not in texts]
    for name in texts[:2]:
        place = {label: k for k, label in enumerate(counted.classes.tolist())}
        of = [place.get(found.result.classes.tolist()[k]) for k in most_common(found.sample)]
        pictures = [draw_words(counted, name, k, at) for at, k in enumerate(of) if k is not None]
        yield OfColumn(displayed(_named(name, found)), "", [show(picture) for picture in pictures])
    used = used[: COLUMNS_BY_CLASS if found.focus is None else COLUMNS]
    rated = [] if found.focus is None else [name for name in used if read_as[name].picture != "shares"]
    rates = dict(zip(rated, draw_rates(found.sample, rated, found.focus or 0), strict=True)) if rated else {}
    for name in used:
        picture = rates.get(name) or draw_column(counted, found.sample, name, bare=True)
        yield OfColumn(displayed(name), f"read as {type(read_as[name]).__name__}", [show(picture)])


def _pairs(found: Findings, show: Pictures) -> Iterator[OfColumn]:
    """Figures of what pairs of columns add, if the model is a blend with interactions."""
    if found.counts:
        return
    focus = _position(found)
    for pair in pair_terms(found.model, found.sample.table)[:PAIRS]:
        of = displayed(found.model.classes[pair_class(pair, focus)], NAMED)
        yield OfColumn(
            displayed(pair.name),
            "" if found.focus is not None else f"for “{of}”",
            [show(draw_pair(found.model, pair, focus))],
        )


def best_two(found: Findings) -> list[Any]:
    """The two columns that depend most on the class, among those that can be an axis."""
    table, read_as = found.sample.table, found.counted.chosen_families
    possible = {table.names[j] for j in drawable(table)}
    ranked = [column for column in found.relevance.columns if column in possible]
    return [name for name in ranked if read_as[name].domain != "text"][:2]


def _boundary(found: Findings, show: Pictures) -> Shown | None:
    """The decision boundary over the two most informative columns, if both are numbers that depend on the class, and
    there are not more classes than colours."""
    if len(found.sample.classes) > len(CLASSES):
        return None
    two, kinds = best_two(found), dict(zip(found.sample.table.names, found.sample.table.kinds, strict=True))
    numbers = [name for name in two if kinds[name] in ("int", "float") and found.relevance[name] > 0]
    return show(draw_plane(found.stored, found.sample, numbers)) if len(numbers) == 2 else None
