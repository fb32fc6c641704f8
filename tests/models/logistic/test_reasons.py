"""Reasons sum to the scores, whatever is read and whatever weights are shrunk towards."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from likely import LogisticRegression

RNG = np.random.default_rng(1)
N = 90
TABLE = pd.DataFrame(
    {
        "size": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(50, 9, N)),
        "kind": RNG.choice(["a", "b", None], N, p=[0.5, 0.4, 0.1]),
        "visits": RNG.poisson(2, N),
        "note": [" ".join(RNG.choice(["red", "blue", "fish", "bird", "tree", "house"], 5)) + f" {i}" for i in range(N)],
    }
)
OPTIONS = [{}, {"shrink_to": "naive_bayes"}, {"shrink_to": "naive_bayes", "C": "auto"}]


@pytest.mark.parametrize("options", OPTIONS, ids=["alone", "from naive Bayes", "chosen"])
@pytest.mark.parametrize("classes", [2, 3])
def test_they_sum_to_the_score(options, classes):
    y = RNG.integers(0, classes, N)
    model = LogisticRegression(**options).fit(TABLE, y)
    explained = model.explain(TABLE)
    assert len(explained) == N
    for row in range(0, N, 7):
        reasons = explained[row]
        scores = model.decision_function(TABLE.iloc[row : row + 1])[0]
        found = reasons.scores[1] - reasons.scores[0] if classes == 2 else reasons.scores
        assert_allclose(found, scores, atol=1e-9)
        assert len({reason.column for reason in reasons.reasons}) == len(reasons.reasons)


def test_they_name_columns_values_and_words():
    y = (TABLE["visits"] > 2).astype(int)
    reasons = LogisticRegression().fit(TABLE, y).explain(TABLE)[4]
    told = {reason.column: reason.value for reason in reasons.reasons}
    assert told["visits"] == pytest.approx(TABLE["visits"][4])
    for word in set(TABLE["note"][4].split()) - {"4"}:
        assert f"note: {word}" in told
    assert str(reasons).splitlines()[1].startswith("bias")
