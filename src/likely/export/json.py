"""Exports a model as plain JSON, with which you can score rows by your own code: docs/export.md shows how."""

import json
from typing import Any

from likely import __version__
from likely.export.scoring import Scoring
from likely.families.formula import Cell, Lookup, Product, Term
from likely.models.calibration import LEAST, Calibration, Steps

FORMAT = 1
"""The version of the format."""


def document(scoring: Scoring) -> str:
    """The JSON text. Its numbers are exactly those of the model."""
    parts = {
        "format": FORMAT,
        "written_by": f"Likely {__version__}",
        "model": scoring.kind,
        "classes": scoring.classes.tolist(),
        "start": scoring.start.tolist(),
        "prior": scoring.prior.tolist(),
        "terms": [_term(term, scoring.names) for term in scoring.terms],
        "calibration": None if scoring.calibration is None else _calibration(scoring.calibration),
        "missing": scoring.missing,
    }
    return json.dumps(parts, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _term(term: Term, names: Any) -> dict[str, Any]:
    cell = _cell(term.cell, names)
    if isinstance(term, Lookup):
        return {**cell, "scores": term.scores.T.tolist()}
    if isinstance(term, Product):
        cell |= {"other": names[term.other.column], "other_centre": term.other_centre.tolist()}
        return {**cell, "centre": term.centre.tolist(), "weight": term.weight.tolist()}
    numbers = term._asdict()
    return {**cell, **{name: numbers[name].tolist() for name in ("centre", "constant", "weight", "square")}}


def _cell(cell: Cell, names: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"column": names[cell.column], "read": cell.reading}
    if cell.by is not None:
        found["by"] = cell.by.tolist() if hasattr(cell.by, "tolist") else cell.by
    if cell.reading in ("category", "missing"):
        return found
    ends = {"low": cell.low, "high": cell.high}
    found |= {name: end for name, end in ends.items() if abs(end) != float("inf")}
    marks = {"whole": cell.whole, "missing_below": cell.lenient, "required": cell.required}
    return found | {name: True for name, is_so in marks.items() if is_so}


def _calibration(map_: Calibration) -> dict[str, Any]:
    return {
        "scale": map_.scale,
        "least": LEAST / map_.scale,
        "offset": map_.offset.tolist(),
        "curves": [_curve(curve) for curve in map_.curves],
        "winner": None if map_.winner is None else _curve(map_.winner),
    }


def _curve(curve: Steps) -> dict[str, Any]:
    return {"x": curve.x.tolist(), "y": curve.y.tolist()}
