"""Rows without labels help where they can, and never count where they would not."""

import numpy as np
import pytest

from likely import NaiveBayes
from likely.data import Sample, read
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.unlabelled import WEIGHTS, fit_with_unlabelled

WORDS = {
    "sport": ["goal", "team", "match", "coach", "league", "score"],
    "food": ["salt", "oven", "butter", "recipe", "onion", "dish"],
}
COMMON = ["the", "and", "of", "with", "today", "it", "was", "very"]


def texts(rows, seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(sorted(WORDS), rows)
    made = [" ".join([*rng.choice(WORDS[label], 3), *rng.choice(COMMON, 8)]) for label in y]
    return made, y


def test_texts_without_labels_lower_the_error():
    x, y = texts(8, 0)
    more, _ = texts(600, 1)
    new, truth = texts(600, 2)
    alone = NaiveBayes().fit(x, y)
    both = NaiveBayes().fit(x, y, unlabelled=more)
    assert both.unlabelled_weight_ in WEIGHTS
    assert (both.predict(new) != truth).mean() < 0.5 * (alone.predict(new) != truth).mean()


def test_they_are_counted_by_their_probabilities():
    x, y = texts(8, 0)
    classes, codes = np.unique(y, return_inverse=True)
    more = read(texts(600, 1)[0])
    found = fit_with_unlabelled(NaiveBayesModel(), Sample(read(x), codes.astype(np.int32), classes), more)
    assert found.weight > 0
    assert found.model.class_counts.sum() == pytest.approx(8 + found.weight * 600, rel=1e-3)
    # Where EM has settled, counting by its probabilities once more changes nothing.
    again = np.bincount(codes) + found.weight * found.model.predict_proba(more).sum(axis=0)
    np.testing.assert_allclose(found.model.class_counts, again, rtol=2e-3)


def test_rows_that_would_mislead_do_no_harm():
    """The columns cluster, but by something else than the class."""
    alone, both = [], []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 5060)
        x = np.column_stack([rng.normal(0.8 * y), *(5.0 * rng.integers(0, 2, 5060) + rng.normal(size=(3, 5060)))])
        few, more, new = slice(60), slice(60, 2060), slice(2060, None)
        for errors, rows in ((alone, None), (both, x[more])):
            model = NaiveBayes("gaussian").fit(x[few], y[few], unlabelled=rows)
            errors.append((model.predict(x[new]) != y[new]).mean())
    assert np.mean(both) < np.mean(alone) + 0.005


def test_new_words_of_unlabelled_texts_are_known_after():
    x, y = texts(8, 0)
    more = [f"{text} umbrella" if "goal" in text else text for text in texts(400, 1)[0]]
    model = NaiveBayes().fit(x, y, unlabelled=more)
    assert model.unlabelled_weight_ > 0
    assert model.predict_proba(["umbrella"])[0, 1] > 0.6  # of "sport", whose texts have it
