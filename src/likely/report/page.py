"""The report: one page of HTML that holds all it shows, runs nothing and asks the network for nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from likely.families import Text
from likely.models.gaussian import Gaussian
from likely.report.boundary import draw_plane, drawable
from likely.report.colours import CLASSES, in_the_dark
from likely.report.columns import draw_column
from likely.report.confusion import draw_confusion, shown
from likely.report.coverage import draw_coverage
from likely.report.findings import Findings
from likely.report.names import most_common, told
from likely.report.picture import Picture
from likely.report.relevance import SHOWN, draw_relevance
from likely.report.reliability import draw_reliability
from likely.report.verdict import verdict
from likely.report.words import draw_words

COLUMNS = 12
"""Columns that are drawn: those that depend most on the class, and of the others none but the first two."""
LISTED = 60
"""Columns and classes that have a line in a table."""
SUSPECTS = 20
"""Labels that have a line in a table."""

KINDS = {"Gaussian": "Gaussian classifier", "LogisticRegression": "Logistic regression"}


class Shown(NamedTuple):
    svg: Markup
    caption: str


class Pictures:
    """Numbers them, so that each has names of its own in the page."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, picture: Picture, caption: str = "") -> Shown:
        self.count += 1
        return Shown(Markup(picture.svg(f"p{self.count}")), caption)  # in which matplotlib has escaped names


def page(found: Findings, title: str) -> str:
    """The same findings give the same page, to the byte."""
    show = Pictures()
    result, model = found.result, found.model
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["told"] = told
    environment.filters["percent"] = lambda share: "–" if np.isnan(share) else f"{share:.1%}"
    template = environment.from_string((Path(__file__).parent / "page.html").read_text("utf-8"))
    judged = show(draw_confusion(result))
    trust = [show(draw_reliability(found.before, found.after)), show(draw_coverage(result))]
    return template.render(
        title=title,
        dark=Markup(in_the_dark()),
        verdict=verdict(found),
        result=result,
        figures=_figures(found),
        confusion=judged,
        drawn_classes=len(shown(result)),
        by_class=_by_class(result),
        trust=trust,
        found=found,
        relevance=show(draw_relevance(found.relevance)),
        relevance_drawn=min(SHOWN, len(found.relevance)),
        columns=list(_columns(found, show)),
        legend=_legend(found),
        boundary=_boundary(found, show),
        suspects=list(_suspects(found)),
        made=_made(found),
        classes=_classes(found),
        families=[(str(name), repr(family)) for name, family in list(_chosen(found).items())[:LISTED]],
        families_in_all=len(_chosen(found)),
        listed=LISTED,
        model=model,
    )


def _figures(found: Findings) -> list[tuple[str, str, str]]:
    result, (low, high) = found.result, found.result.interval
    return [
        ("Rows judged", f"{len(result.y):,}", result.how),
        ("Wrong", f"{result.error:.2%}", f"95 % interval {low:.2%} to {high:.2%}"),
        ("Log loss", f"{result.log_loss:.4f}", "the mean of −log p of the true class; 0 is perfect"),
        ("Brier score", f"{result.brier:.4f}", "from 0, perfect, to 2"),
        ("Calibration error", f"{result.calibration_error:.2%}", "how far being sure and being right lie apart"),
    ]


class OfClass(NamedTuple):
    name: str
    rows: float
    precision: float
    recall: float


def _by_class(result: Any) -> list[OfClass]:
    """Of many, those with most wrong answers."""
    precision, recall, rows = result.by_class
    wrong = rows - np.diag(result.confusion)
    there = np.flatnonzero((rows > 0) | (result.confusion.sum(axis=0) > 0))
    kept = np.sort(there[np.argsort(-wrong[there], kind="stable")[:LISTED]])
    return [OfClass(told(result.classes[k]), float(rows[k]), precision[k], recall[k]) for k in kept]


def _drawn(found: Findings) -> list[int]:
    result = found.result
    return most_common(result.y, len(result.classes), result.weight)


def _legend(found: Findings) -> list[tuple[str, str]]:
    return [(CLASSES[place], told(found.result.classes[k], 60)) for place, k in enumerate(_drawn(found))]


