"""The report and the decision boundary of a classifier, for any table that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.data import Sample
from likely.models.learned import count
from likely.report.boundary import draw_plane
from likely.report.findings import Findings, findings, same_rows
from likely.report.page import best_two, page
from likely.report.picture import Picture
from likely.store import Origin, Stored
from likely.typing import Classifier, Column, LabelsLike, TableLike, WeightsLike
from likely.validation.learned_rows import PERHAPS, Judged


def report(
    model: Classifier,
    X: TableLike,
    y: LabelsLike,
    *,
    sample_weight: WeightsLike = None,
    learned: bool | None = None,
    title: str = "Report",
) -> str:
    """The report of a fitted classifier on these rows, as HTML.

    Parameters
    ----------
    model : fitted classifier
        One of Likely's.
    X : table
        The rows.
    y : labels
        Their classes.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    learned : bool, optional
        Whether these are the rows that the model has learned; then each is judged by leave-one-out. By default, the
        rows are counted and compared with the counts of the model.
    title : str, default "Report"
        The title of the page.

    Returns
    -------
    str
        One page of HTML, without scripts or other files.

    See Also
    --------
    likely.validation.leave_one_out : computes its figures.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> nb = NaiveBayes().fit(X, y)
    >>> from likely.report import report
    >>> page = report(nb, X, y)
    >>> "leave-one-out" in page.lower()
    True
    """
    return page(found_in(model, X, y, sample_weight, learned), title)


def draw_boundary(model: Classifier, X: TableLike, y: LabelsLike, columns: Sequence[Column] | None = None) -> Picture:
    """Draws the most probable class over two columns, with the rows.

    Parameters
    ----------
    model : fitted classifier
        One of Likely's.
    X : table
        The rows.
    y : labels
        Their classes.
    columns : pair of columns, optional
        The plane; by default the two columns that depend most on the class. All other columns are marginalised out.

    Returns
    -------
    Picture
        It shows itself in a notebook; `save` writes .svg, .png or .pdf.

    See Also
    --------
    likely.GaussianClassifier.plot : on axes of your own.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> nb = NaiveBayes().fit(X, y)
    >>> from likely.report import draw_boundary
    >>> picture = draw_boundary(nb, X, y, ["shoulder_cm", "teeth_mm"])
    """
    two = best_two(found_in(model, X, y)) if columns is None else columns
    if len(two) != 2:
        raise ValueError(f"a boundary needs two columns of numbers or categories, not {len(two)}")
    return draw_plane(_stored(model), _sample(model, X, y), two)


def found_in(model: Any, X: Any, y: Any, sample_weight: Any = None, learned: bool | None = None) -> Findings:
    inner, sample = model.model_, _sample(model, X, y, sample_weight)
    rows, known = np.arange(len(sample)), True
    if learned is None:
        learned = known = same_rows(inner, count(inner.blocks, sample))
    return findings(_stored(model), sample, Judged(rows, learned, "" if known else PERHAPS, known))


def _sample(model: Any, X: Any, y: Any, sample_weight: Any = None) -> Sample:
    sample: Sample = model.sample_of(X, y, sample_weight)
    sample.table.must_have(model.model_.names)
    return sample


def _stored(model: Any) -> Stored:
    inner = model.model_
    rows = int(inner.class_counts.sum()) if inner.counts_rows else None
    return Stored(inner, Origin(rows, date="", missing=model.missing_values), model.calibration_, model.calibrate)
