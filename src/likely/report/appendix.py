"""The appendix of the report: figures, labels to check, the origin of the model, and how each column is read."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from likely.printing import between, percent
from likely.report.findings import Findings
from likely.report.mistakes import speaks_for
from likely.report.names import NAMED, displayed
from likely.validation import Result

SUSPECTS = 10
"""The most labels to list."""
TYPES = {
    "bool": "yes or no", "int": "integer", "float": "number", "sparse": "number",
    "category": "category", "text": "text", "empty": "empty",
}  # fmt: skip


def figure_lines(result: Result) -> list[tuple[str, str, str]]:
    return [
        ("Rows", f"{len(result.y):,}", result.how),
        ("Error", percent(result.error), f"95 % interval {between(*result.interval)}"),
        ("Log loss", f"{result.log_loss:.4f}", "the mean of −log p of the true class; 0 is perfect"),
        ("Brier score", f"{result.brier:.4f}", "from 0, perfect, to 2"),
        ("Calibration error", percent(result.calibration_error), "the mean gap between confidence and accuracy"),
    ]


class Suspected(NamedTuple):
    row: int
    label: str
    looks_like: str
    probability: float
    why: str


def suspects(found: Findings) -> Iterator[Suspected]:
    audit = found.audit
    for rank in range(0 if audit is None else min(len(audit), SUSPECTS)):
        assert audit is not None
        one = audit[rank]
        at = found.audited[one.row]
        why = speaks_for(found.explained(np.array([at]))[0], one.looks_like, one.label, found.texts)
        label, looks_like = (displayed(name, NAMED) for name in (one.label, one.looks_like))
        yield Suspected(int(found.result.rows[at]), label, looks_like, one.probability, why)


def origin_lines(found: Findings) -> list[tuple[str, str]]:
    stored, origin = found.stored, found.stored.origin
    facts = [
        ("Model", found.model.title),
        ("Learned from", f"{'weighted' if origin.rows is None else f'{origin.rows:,}'} rows ({origin.source})"),
        ("Target", origin.target),
        ("Written", f"{_minute(origin.date)} by Likely {stored.version}" if origin.date else None),
        ("Columns", f"{len(found.sample.table.names):,}"),
        ("Classes", f"{len(found.model.classes):,}"),
        ("Sample weights", origin.weights),
        ("Missing cells", "empty" if origin.missing is None else f"empty, or {origin.missing}"),
        ("Class prior", str(found.model.class_prior) if found.counts else None),
        ("Probabilities", "calibrated" if stored.calibration is not None else "not calibrated"),
        ("Regularisation strength", f"C = {found.model.c:.4g}" if hasattr(found.model, "c") else None),
        ("Covariance", repr(found.model.family) if hasattr(found.model, "family") else None),
    ]
    return [(name, displayed(value)) for name, value in facts if value is not None]


def _minute(date: str) -> str:
    """The date in a model file without seconds: 2026-03-01 12:30 UTC."""
    return f"{date[:16].replace('T', ' ')} UTC" if date.endswith("+00:00") else date


def class_lines(found: Findings, most: int) -> list[tuple[str, float, float]]:
    """The classes with their rows and priors; empty if they are the same as in the rows of the page."""
    if not found.counts or found.learned:
        return []
    rows, p = found.model.class_counts, np.exp(found.model.log_prior())
    kept = np.sort(np.argsort(-rows, kind="stable")[:most])
    return [(displayed(found.model.classes[k], NAMED), float(rows[k]), float(p[k])) for k in kept]


class ReadAs(NamedTuple):
    """A column as the model reads it."""

    name: str
    type: str
    family: str
    missing: float
    """The share of rows of the page that have no value."""


def column_lines(found: Findings, most: int) -> list[ReadAs]:
    """The columns in order; if there are many, those that depend most on the class."""
    read_as, table = found.model.chosen_families, found.sample.table
    place = {name: j for j, name in enumerate(table.names)}
    names = [name for name in read_as if name in place]
    if len(names) > most:
        ranked = [name for name in found.relevance.columns if name in read_as and name in place]
        kept = {*(ranked + names)[:most]}
        names = [name for name in names if name in kept]
    return [
        ReadAs(
            displayed(name, NAMED),
            TYPES[table.kinds[place[name]]] if read_as[name].domain != "text" else "text",
            displayed(repr(read_as[name]).removesuffix("()"), 40),
            float(table.missing([place[name]], slice(0, len(found.sample))).mean()),
        )
        for name in names
    ]
