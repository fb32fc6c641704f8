"""The blend on texts vs. a linear SVM of tf-idf: error and log loss on nine sets, time and memory on three."""

from collections.abc import Callable, Iterator
from itertools import islice
from time import process_time
from typing import Any
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from bench.corpora import TEXTS, Corpus, newsgroups, reuters
from bench.data import check
from bench.table import Row
from bench.text_accuracy import split
from bench.timing import peak_memory
from likely import LogisticRegression, NaiveBayes
from likely.optimize import margins

FEW_FOLDS = 3
"""Of the ten that sets without test rows of their own are in."""
SLOWER, LARGER = 3, 2
"""How many times the processor time, and the memory, of the peer may be used."""

Predicted = tuple[NDArray[np.bool], NDArray[np.float64] | None]
"""Of each test row whether the answer is right, and its log loss."""


def blend() -> LogisticRegression:
    return LogisticRegression("auto", shrink_to="naive_bayes")


def svm(longest: int) -> Any:
    return make_pipeline(TfidfVectorizer(sublinear_tf=True, ngram_range=(1, longest)), LinearSVC())


PROBABLE: dict[str, Callable[[], Any]] = {
    "tf-idf + LogisticRegression(C=10)": lambda: PeerRegression(C=10, max_iter=300),
    "tf-idf + MultinomialNB(0.01)": lambda: MultinomialNB(alpha=0.01),
    "tf-idf + ComplementNB(0.1)": lambda: ComplementNB(alpha=0.1),
}
"""Peers that have probabilities, of words alone."""


def blended() -> Iterator[Row]:
    """9 sets of texts: the error of the blend and of NaiveBayes() vs. tf-idf of words and pairs with LinearSVC; and
    their log loss vs. that of the best of three peers with probabilities. 20 Newsgroups and R52 by their own splits,
    the others by 3 of 10 random folds. A ratio of 1 is the peer's figure and two standard errors of the difference.
    """
    check()
    for name, corpus in TEXTS.items():
        found = corpus()
        parts = list(islice(split(found), FEW_FOLDS))
        peer = _joined([_predicted(svm(2), found.texts, found.y, *part) for part in parts])[0]
        probable = {
            which: _joined(
                [
                    _predicted(make_pipeline(TfidfVectorizer(sublinear_tf=True), make()), found.texts, found.y, *part)
                    for part in parts
                ]
            )[1]
            for which, make in PROBABLE.items()
        }
        best = min(probable, key=lambda which: float(np.mean(probable[which])))
        for which, make in {"blend": blend, "NaiveBayes()": NaiveBayes}.items():
            right, losses = _joined([_predicted(make(), found.texts, found.y, *part) for part in parts])
            noise = 2 * float(np.std(right.astype(float) - peer)) / len(right) ** 0.5
            ratio = (1 - peer.mean() + noise) / max(1 - right.mean(), 1e-9)
            yield Row(
                f"{name}, {which}, accuracy",
                f"{right.mean():.4f}",
                "tf-idf + LinearSVC, pairs too",
                f"{peer.mean():.4f}",
                ratio,
                1,
            )
            theirs = float(np.mean(probable[best]))
            yield Row(
                f"{name}, {which}, log loss", f"{losses.mean():.4f}", best, f"{theirs:.4f}", theirs / losses.mean(), 1
            )


def text_costs() -> Iterator[Row]:
    """Reuters R52, 20 Newsgroups and 25,000 long texts: processor time and memory of fits from strings, vs. tf-idf +
    LinearSVC of words, and of words and pairs."""
    check()
    for name, make in {"Reuters R52": reuters, "20 Newsgroups": newsgroups, "25,000 long texts": long_texts}.items():
        corpus = make()
        train, test = next(iter(split(corpus)))
        x, y = [corpus.texts[row] for row in train], corpus.y[train]
        asked, truth = [corpus.texts[row] for row in test], corpus.y[test]
        ours = _cost(blend(), x, y)
        right = float(np.mean(ours[0].predict(asked) == truth))
        for which, longest in (("words", 1), ("pairs too", 2)):
            fitted, seconds, used = _cost(svm(longest), x, y)
            theirs = float(np.mean(fitted.predict(asked) == truth))
            peer, shown = f"tf-idf + LinearSVC, {which}", (f"{right:.4f}", f"{theirs:.4f}")
            yield Row(
                f"{name}, blend, seconds, accuracy",
                f"{ours[1]:.1f}, {shown[0]}",
                peer,
                f"{seconds:.1f}, {shown[1]}",
                seconds / ours[1],
                1 / SLOWER,
            )
            memory = f"{ours[2] >> 20} MB", peer, f"{used >> 20} MB"
            yield Row(f"{name}, blend, memory", *memory, used / ours[2], 1 / LARGER)


def text_passes() -> Iterator[Row]:
    """Reuters R52 and 20 Newsgroups: the blend after so many passes at most, and after as many as it takes."""
    check()
    for name, make in {"Reuters R52": reuters, "20 Newsgroups": newsgroups}.items():
        corpus = make()
        ((train, test),) = split(corpus)
        found = {}
        for most in (margins.MOST_PASSES, 3, 5, 10, 20):
            with patch.object(margins, "MOST_PASSES", most), catch_warnings():
                simplefilter("ignore", ConvergenceWarning)
                right, losses = _predicted(blend(), corpus.texts, corpus.y, train, test)
            assert losses is not None
            found[most] = f"{right.mean():.4f}, log loss {losses.mean():.4f}", float(right.mean())
        whole, accuracy = found.pop(margins.MOST_PASSES)
        for most, (shown, right) in found.items():
            yield Row(f"{name}, at most {most} passes", shown, "as many as it takes", whole, right / accuracy)


def long_texts() -> Corpus:
    """Posts of 20 Newsgroups, two on end, of computers and science against all others: some 500 words each. No post is
    both in texts to learn from and in texts to test by."""
    posts, rng = newsgroups(), np.random.default_rng(0)
    assert posts.test is not None
    side = np.array([str(label).split(".")[0] in ("comp", "sci") for label in posts.y])
    texts, y = list[str](), list[bool]()
    for held, number in ((False, 25_000), (True, 3_000)):
        for label in rng.random(number) < 0.5:
            a, b = rng.choice(np.flatnonzero((posts.test == held) & (side == label)), 2)
            texts.append(f"{posts.texts[a]}\n{posts.texts[b]}")
            y.append(bool(label))
    return Corpus(texts, np.array(y), np.arange(len(y)) >= 25_000)


def _cost(model: Any, x: list[str], y: Any) -> tuple[Any, float, int]:
    """The fitted model, its processor time in seconds and its memory in bytes."""
    start = process_time()
    used = peak_memory(lambda: model.fit(x, y), warm=False)
    return model, process_time() - start, used


def _predicted(model: Any, texts: list[str], y: Any, train: Any, test: Any) -> Predicted:
    model.fit([texts[row] for row in train], y[train])
    asked = [texts[row] for row in test]
    if not hasattr(model, "predict_log_proba"):
        return model.predict(asked) == y[test], None
    log_p = model.predict_log_proba(asked)
    at = np.searchsorted(model.classes_, y[test])
    return log_p.argmax(axis=1) == at, -np.maximum(log_p[np.arange(len(test)), at], np.log(1e-15))


def _joined(parts: list[Predicted]) -> tuple[Any, Any]:
    losses = [loss for _, loss in parts if loss is not None]
    return np.concatenate([right for right, _ in parts]), np.concatenate(losses) if losses else None
