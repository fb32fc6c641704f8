"""Every attribute of a fitted classifier can be read, or is not there; notebooks ask for them all."""

import numpy as np
import pandas as pd
import pytest

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes

rng = np.random.default_rng(0)
NUMBERS = rng.normal(size=(120, 3))
MIXED = pd.DataFrame({"x": NUMBERS[:, 0], "kind": list("abc") * 40, "text": ["one two", "two three", "three"] * 40})
Y = (NUMBERS[:, 0] * NUMBERS[:, 1] > 0).astype(int)

FITTED = {
    "naive Bayes": lambda: NaiveBayes().fit(NUMBERS, Y),
    "mixed": lambda: NaiveBayes(calibrate=True).fit(MIXED, Y),
    "texts": lambda: NaiveBayes().fit(MIXED["text"].tolist(), Y),
    "Gaussian": lambda: GaussianClassifier().fit(NUMBERS, Y),
    "tied": lambda: GaussianClassifier("tied").fit(NUMBERS, Y),
    "logistic": lambda: LogisticRegression().fit(NUMBERS, Y),
    "logistic, mixed": lambda: LogisticRegression().fit(MIXED, Y),
    "blend": lambda: LogisticRegression(C="auto", shrink_to="naive_bayes").fit(MIXED, Y),
    "pairs": lambda: LogisticRegression(shrink_to="naive_bayes", interactions=[(0, 1)]).fit(NUMBERS, Y),
    **{s: lambda s=s: BayesNetwork(s).fit(MIXED[["x", "kind"]], Y) for s in ("naive", "tan", "kdb", "aode", "auto")},
}


@pytest.mark.parametrize("name", FITTED)
def test_every_attribute_can_be_read(name):
    model = FITTED[name]()
    learned = {name: getattr(model, name) for name in dir(model) if name.endswith("_") and not name.startswith("_")}
    assert learned["classes_"].tolist() == [0, 1]
