"""Error and log loss on real tables, compared with scikit-learn's naive Bayes. All use their defaults: nothing is tuned
for a table."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

from bench.data import FOLDER, INTERACTIONS, TABLES, check, sampled, table
from bench.decisions import sets, small_sets, unlabelled
from bench.folds import folds
from bench.many_columns import many_columns
from bench.network import networks, pgmpy, shells
from bench.objectives import objectives
from bench.optimism import optimism
from bench.peers import peers
from bench.table import Row
from bench.text_accuracy import blend_texts, filed, many_classes, texts
from bench.text_blend import blended, text_costs, text_passes
from bench.validation import audited, calibration, calibration_small, selected
from likely import LogisticRegression, NaiveBayes
from likely.data import Dataset
from likely.data.dates import features


def tables() -> Iterator[Row]:
    """18 tables, 5 random folds of at most 20,000 rows each: error and log loss, each with its standard error."""
    check()
    found = []
    for name in TABLES:
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        frame = x.to_pandas()
        peers = folds(_gaussian, frame, y), folds(_binned, frame, y)
        ours = [folds(lambda x, options=options: NaiveBayes(**options), x, y) for options in ({}, *VARIANTS.values())]
        found.append([ours[0], *peers, *ours[1:]])
        yield from _rows(name, ours[0], *peers)
    means = np.mean(found, axis=0)[:, :2]
    for at, (what, target) in enumerate((("error", 0.165), ("log loss", None))):
        ours, *theirs = means[:3, at]
        beside = f"{theirs[0]:.3f}, {theirs[1]:.3f}"
        least = min(theirs) if target is None else target
        yield Row(f"mean of all, {what}", f"{ours:.3f}", PEERS, beside, least / ours, 1)
        for variant, other in zip(VARIANTS, means[3:, at], strict=True):
            yield Row(f"mean of all, {what}, {variant}", f"{other:.3f}", "our defaults", f"{ours:.3f}", ours / other)


RAW = 0.005
"""How much the error on a raw table may be above the error on the same table cleaned by hand."""


def raw() -> Iterator[Row]:
    """Tables as files, read by `Dataset` without options, vs. cleaned for the bench: the error of `NaiveBayes()`."""
    for name, file in (TABLES | INTERACTIONS).items():
        cleaned, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        target = Dataset(FOLDER / file).schema.names[-1]
        read = Dataset(FOLDER / file, kept=[target])
        rows = pa.concat_tables([features(batch.table, read.schema.columns) for batch in read])
        rows = sampled(rows).drop_columns([target])
        ours, theirs = (folds(lambda x: NaiveBayes(), x, y)[0] for x in (rows, cleaned))
        ratio = (theirs + RAW) / (ours + 1e-9)
        yield Row(f"{name}, error", f"{ours:.3f}", "cleaned by hand", f"{theirs:.3f}", ratio, 1)


def blend() -> Iterator[Row]:
    """The same tables: logistic regression shrunk towards naive Bayes, C by cross-validation, vs. its two ends."""
    ends: dict[str, Callable[[Any], Any]] = {
        "NaiveBayes()": lambda x: NaiveBayes(),
        'LogisticRegression("auto")': lambda x: LogisticRegression("auto"),
    }
    found = []
    for name in TABLES:
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        ours = folds(lambda x: LogisticRegression("auto", shrink_to="naive_bayes"), x, y)
        peers = [folds(make, x, y) for make in ends.values()]
        found.append([ours, *peers])
        for at, what in enumerate(("error", "log loss")):
            better = min(peers, key=lambda peer: peer[at])
            beside = ", ".join(f"{peer[at]:.3f} ± {peer[at + 2]:.3f}" for peer in peers)
            told = f"{ours[at]:.3f} ± {ours[at + 2]:.3f}"
            ratio = (better[at] + better[at + 2] + 1e-9) / (ours[at] + 1e-9)
            yield Row(f"{name}, {what}", told, ", ".join(ends), beside, ratio, 1)
    means = np.mean(found, axis=0)
    for at, (what, target) in enumerate((("error", 0.143), ("log loss", 0.36))):
        ours, *theirs = means[:, at]
        beside = ", ".join(f"{their:.3f}" for their in theirs)
        yield Row(f"mean of all, {what}", f"{ours:.3f}", ", ".join(ends), beside, target / ours, 1)


REACHED = {"car-evaluation": 0.015, "kr-vs-kp": 0.012, "phoneme": 0.13, "vehicle": 0.165, "vowel": 0.035}
"""The errors that the blend should reach on tables in which columns act together."""


def interactions() -> Iterator[Row]:
    """Five tables in which columns act together: the blend vs. the same without pairs."""
    for name in INTERACTIONS:
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        ours, without = (
            folds(lambda x, pairs=pairs: LogisticRegression("auto", shrink_to="naive_bayes", interactions=pairs), x, y)
            for pairs in ("auto", 0)
        )
        for at, what in enumerate(("error", "log loss")):
            told, beside = (f"{found[at]:.3f} ± {found[at + 2]:.3f}" for found in (ours, without))
            target = REACHED[name] if what == "error" else without[at]
            yield Row(f"{name}, {what}", told, "without pairs", beside, (target + 1e-9) / (ours[at] + 1e-9), 1)


VARIANTS: dict[str, dict[str, Any]] = {
    "without weights": {"weights": False},
    "smoothing chosen": {"smoothing": "auto"},
}
PEERS = "GaussianNB, quantile bins + CategoricalNB"


def _rows(name: str, ours: Any, *peers: Any) -> Iterator[Row]:
    """The error should be at most one standard error above that of the better peer, and the log loss below both."""
    for at, what in enumerate(("error", "log loss")):
        better = min(peers, key=lambda peer: peer[at])
        reached = better[at] + (better[2] if what == "error" else 0)
        beside = ", ".join(f"{peer[at]:.3f} ± {peer[at + 2]:.3f}" for peer in peers)
        yield Row(f"{name}, {what}", f"{ours[at]:.3f} ± {ours[at + 2]:.3f}", PEERS, beside, reached / ours[at], 1)


def _columns(x: Any) -> tuple[list[str], list[str]]:
    numbers = list(x.select_dtypes("number").columns)
    return numbers, [column for column in x.columns if column not in numbers]


def _gaussian(x: Any) -> Any:
    numbers, others = _columns(x)
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(make_column_transformer((SimpleImputer(), numbers), (one_hot, others)), GaussianNB())


def _binned(x: Any) -> Any:
    numbers, others = _columns(x)
    bins = KBinsDiscretizer(10, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")
    known = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1)
    columns = make_column_transformer((make_pipeline(SimpleImputer(), bins), numbers), (known, others))
    return make_pipeline(columns, _Shifted(), CategoricalNB(min_categories=_most_values(x)))


class _Shifted:
    """Codes from 0, as CategoricalNB needs them; 0 stands for missing and new values."""

    def fit(self, x: Any, y: Any = None) -> "_Shifted":
        return self

    def transform(self, x: Any) -> Any:
        return x + 1


def _most_values(x: Any) -> int:
    _, others = _columns(x)
    return max([11, *(x[column].nunique() + 2 for column in others)])


BENCHES: dict[str, Callable[[], Iterator[Row]]] = {
    "tables": tables,
    "raw": raw,
    "blend": blend,
    "interactions": interactions,
    "peers": peers,
    "many_columns": many_columns,
    "networks": networks,
    "shells": shells,
    "pgmpy": pgmpy,
    "blend_texts": blend_texts,
    "many_classes": many_classes,
    "blended": blended,
    "text_costs": text_costs,
    "text_passes": text_passes,
    "texts": texts,
    "folders": filed,
    "calibration": calibration,
    "calibration_small": calibration_small,
    "audit": audited,
    "relevance": selected,
    "objectives": objectives,
    "optimism": optimism,
    "sets": sets,
    "small_sets": small_sets,
    "unlabelled": unlabelled,
}
