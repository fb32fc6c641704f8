"""The appendix: figures, labels to check, where the model comes from, and how each column is read."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from likely.printing import between, percent
from likely.report.findings import Findings
from likely.report.names import displayed
from likely.validation import Result

SUSPECTS = 20
"""Labels that have a line."""


def figure_lines(result: Result) -> list[tuple[str, str, str]]:
    return [
        ("Rows", f"{len(result.y):,}", result.how),
        ("Error", percent(result.error, 2), f"95 % interval {between(*result.interval, 2)}"),
        ("Log loss", f"{result.log_loss:.4f}", "the mean of −log p of the true class; 0 is perfect"),
        ("Brier score", f"{result.brier:.4f}", "from 0, perfect, to 2"),
        ("Calibration error", percent(result.calibration_error, 2), "the mean gap between confidence and accuracy"),
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
        row = int(found.result.rows[found.audited[one.row]])
        why = displayed(audit.against(one))
        yield Suspected(row, displayed(one.label), displayed(one.looks_like), one.probability, why)


def origin_lines(found: Findings) -> list[tuple[str, str]]:
    stored, origin = found.stored, found.stored.origin
    facts = [
        ("Model", found.model.title),
        ("Learned from", f"{'weighted' if origin.rows is None else f'{origin.rows:,}'} rows ({origin.source})"),
        ("Target", origin.target),
        ("Written", f"{origin.date} by Likely {stored.version}" if origin.date else None),
        ("Columns", f"{len(found.sample.table.names):,}"),
        ("Classes", f"{len(found.model.classes):,}"),
        ("Sample weights", origin.weights),
        ("Missing cells", "empty" if origin.missing is None else f"empty, or {origin.missing}"),
        ("Class prior", str(found.model.class_prior) if found.counts else None),
        ("Probabilities", "calibrated" if stored.calibration is not None else "as the model has them"),
        ("Regularisation strength", f"C = {found.model.c:.4g}" if hasattr(found.model, "c") else None),
        ("Covariance", repr(found.model.family) if hasattr(found.model, "family") else None),
    ]
    return [(name, displayed(value)) for name, value in facts if value is not None]


def class_lines(found: Findings, most: int) -> list[tuple[str, float, float]]:
    if not found.counts:
        return []
    rows, p = found.model.class_counts, np.exp(found.model.log_prior())
    kept = np.sort(np.argsort(-rows, kind="stable")[:most])
    return [(displayed(found.model.classes[k]), float(rows[k]), float(p[k])) for k in kept]


def column_lines(found: Findings, most: int) -> list[tuple[str, str]]:
    chosen = list(found.model.chosen_families.items())[:most]
    return [(displayed(name), displayed(repr(family), 120)) for name, family in chosen]
