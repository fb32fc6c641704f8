"""The blend and Bayes networks vs. boosted trees and others on real tables: error, log loss and CPU seconds."""

from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np

from bench.data import INTERACTIONS, TABLES, check, table
from bench.folds import first_fold, folds
from bench.table import Row
from likely import BayesNetwork, LogisticRegression

ROWS = 5_000
"""Of a table, for all: CatBoost and ExplainableBoostingClassifier take minutes a fit for more."""


def blend(x: Any) -> Any:
    return LogisticRegression("auto", shrink_to="naive_bayes")


def without_pairs(x: Any) -> Any:
    return LogisticRegression("auto", shrink_to="naive_bayes", interactions=0)


class HistGradientBoosting:
    """scikit-learn's with its defaults; categories by their dtype. A class of one row can't be parted, as early
    stopping wants it to be, which is off there."""

    def fit(self, x: Any, y: Any) -> "HistGradientBoosting":
        from sklearn.ensemble import HistGradientBoostingClassifier

        stop = "auto" if np.unique(y, return_counts=True)[1].min() > 1 else False
        self.model = HistGradientBoostingClassifier(categorical_features="from_dtype", early_stopping=stop)
        self.model.fit(x, y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, x: Any) -> Any:
        return self.model.predict_proba(x)


class CatBoost:
    """Its defaults, on one thread. It takes no missing category: that is a category of its own."""

    def fit(self, x: Any, y: Any) -> "CatBoost":
        from catboost import CatBoostClassifier

        named = [name for name in x.columns if x[name].dtype == "category"]
        self.model = CatBoostClassifier(
            cat_features=named, thread_count=1, verbose=False, allow_writing_files=False, random_seed=0
        )
        self.model.fit(self._filled(x), y)
        self.classes_ = self.model.classes_.astype(y.dtype)
        return self

    def predict_proba(self, x: Any) -> Any:
        return self.model.predict_proba(self._filled(x))

    def _filled(self, x: Any) -> Any:
        named = [name for name in x.columns if x[name].dtype == "category"]
        return x.assign(
            **{name: x[name].astype(object).where(x[name].notna(), "missing").astype(str) for name in named}
        )


def explainable_boosting(x: Any) -> Any:
    """InterpretML's with its defaults, on one thread."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1)


def logistic_regression(x: Any) -> Any:
    """scikit-learn's with its defaults, on standardised numbers, with a mark where one is missing, and one-hot
    categories."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression as Plain
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(add_indicator=True, keep_empty_features=True), StandardScaler())
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include="category")),
    )
    return make_pipeline(columns, Plain(max_iter=1000))


PEERS: dict[str, Callable[[Any], Any]] = {
    "HistGradientBoosting": lambda x: HistGradientBoosting(),
    "CatBoost": lambda x: CatBoost(),
    "ExplainableBoosting": explainable_boosting,
    "LogisticRegression": logistic_regression,
}
OURS: dict[str, Callable[[Any], Any]] = {"blend": blend, "network": lambda x: BayesNetwork()}


def framed(x: Any) -> Any:
    """As pandas has it, with all but numbers as categories."""
    frame = x.to_pandas()
    return frame.astype({name: "category" for name in frame.columns if frame[name].dtype.kind not in "iuf"})


def figures(name: str, make: Callable[[Any], Any], ours: bool) -> tuple[float, ...]:
    """Error and log loss, the standard error of each, and CPU seconds of all fits and predictions, by 5 folds of a
    table of at most ROWS rows."""
    x, y = table(name, ROWS)
    x, y = x if ours else framed(x), np.unique(y, return_inverse=True)[1]
    start = process_time()
    return *folds(make, x, y), process_time() - start