class OfColumn(NamedTuple):
    name: str
    how: str
    pictures: list[Shown]


def _ranked(found: Findings) -> list[Any]:
    """The columns of the table, those first that depend most on the class."""
    names = [*found.table.names]
    return [column for column in found.relevance.columns if column in names]


def _columns(found: Findings, show: Pictures) -> Iterator[OfColumn]:
    result, counted = found.result, found.counted
    weights, chosen = counted.weights, counted.chosen
    relevant = {*found.relevance.relevant, *_ranked(found)[:2]}
    for name in [name for name in _ranked(found) if name in relevant][:COLUMNS]:
        family = chosen[name]
        counts = "" if abs(weights[name] - 1) < 0.005 else f"; it counts {weights[name]:.2g} times"
        how = f"read as {type(family).__name__}{counts}"
        if isinstance(family, Text):
            place = {label: k for k, label in enumerate(counted.classes.tolist())}
            of = [place.get(result.classes.tolist()[k]) for k in _drawn(found)]
            pictures = [draw_words(counted, name, k, at) for at, k in enumerate(of) if k is not None]
        else:
            pictures = [draw_column(counted, found.table, result.classes, result.y, name, result.weight, bare=True)]
        yield OfColumn(told(name), how, [show(picture) for picture in pictures])


def best_two(found: Findings) -> list[Any]:
    """The two columns that depend most on the class, of those that can be a side of a picture."""
    names = [*found.table.names]
    possible = {names[j] for j in drawable(found.table)}
    read_as = found.counted.chosen
    return [name for name in _ranked(found) if name in possible and not isinstance(read_as[name], Text)][:2]


def _boundary(found: Findings, show: Pictures) -> Shown | None:
    two, result = best_two(found), found.result
    if len(two) < 2:
        return None
    return show(draw_plane(found.stored, found.table, result.classes, result.y, two, result.weight))


class Suspected(NamedTuple):
    row: int
    label: str
    looks_like: str
    probability: float
    why: str


def _suspects(found: Findings) -> Iterator[Suspected]:
    audit = found.audit
    for rank in range(0 if audit is None else min(len(audit), SUSPECTS)):
        assert audit is not None
        one = audit[rank]
        row = int(found.result.rows[found.audited[one.row]])
        yield Suspected(row, told(one.label), told(one.looks_like), one.probability, told(audit.against(one)))


def kind_of(model: Any) -> str:
    return KINDS.get(type(model).__name__, "Naive Bayes")


def _chosen(found: Findings) -> dict[Any, Any]:
    return found.counted.chosen if found.counts else dict.fromkeys(found.table.names, "")


def _made(found: Findings) -> list[tuple[str, str]]:
    stored, origin = found.stored, found.stored.origin
    facts = [
        ("Model", kind_of(found.model)),
        ("Learned from", f"{'weighted' if origin.rows is None else f'{origin.rows:,}'} rows ({origin.source})"),
        ("Target", origin.target),
        ("Written", f"{origin.date} by Likely {stored.version}" if origin.date else None),
        ("Columns", f"{len(found.table.names):,}"),
        ("Classes", f"{len(found.model.classes):,}"),
        ("Weights of rows", origin.weights),
        ("Missing cells", "empty" if origin.missing is None else f"empty, or {origin.missing}"),
        ("Class prior", str(found.model.class_prior) if found.counts else None),
        ("Probabilities", "calibrated" if stored.calibration is not None else "as the model has them"),
        ("Strength C", f"{found.model.c:.4g}" if hasattr(found.model, "c") else None),
        ("A Gaussian’s covariance", repr(found.model.family) if isinstance(found.model, Gaussian) else None),
    ]
    return [(name, told(value)) for name, value in facts if value is not None]


def _classes(found: Findings) -> list[tuple[str, float, float]]:
    if not found.counts:
        return []
    rows, p = found.model.known.rows.table[:, 0], np.exp(found.model.log_prior())
    kept = np.sort(np.argsort(-rows, kind="stable")[:LISTED])
    return [(told(found.model.classes[k]), float(rows[k]), float(p[k])) for k in kept]
