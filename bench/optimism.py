"""How much better the error that `fit` and `validate` report looks than that on new rows."""

from collections.abc import Iterator

import numpy as np

from bench.data import table
from bench.table import Row
from likely import NaiveBayes
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import leave_one_out
from likely.validation.left_out import loo_of_learned
from likely.validation.rows import cut

SMALL = (
    "breast-cancer-ljubljana", "german-credit", "house-votes-84", "ionosphere", "iris", "pima", "sonar", "wine",
    "hr-attrition", "telco-churn",
)  # fmt: skip
"""Tables of which `fit` too chooses families, bins and weights without the rows that it judges."""
LARGE = ("letter", "pendigits", "covertype-93k", "bank-additional-full")
"""Tables of which it chooses them with all rows in view."""


def optimism() -> Iterator[Row]:
    """10 small tables, 10 random halves each, and 4 large ones, 3 halves each: the leave-one-out error that `fit` and
    `validate` report of one half minus the error on the other half. Below 0 is too good: the mean of all tables must
    be less than two of its standard errors below it."""
    for names, splits, of in ((SMALL, 10, "small"), (LARGE, 3, "large")):
        means = []
        for name in names:
            found = list(_halves(name, splits, of == "small"))
            means.append(np.mean(found, axis=0))
            yield _row(name, means[-1], None)
        yield _row(f"mean of {len(names)} {of} tables", np.mean(means, axis=0), _spread(means))


def _halves(name: str, splits: int, validates: bool) -> Iterator[tuple[float, float, float]]:
    x, y = table(name)
    codes = np.unique(y, return_inverse=True)[1]
    rng = np.random.default_rng(0)
    for _ in range(splits):
        learned, held = cut((0.5, 0.5), codes, rng)
        half, own = x.take(learned), y[learned]
        model = NaiveBayes().fit(half, own)
        inner: NaiveBayesModel = model.model_
        error = float(np.mean(model.predict(x.take(held)) != y[held]))
        fit = loo_of_learned(inner, model.sample_of(half, own, None), everything=True).error
        validate = leave_one_out(NaiveBayes(), half, own).error if validates else np.nan
        yield fit - error, validate - error, error


def _spread(means: list[np.ndarray]) -> np.ndarray:
    return np.std(means, axis=0, ddof=1) / len(means) ** 0.5


def _row(name: str, means: np.ndarray, spread: np.ndarray | None) -> Row:
    figures = [
        f"{what} {mean:+.3f}" + ("" if spread is None else f" ± {spread[at]:.3f}")
        for at, (what, mean) in enumerate(zip(("fit", "validate"), means[:2], strict=True))
        if not np.isnan(mean)
    ]
    # 1 of a mean of 0, 0 of one that is two standard errors below it
    ratio, target = (1.0, None) if spread is None else (1 + float(np.nanmin(means[:2] / (2 * spread[:2]))), 0.0)
    return Row(f"{name}, reported minus held out", ", ".join(figures), "held out", f"{means[2]:.3f}", ratio, target)
