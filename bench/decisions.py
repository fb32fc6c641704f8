"""Decisions: prediction sets compared with MAPIE's, and what rows without labels are worth."""

from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from bench.corpora import Corpus, newsgroups, sms
from bench.data import TABLES, table
from bench.table import Row
from likely import NaiveBayes

COVERAGE = 0.95
DRAWS = 10
LABELLED = 20
"""Texts of each class that have a label."""


def sets() -> Iterator[Row]:
    """Half of each of the tables learned, half judged: coverage, mean size of the sets and time, vs. MAPIE's split
    conformal prediction over the same model, which holds back a quarter of what is learned."""
    from mapie.classification import SplitConformalClassifier

    for name in TABLES:
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        order = np.random.default_rng(0).permutation(len(y))
        half, quarter = len(y) // 2, len(y) // 8
        if quarter < 1 / (1 - COVERAGE):  # too few for MAPIE
            continue
        learned, judged = order[:half], order[half:]
        start = process_time()
        ours = NaiveBayes(calibrate=True).fit(x.take(learned), y[learned])
        member = ours.predict_set(x.take(judged), COVERAGE).member
        mine = process_time() - start
        start = process_time()
        fitted = _ByRow(x).fit(learned[quarter:, None], y[learned[quarter:]])
        peer = SplitConformalClassifier(fitted, confidence_level=COVERAGE, prefit=True)
        peer.conformalize(learned[:quarter, None], y[learned[:quarter]])
        theirs = peer.predict_set(judged[:, None])[1][:, :, 0]
        its = process_time() - start
        (covered, size), (their_cover, their_size) = (
            (_covered(inside, model.classes_, y[judged]), inside.sum(axis=1).mean())
            for inside, model in ((member, ours), (theirs, fitted))
        )
        below = COVERAGE - 3 * np.sqrt(COVERAGE * (1 - COVERAGE) * (1 / len(judged) + 1 / half))
        shown = f"{covered:.3f} of the rows, {size:.2f} classes"
        beside = f"{their_cover:.3f}, {their_size:.2f}"
        yield Row(f"{name}, coverage and size of sets", shown, "MAPIE", beside, covered / below, 1)
        yield Row(f"{name}, CPU time", f"{mine:.2f} s", "MAPIE", f"{its:.2f} s", its / mine)


def small_sets() -> Iterator[Row]:
    """Small tables, 20 random halves each: the mean coverage of sets of 95 %, of which few rows tell little each."""
    for name in ("sonar", "wine", "breast-cancer-ljubljana", "ionosphere", "house-votes-84", "pima"):
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        covered, sizes = [], []
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(len(y))
            learned, judged = order[: len(y) // 2], order[len(y) // 2 :]
            model = NaiveBayes(calibrate=True).fit(x.take(learned), y[learned])
            found = model.predict_set(x.take(judged), COVERAGE)
            covered.append(_covered(found.member, model.classes_, y[judged]))
            sizes.append(float(found.sizes.mean()))
        mean, spread = float(np.mean(covered)), float(np.std(covered, ddof=1) / len(covered) ** 0.5)
        shown = f"{mean:.3f} ± {spread:.3f} of the rows, {np.mean(sizes):.2f} classes"
        ratio = (mean + 2 * spread) / COVERAGE
        yield Row(f"{name}, {len(y) // 2} rows learned, coverage of sets", shown, "promised", f"{COVERAGE}", ratio, 1)


def _covered(member: Any, classes: Any, y: Any) -> float:
    """The share of rows whose class is in its set; one that was never learned is in none."""
    known = np.isin(y, classes)
    at = np.searchsorted(classes, y[known])
    return float(member[np.flatnonzero(known), at].sum() / len(y))


class _ByRow(ClassifierMixin, BaseEstimator):
    """The same model over rows by their numbers: MAPIE tries what it is given on rows of zeros, which no text is."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def fit(self, rows: Any, y: Any) -> "_ByRow":
        self.model_ = NaiveBayes(calibrate=True).fit(self.table.take(rows[:, 0]), y)
        self.classes_, self.n_features_in_ = self.model_.classes_, 1
        return self

    def predict_proba(self, rows: Any) -> Any:
        return self.model_.predict_proba(self.table.take(np.asarray(rows)[:, 0].astype(int)))

    def predict(self, rows: Any) -> Any:
        return self.classes_[self.predict_proba(rows).argmax(axis=1)]


def unlabelled() -> Iterator[Row]:
    """20 labelled texts a class and all others unlabelled: the error on other texts, vs. labelled texts alone."""
    for name, corpus in (("SMS spam", sms()), ("20 Newsgroups", newsgroups())):
        errors = np.array([_errors(corpus, seed) for seed in range(DRAWS)])
        alone, both = errors.mean(axis=0)
        worse = int((errors[:, 1] > errors[:, 0]).sum())
        note = f"worse in {worse} of {DRAWS} draws"
        yield Row(f"{name}, error", f"{both:.3f}", "labelled alone", f"{alone:.3f}", alone / both, 1.3, note)


def _errors(corpus: Corpus, seed: int) -> tuple[float, float]:
    order = np.random.default_rng(seed).permutation(len(corpus.y))
    judged = order[: len(order) // 4] if corpus.test is None else np.flatnonzero(corpus.test)
    pool = order[~np.isin(order, judged)]
    labelled = np.concatenate([pool[corpus.y[pool] == label][:LABELLED] for label in np.unique(corpus.y)])
    texts = np.array(corpus.texts, object)
    found = []
    for more in (None, list(texts[np.setdiff1d(pool, labelled)])):
        model = NaiveBayes().fit(list(texts[labelled]), corpus.y[labelled], unlabelled=more)
        found.append(float((model.predict(list(texts[judged])) != corpus.y[judged]).mean()))
    return found[0], found[1]
