"""The report: one page of HTML that holds all it shows, runs nothing and asks the network for nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from likely.printing import percent
from likely.report.boundary import draw_plane, drawable
from likely.report.colours import CLASSES, in_the_dark
from likely.report.columns import draw_column
from likely.report.confusion import draw_confusion, shown
from likely.report.coverage import draw_coverage
from likely.report.findings import Findings
from likely.report.names import displayed, most_common
from likely.report.pairs import draw_pair, pair_class, pair_terms
from likely.report.picture import Picture
from likely.report.relevance import SHOWN, draw_relevance
from likely.report.reliability import draw_reliability
from likely.report.verdict import verdict
from likely.report.words import draw_words

COLUMNS = 12
"""Columns that are drawn: those that depend most on the class, and of the others none but the first two."""
PAIRS = 6
"""Pairs that are drawn: those that add most."""
LISTED = 60
"""Columns and classes that have a line in a table."""
SUSPECTS = 20
"""Labels that have a line in a table."""

KINDS = {"GaussianClassifier": "Gaussian classifier", "LogisticRegression": "Logistic regression"}


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
    environment.filters["displayed"] = displayed
    environment.filters["percent"] = lambda share: "–" if np.isnan(share) else percent(share)
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
        pairs=list(_pairs(found, show)),
        pairs_in_all=0 if found.counts else len(model.design.pairs),
        legend=_legend(found),
        boundary=_boundary(found, show),
        suspects=list(_suspects(found)),
        made=_made(found),
        classes=_classes(found),
        families=[(str(name), repr(family)) for name, family in list(model.chosen_families.items())[:LISTED]],
        families_in_all=len(model.chosen_families),
        listed=LISTED,
        model=model,
    )


def _figures(found: Findings) -> list[tuple[str, str, str]]:
    result, (low, high) = found.result, found.result.interval
    return [
        ("Rows", f"{len(result.y):,}", result.how),
        ("Error", percent(result.error, 2), f"95 % interval {percent(low, 2)} to {percent(high, 2)}"),
        ("Log loss", f"{result.log_loss:.4f}", "the mean of −log p of the true class; 0 is perfect"),
        ("Brier score", f"{result.brier:.4f}", "from 0, perfect, to 2"),
        ("Calibration error", percent(result.calibration_error, 2), "the mean gap between confidence and accuracy"),
    ]


class OfClass(NamedTuple):
    name: str
    rows: float
    precision: float
    recall: float


def _by_class(result: Any) -> list[OfClass]:
    """Of many, those with the most errors."""
    precision, recall, rows = result.by_class
    wrong = rows - np.diag(result.confusion)
    there = np.flatnonzero((rows > 0) | (result.confusion.sum(axis=0) > 0))
    kept = np.sort(there[np.argsort(-wrong[there], kind="stable")[:LISTED]])
    return [OfClass(displayed(result.classes[k]), float(rows[k]), precision[k], recall[k]) for k in kept]


def _legend(found: Findings) -> list[tuple[str, str]]:
    return [
        (CLASSES[place], displayed(found.result.classes[k], 60)) for place, k in enumerate(most_common(found.sample))
    ]


class OfColumn(NamedTuple):
    name: str
    how: str
    pictures: list[Shown]


def _ranked(found: Findings) -> list[Any]:
    """The columns of the table, those first that depend most on the class."""
    names = [*found.sample.table.names]
    return [column for column in found.relevance.columns if column in names]


def _columns(found: Findings, show: Pictures) -> Iterator[OfColumn]:
    result, counted = found.result, found.counted
    weights, chosen = counted.chosen_weights, counted.chosen_families
    relevant = {*found.relevance.relevant, *_ranked(found)[:2]}
    for name in [name for name in _ranked(found) if name in relevant][:COLUMNS]:
        family = chosen[name]
        weight = "" if abs(weights[name] - 1) < 0.005 else f"; column weight {weights[name]:.2g}"
        how = f"read as {type(family).__name__}{weight}"
        if family.picture == "words":
            place = {label: k for k, label in enumerate(counted.classes.tolist())}
            of = [place.get(result.classes.tolist()[k]) for k in most_common(found.sample)]
            pictures = [draw_words(counted, name, k, at) for at, k in enumerate(of) if k is not None]
        else:
            pictures = [draw_column(counted, found.sample, name, bare=True)]
        yield OfColumn(displayed(name), how, [show(picture) for picture in pictures])


def _pairs(found: Findings, show: Pictures) -> Iterator[OfColumn]:
    """What pairs of columns add, of a blend that has any."""
    if found.counts:
        return
    for pair in pair_terms(found.model, found.sample.table)[:PAIRS]:
        how = f"adds to the log odds of {displayed(pair_class(found.model, pair))}"
        yield OfColumn(displayed(pair.name), how, [show(draw_pair(found.model, pair))])


def best_two(found: Findings) -> list[Any]:
    """The two columns that depend most on the class, of those that can be a side of a picture."""
    table, read_as = found.sample.table, found.counted.chosen_families
    possible = {table.names[j] for j in drawable(table)}
    return [name for name in _ranked(found) if name in possible and read_as[name].domain != "text"][:2]


def _boundary(found: Findings, show: Pictures) -> Shown | None:
    two = best_two(found)
    return None if len(two) < 2 else show(draw_plane(found.stored, found.sample, two))


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
        yield Suspected(
            row, displayed(one.label), displayed(one.looks_like), one.probability, displayed(audit.against(one))
        )


def kind_of(model: Any) -> str:
    return KINDS.get(model.name, "Naive Bayes")


def _made(found: Findings) -> list[tuple[str, str]]:
    stored, origin = found.stored, found.stored.origin
    facts = [
        ("Model", kind_of(found.model)),
        ("Learned from", f"{'weighted' if origin.rows is None else f'{origin.rows:,}'} rows ({origin.source})"),
        ("Target", origin.target),
        ("Written", f"{origin.date} by Likely {stored.version}" if origin.date else None),
        ("Columns", f"{len(found.sample.table.names):,}"),
        ("Classes", f"{len(found.model.classes):,}"),
        ("Sample weights", origin.weights),
        ("Missing cells", "empty" if origin.missing is None else f"empty, or {origin.missing}"),
        ("Class prior", str(found.model.class_prior) if found.counts else None),
        ("Probabilities", "calibrated" if stored.calibration is not None else "as the model has them"),
        ("Weights shrunk towards", "naive Bayes" if getattr(found.model, "shrink_to", None) else None),
        ("Strength C", f"{found.model.c:.4g}" if hasattr(found.model, "c") else None),
        ("A Gaussian’s covariance", repr(found.model.family) if hasattr(found.model, "family") else None),
    ]
    return [(name, displayed(value)) for name, value in facts if value is not None]


def _classes(found: Findings) -> list[tuple[str, float, float]]:
    if not found.counts:
        return []
    rows, p = found.model.class_counts, np.exp(found.model.log_prior())
    kept = np.sort(np.argsort(-rows, kind="stable")[:LISTED])
    return [(displayed(found.model.classes[k]), float(rows[k]), float(p[k])) for k in kept]
