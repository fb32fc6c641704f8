"""What left-out rows are good for: calibration before and after, wrong labels found, columns of noise withstood."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline

from bench.corpora import newsgroups, sms, spamassassin
from bench.data import TABLES, table
from bench.table import Row
from likely import GaussianClassifier, NaiveBayes
from likely.mail import READ_AS
from likely.validation import Result, audit, cross_validate, holdout

FOLDS = 5
LEAST_ROWS = 1000
"""Of fewer rows the calibration error of a perfect model is above 0.03 by chance."""

SEEDS = range(3)
WRONG = 0.05
NOISE = 200


def calibration() -> Iterator[Row]:
    """Calibration error with calibrate=True: 5 random folds of tables of 1,000 rows or more, texts and mail."""
    for name in TABLES:
        x, y = table(name)
        if len(y) >= LEAST_ROWS:
            yield _calibrated(name, *(cross_validate(NaiveBayes(calibrate=on), x, y, FOLDS) for on in (False, True)))
    x, y = table("adult")
    found = (cross_validate(NaiveBayes(column_weights=False, calibrate=on), x, y, FOLDS) for on in (False, True))
    yield _calibrated("adult, without weights", *found)
    posts, mail = newsgroups(), spamassassin()
    assert posts.test is not None and mail.mail is not None  # noqa: PT018
    for model in (NaiveBayes(), NaiveBayes("multinomial")):
        name = "20 Newsgroups" if model.families == "auto" else "20 Newsgroups, multinomial"
        share = float(posts.test.mean())
        found = (holdout(_with(model, on), posts.texts, posts.y, share) for on in (False, True))
        yield _calibrated(f"{name}, at random", *found)
        # The official split: its test rows are later ones, which differ from those before.
        found = (holdout(_with(model, on), posts.texts, posts.y, share, time=posts.test) for on in (False, True))
        yield _calibrated(f"{name}, by date", *found)
    for name, model, x in (
        ("SpamAssassin", NaiveBayes(READ_AS), mail.mail),
        ("SpamAssassin, multinomial", NaiveBayes("multinomial"), mail.texts),
    ):
        yield _calibrated(name, *(cross_validate(_with(model, on), x, mail.y, FOLDS) for on in (False, True)))


def calibration_small() -> Iterator[Row]:
    """Tables of which nearly every row is predicted correctly, so that a temperature without a prior would go to any
    length: log loss of a Gaussian classifier with calibrate=True, 5 folds, mean of three seeds."""
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        x, y = load(return_X_y=True)
        after, before = (
            float(
                np.mean([cross_validate(GaussianClassifier(calibrate=on), x, y, FOLDS, seed=s).log_loss for s in SEEDS])
            )
            for on in (True, False)
        )
        yield Row(f"{name}, log loss", f"{after:.3f}", "without", f"{before:.3f}", before / after)


def _with(model: NaiveBayes, calibrate: bool) -> NaiveBayes:
    return clone(model).set_params(calibrate=calibrate)


def _calibrated(name: str, before: Result, after: Result) -> Row:
    ours, theirs = (f"{r.calibration_error:.3f}, {r.error:.3f} / {r.log_loss:.3f}" for r in (after, before))
    ratio = 0.03 / max(after.calibration_error, 1e-9)
    of = "calibration error, error / log loss"
    return Row(f"{name}, {of}", ours, "without", theirs, ratio, 1, "0.03")


def audited() -> Iterator[Row]:
    """Labels of which 5 % were made wrong: precision / recall of those suspected, beside cleanlab's."""
    from cleanlab.filter import find_label_issues

    from bench.accuracy import _binned  # which itself lists this bench

    for name in ("adult", "mushroom", "nursery", "pendigits"):
        x, y = table(name, 10_000)
        frame = x.to_pandas()
        yield _audited(f"{name}", x, frame, y, _binned(frame), "quantile bins + CategoricalNB", find_label_issues)
    texts = sms()
    peer = make_pipeline(TfidfVectorizer(), LogisticRegression())
    yield _audited(
        "SMS spam", texts.texts, texts.texts, texts.y, peer, "tf-idf + LogisticRegression", find_label_issues
    )


def _audited(name: str, x: Any, of_peer: Any, y: Any, peer: Any, says: str, find: Any) -> Row:
    y = np.unique(y, return_inverse=True)[1]
    rng, n, classes = np.random.default_rng(0), len(y), int(y.max()) + 1
    wrong = np.zeros(n, np.bool)
    wrong[rng.choice(n, int(WRONG * n), replace=False)] = True
    labels = np.where(wrong, (y + rng.integers(1, classes, n)) % classes, y)
    ours = np.zeros(n, np.bool)
    ours[audit(NaiveBayes(), x, labels).rows] = True
    p = cross_val_predict(peer, of_peer, labels, cv=FOLDS, method="predict_proba")
    (mine, my_f), (theirs, their_f) = (_found(flags, wrong) for flags in (ours, find(labels, p, n_jobs=1)))
    return Row(
        f"{name}, 5 % of labels wrong, precision / recall", mine, f"cleanlab on {says}", theirs, my_f / their_f, 1
    )


def _found(flags: NDArray[np.bool], wrong: NDArray[np.bool]) -> tuple[str, float]:
    hits = (flags & wrong).sum()
    precision, recall = hits / max(flags.sum(), 1), hits / wrong.sum()
    return f"{precision:.2f} / {recall:.2f}", 2 * precision * recall / max(precision + recall, 1e-9)


def selected() -> Iterator[Row]:
    """200 columns of noise added: what they cost with select="auto", at most 0.005; and 18 tables without any."""
    ways = {"without select": NaiveBayes(), "without select and weights": NaiveBayes(column_weights=False)}
    for name in ("adult", "german-credit"):
        x, y = table(name)
        noisy = _noisy(x)
        ours = [_error(NaiveBayes(select="auto"), of, y) for of in (x, noisy)]
        for peer, model in ways.items():
            mine, theirs = (f"{a:.4f} to {b:.4f}" for a, b in (ours, [_error(model, of, y) for of in (x, noisy)]))
            ratio = 0.005 / max(ours[1] - ours[0], 1e-4)
            yield Row(f"{name}, error with {NOISE} columns of noise", mine, peer, theirs, ratio, 1)
    models = (
        NaiveBayes(select="auto", column_weights=False),
        NaiveBayes(column_weights=False),
        NaiveBayes(select="auto"),
        NaiveBayes(),
    )
    errors = np.mean([[_error(model, *table(name)) for model in models] for name in TABLES], axis=0)
    for weights, (mine, theirs) in (("no weights", errors[:2]), ("weights", errors[2:])):
        yield Row(
            f"mean error of 18 tables, select, {weights}",
            f"{mine:.4f}",
            "without select",
            f"{theirs:.4f}",
            theirs / mine,
        )


def _error(model: NaiveBayes, x: Any, y: Any) -> float:
    return cross_validate(model, x, y, FOLDS, stratify=True).error


def _noisy(x: pa.Table) -> pa.Table:
    """Of all kinds: normal, counts, bits and categories."""
    rng, n = np.random.default_rng(0), x.num_rows
    for i in range(NOISE):
        kinds = (rng.normal(size=n), rng.integers(10, size=n), rng.random(n) < 0.3, rng.choice(list("abcde"), n))
        x = x.append_column(f"noise {i}", pa.array(kinds[i % 4]))
    return x
