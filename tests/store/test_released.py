"""Files of every released version are read, and answer as they did.

`python tests/store/test_released.py` writes those of this version: run it when a version is released, and never change
what it wrote before.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes, __version__, load
from likely.datasets import MAILBOX, animals
from likely.mail import READ_AS, messages, parse_all
from likely.mail import table as mail_table

RELEASED = Path(__file__).with_name("released")
MODELS = {
    "naive-bayes": NaiveBayes(calibrate=True),
    "gaussian": GaussianClassifier(),
    "network": BayesNetwork("tan"),
    "logistic": LogisticRegression(),
    "blend": LogisticRegression("auto", shrink_to="naive_bayes"),
    "texts": NaiveBayes(),
    "texts-blend": LogisticRegression("auto", shrink_to="naive_bayes"),
    "mail": NaiveBayes(READ_AS),
}


def rows(kind):
    if kind in ("mail", "texts", "texts-blend"):
        found = [(box.stem, item.raw) for box in sorted(MAILBOX.glob("*.mbox")) for item in messages(box)]
        mail = mail_table(parse_all(raw for _, raw in found))
        return mail if kind == "mail" else mail["text"].to_pylist(), [folder for folder, _ in found]
    table = animals()
    X = table.drop(columns="animal")
    return (X[["shoulder_cm", "teeth_mm"]] if kind == "gaussian" else X), table["animal"]


@pytest.mark.parametrize("path", sorted(RELEASED.glob("*.likely")), ids=lambda path: path.stem)
def test_a_released_file_answers_as_it_did(path):
    X, _ = rows(path.stem.split("_")[1])
    expected = json.loads(path.with_suffix(".json").read_text())
    np.testing.assert_allclose(load(path).predict_proba(X), expected, rtol=1e-9, atol=1e-12)


def test_every_kind_of_model_of_this_version_is_kept():
    assert {path.stem for path in RELEASED.glob(f"{__version__}_*.likely")} == {
        f"{__version__}_{kind}" for kind in MODELS
    }


if __name__ == "__main__":
    for kind, model in MODELS.items():
        path = RELEASED / f"{__version__}_{kind}.likely"
        if path.exists():
            continue
        model.fit(*rows(kind)).save(path)
        path.with_suffix(".json").write_text(json.dumps(np.round(model.predict_proba(rows(kind)[0]), 15).tolist()))
