"""How much a rare word counts in the kernels, against the idf of `Text`, by the length of a text that is one word."""

import numpy as np
import pytest

from likely.families.text_tuning import idf_of

from .test_texts_replayed import replayed


@pytest.mark.parametrize("repeats", [1, 2, 7, 40])
def test_it_is_the_idf_that_models_score_by(repeats):
    others = [{1: 1.0, 2: 3.0}] * 5 + [{2: 2.0}] * 3
    rows = [{0: 1.0, 1: 1.0}] * repeats + others
    counts = np.zeros(3)
    for row in rows:
        for token, times in row.items():
            counts[token] += times / np.sqrt(sum(row.values()))
    judged = [{0: 1.0}, {1: 1.0}, {2: 1.0}]
    for token, row in enumerate(judged):
        _, lengths = replayed([*rows, row], [0] * len(rows) + [1], np.ones(len(rows) + 1), 2, 3, 0.1)
        assert lengths[-1] == pytest.approx(idf_of(counts, counts.sum(), len(rows))[token], rel=1e-12)


def test_a_word_is_in_no_more_texts_than_there_are():
    _, lengths = replayed([{0: 9.0}, {0: 9.0}, {0: 1.0}], [0, 1, 1], np.ones(3), 2, 1, 0.1)
    assert lengths[-1] == 1.0