def peers() -> Iterator[Row]:
    """18 tables and the five in which columns act together, 5 folds of at most 5,000 rows, one thread: ours vs.
    others."""
    from threadpoolctl import threadpool_limits

    check()
    with threadpool_limits(1):
        for title, names in (("5 tables of interactions", INTERACTIONS), ("18 tables", TABLES)):
            found = []
            for name in names:
                ours = [figures(name, make, ours=True) for make in OURS.values()]
                theirs = [figures(name, make, ours=False) for make in PEERS.values()]
                found.append([each[:2] + each[4:] for each in (*ours, *theirs)])
                for at, what in enumerate(("error", "log loss")):
                    shown = [f"{each[at]:.3f} ± {each[at + 2]:.3f}" for each in (*ours, *theirs)]
                    yield _beside(f"{name}, {what}", shown, [each[at] for each in (*ours, *theirs)])
                yield _beside(f"{name}, CPU", [f"{each[4]:.1f} s" for each in (*ours, *theirs)], found[-1], at=2)
            means = np.mean(found, axis=0)
            for at, what in enumerate(("error", "log loss", "CPU seconds")):
                shown = [f"{mean:.4f}" if at < 2 else f"{mean:.1f} s" for mean in means[:, at]]
                yield _beside(f"mean of {title}, {what}", shown, means[:, at].tolist())


def _beside(name: str, shown: list[str], figures: list[Any], at: int | None = None) -> Row:
    """The ratio is that of the best of the peers and the better of ours."""
    values = [each if at is None else each[at] for each in figures]
    ratio = (min(values[len(OURS) :]) + 1e-9) / (min(values[: len(OURS)]) + 1e-9)
    ours, theirs = ", ".join(shown[: len(OURS)]), ", ".join(shown[len(OURS) :])
    return Row(f"{name} ({', '.join(OURS)})", ours, ", ".join(PEERS), theirs, ratio)


def blend_time() -> Iterator[Row]:
    """CPU seconds of one fit of each of the 18 tables (four fifths of at most 20,000 rows), one thread each, vs.
    HistGradientBoosting: without pairs of columns at most as many in all, with them at most twice."""
    from threadpoolctl import threadpool_limits

    check()
    found = []
    with threadpool_limits(1):
        for name in TABLES:
            x, y = table(name)
            y = np.unique(y, return_inverse=True)[1]
            train, _ = first_fold(y)
            tables = x.take(train), framed(x).iloc[train]
            makes = (blend, tables[0]), (without_pairs, tables[0]), (PEERS["HistGradientBoosting"], tables[1])
            found.append([_cpu_seconds(make, of, y[train]) for make, of in makes])
            ours, alone, theirs = found[-1]
            yield Row(name, f"{ours:.2f} s, {alone:.2f} s", "HistGradientBoosting", f"{theirs:.2f} s", theirs / ours)
    ours, alone, theirs = np.sum(found, axis=0)
    yield Row("all, with pairs", f"{ours:.1f} s", "HistGradientBoosting", f"{theirs:.1f} s", theirs / ours, 0.5)
    yield Row("all, without pairs", f"{alone:.1f} s", "HistGradientBoosting", f"{theirs:.1f} s", theirs / alone, 1)


def blend_digits() -> Iterator[Row]:
    """CPU seconds of a fit of scikit-learn's digits, 64 numbers and 10 classes, one thread: the blend vs.
    HistGradientBoosting; and the error of both on the fifth that was not learned."""
    from sklearn.datasets import load_digits
    from threadpoolctl import threadpool_limits

    x, y = load_digits(return_X_y=True, as_frame=True)
    train, test = first_fold(y)
    seconds, errors = [], []
    with threadpool_limits(1):
        for make in (blend, PEERS["HistGradientBoosting"]):
            model, start = make(x), process_time()
            model.fit(x.iloc[train], y[train])
            seconds.append(process_time() - start)
            errors.append(float(np.mean(model.predict_proba(x.iloc[test]).argmax(axis=1) != y[test])))
    shown = [f"{each:.1f} s, {error:.3f}" for each, error in zip(seconds, errors, strict=True)]
    yield Row("digits, fit and error", shown[0], "HistGradientBoosting", shown[1], seconds[1] / seconds[0], 0.5)


def _cpu_seconds(make: Callable[[Any], Any], x: Any, y: Any) -> float:
    model, start = make(x), process_time()
    model.fit(x, y)
    return process_time() - start
