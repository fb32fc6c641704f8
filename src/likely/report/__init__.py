"""Figures of models, and the report: one page that shows how good a model is, and why.

`report(model, X, y)` returns the page, and `draw_boundary(model, X, y)` a figure of the decision boundary, both for a
fitted classifier. `draw_curves` draws the result of `likely.validation.learning_curve`. A figure can be saved as .svg,
.png or .pdf, and shows itself in a notebook. Each kind of figure has its own file in this package.
"""

try:
    import jinja2 as jinja2
    import matplotlib as matplotlib
except ModuleNotFoundError as error:
    raise ImportError("figures and reports need matplotlib and jinja2: pip install 'likely[report]'") from error

from likely.report.classifiers import draw_boundary, report
from likely.report.curves import draw_curves
from likely.report.picture import Picture

__all__ = ["Picture", "draw_boundary", "draw_curves", "report"]
