"""A text whose tokens are drawn one by one. Beside scikit-learn it is in test_words.py."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from likely.families import TextMultinomial
from likely.priors import Laplace, MaximumLikelihood

from .texts import fitted, loo


def test_two_texts_by_hand():
    """Of V = 3 words, class 0 has good and day once, and each has a pseudo-count of 1. A new word adds nothing."""
    model = fitted(TextMultinomial(), ["good day", "bad day day"], [0, 1])
    found = model.predict_joint_log_proba(["good day zebra"])
    assert_allclose(found, np.log([[0.5 * 2 / 5 * 2 / 5, 0.5 * 1 / 6 * 3 / 6]]))


def test_reasons_are_words_with_their_counts_and_then_what_is_not_known():
    model = fitted(TextMultinomial(), ["good day", "bad night"], ["ham", "spam"])
    (row,) = model.explain(["Night zebra good yak night zebra"])
    assert [(reason.column, reason.value) for reason in row.reasons] == [
        ("night", 2),
        ("good", 1),
        ("not known", "zebra, yak"),
    ]
    assert_allclose(row.reasons[0].contributions, 2 * np.log([1 / 6, 2 / 6]))
    assert_allclose(row.reasons[1].contributions, np.log([2 / 6, 1 / 6]))
    assert row.reasons[2].contributions.tolist() == [0, 0]


def test_description_by_hand():
    """The words by which the classes differ most come first."""
    x = ["spam spam spam day", "day ham", "ham ham"]
    description = fitted(TextMultinomial(), x, ["a", "b", "b"]).describe()
    assert description.free_parameters == 1 + 2 * 2
    assert description.joint_parameters is None
    lines = {name: values for _, name, values in description.lines}
    assert list(lines)[-1] == "weight of 'day'"
    assert lines["texts"].tolist() == [1, 2]
    assert lines["tokens"].tolist() == [4, 4]
    assert_allclose(lines["weight of 'spam'"], np.log([4 / 7, 1 / 7]))
    assert_allclose(lines["weight of 'ham'"], np.log([1 / 7, 4 / 7]))


def test_sampled_texts_are_of_the_words_and_the_length_of_those_learned():
    """Within 5 standard errors."""
    sampled, y = fitted(TextMultinomial(), ["good good day", "day night", "night"], [0, 1, 1]).sample(
        3000, random_state=1
    )
    assert sampled.shape == (3000, 1)
    words = [text.split() for text in sampled[y == 0, 0]]
    lengths = np.array([len(text) for text in words])
    assert abs(lengths.mean() - 3) < 5 * np.sqrt(3 / len(lengths))
    every = [word for text in words for word in text]
    for word, share in (("good", 3 / 6), ("day", 2 / 6), ("night", 1 / 6)):
        assert abs(every.count(word) / len(every) - share) < 5 * np.sqrt(share * (1 - share) / len(every))


def test_texts_are_sampled_where_a_class_has_no_words():
    for prior in (Laplace(), MaximumLikelihood()):
        sampled, y = fitted(TextMultinomial(prior=prior), ["good day", ""], [0, 1]).sample(50, random_state=0)
        assert set(sampled[y == 1, 0]) == {""}
        assert set(" ".join(sampled[y == 0, 0]).split()) == {"good", "day"}
    sampled, _ = fitted(TextMultinomial(), ["a", ""], [0, 1]).sample(5, random_state=0)
    assert sampled[:, 0].tolist() == [""] * 5


def test_sampled_tables_have_their_texts():
    x = pd.DataFrame({"t": ["good day", None, "bad night"], "n": [1.0, 2.0, 4.0]})
    sampled, _ = fitted({"t": TextMultinomial()}, x, [0, 1, 1], missing="value").sample(200, random_state=0)
    texts = sampled["t"].to_pylist()
    assert None in texts
    assert set(" ".join(text for text in texts if text).split()) == {"good", "day", "bad", "night"}


def test_the_posterior_of_shares_by_hand():
    posterior = fitted(TextMultinomial(prior=Laplace(0.5)), ["good good day", "day night"], [0, 1]).parameter_posterior(
        0
    )
    assert_allclose(posterior.alpha, [[2.5, 1.5, 0.5], [0.5, 1.5, 1.5]])


def test_a_word_that_a_class_never_had_is_impossible_by_maximum_likelihood():
    model = fitted(TextMultinomial(prior=MaximumLikelihood()), ["good day", "bad day"], [0, 1])
    with np.errstate(divide="ignore"):
        expected = np.log([[0.25, 0], [0, 0.25], [0.25, 0.25], [0, 0], [0.5, 0.5]])
    assert_allclose(model.predict_joint_log_proba(["good", "bad", "day zebra", "good bad", "zebra"]), expected)


def test_a_word_of_no_other_text_tells_nothing_once_it_is_left_out():
    """Without the first text V is 2: good and day, of which class 0 has one each."""
    found = loo(TextMultinomial(), ["good alone alone", "good day", "day"], [0, 0, 1], None, 2)
    assert_allclose(found[0], np.log([(1 + 1) / (2 + 2), (0 + 1) / (1 + 2)]))
