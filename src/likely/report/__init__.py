"""Pictures of models, and the report: one page that says how good a model is, and shows why.

`report(model, X, y)` gives the page, and `draw_boundary(model, X, y)` the picture of a decision boundary, both of a
classifier that has learned; `draw_curves` draws what `likely.validation.learning_curve` found. A picture is saved as
.svg, .png or .pdf, and shows itself in a notebook. One kind of picture is one file here.
"""

try:
    import jinja2 as jinja2
    import matplotlib as matplotlib
except ModuleNotFoundError as error:
    raise ImportError("pictures and reports need matplotlib and jinja2: pip install 'likely[report]'") from error

from likely.report.classifiers import draw_boundary, report
from likely.report.curves import draw_curves
from likely.report.picture import Picture

__all__ = ["Picture", "draw_boundary", "draw_curves", "report"]
