"""Error and log loss on real tables beside scikit-learn's naive Bayes: defaults, nothing tuned by hand for a set."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

from bench.data import FOLDER, TABLES, table
from bench.table import Row
from bench.text_accuracy import filed, texts
from bench.validation import audited, calibration, selected
from likely import NaiveBayes

FOLDS = 5


def tables() -> Iterator[Row]:
    """18 tables, 5 random folds of at most 20,000 rows each."""
    if not FOLDER.exists():
        raise SystemExit(f"the data sets are not at {FOLDER}; LIKELY_DATA may name another place")
    found = []
    for name in TABLES:
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        ours = _folds(lambda x: NaiveBayes(), x, y)
        gaussian = _folds(_gaussian, x.to_pandas(), y)
        binned = _folds(_binned, x.to_pandas(), y)
        found.append([ours, gaussian, binned])
        yield _row(name, ours, gaussian, binned)
    yield _row("mean of all", *np.mean(found, axis=0))


def _row(name: str, ours: Any, gaussian: Any, binned: Any) -> Row:
    theirs = f"{gaussian[0]:.3f} / {gaussian[1]:.3f}, {binned[0]:.3f} / {binned[1]:.3f}"
    ratio = min(gaussian[0], binned[0]) / max(ours[0], 1e-9)
    peer = "GaussianNB, quantile bins + CategoricalNB"
    return Row(f"{name}, error / log loss", f"{ours[0]:.3f} / {ours[1]:.3f}", peer, theirs, ratio, 1)


def _folds(make: Callable[[Any], Any], x: Any, y: Any) -> tuple[float, float]:
    """The mean error and log loss over the folds."""
    figures = []
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y):
        take = (lambda rows: x.take(rows)) if isinstance(x, pa.Table) else (lambda rows: x.iloc[rows])
        model = make(x).fit(take(train), y[train])
        p = model.predict_proba(take(test))
        figures.append(
            (np.mean(model.classes_[p.argmax(axis=1)] != y[test]), log_loss(y[test], p, labels=model.classes_))
        )
    return tuple(np.mean(figures, axis=0))


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
    """Codes from 0: what CategoricalNB takes, with 0 for what is missing or new."""

    def fit(self, x: Any, y: Any = None) -> "_Shifted":
        return self

    def transform(self, x: Any) -> Any:
        return x + 1


def _most_values(x: Any) -> int:
    _, others = _columns(x)
    return max([11, *(x[column].nunique() + 2 for column in others)])


BENCHES: dict[str, Callable[[], Iterator[Row]]] = {
    "tables": tables,
    "texts": texts,
    "folders": filed,
    "calibration": calibration,
    "audit": audited,
    "relevance": selected,
}
