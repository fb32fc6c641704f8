"""Every result that is a table: as frame, as Arrow, in a notebook, and by `pandas.DataFrame`."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from likely import LogisticRegression, NaiveBayes
from likely.optimize import gradient_descent, kkt
from likely.tabular import SHOWN, Tabular, by_class
from likely.validation import (
    audit,
    choose_threshold,
    class_shift,
    cross_validate,
    drift,
    learning_curve,
    leave_one_out,
    relevance,
    replay,
    thresholds,
    tune,
    weigh,
)

from .hostile import KINDS, table

RNG = np.random.default_rng(0)
Y = np.repeat(["no", "yes"], 40)
X = pd.DataFrame({"age": RNG.normal(40, 9, 80) + 9 * (Y == "yes"), "region": RNG.choice(["n", "s"], 80)})
NB = NaiveBayes().fit(X, Y)
CALIBRATED = NaiveBayes(calibrate=True).fit(X, Y)


RESULTS = {
    "describe": lambda: NB.describe(),
    "reasons": lambda: NB.explain(X)[0],
    "explanation": lambda: NB.explain(X.head(3)),
    "odds ratios": lambda: LogisticRegression().fit(X, Y).odds_ratios(X, Y),
    "leave-one-out": lambda: leave_one_out(NaiveBayes(), X, Y),
    "cross-validation": lambda: cross_validate(NaiveBayes(), X, Y, 3),
    "replay": lambda: replay(NaiveBayes(), X, Y),
    "tune": lambda: tune([NaiveBayes(), NaiveBayes(class_prior="uniform")], X, Y),
    "thresholds": lambda: thresholds(leave_one_out(NaiveBayes(), X, Y)),
    "risk": lambda: leave_one_out(NaiveBayes(), X, Y).risk,
    "reliability": lambda: leave_one_out(NaiveBayes(), X, Y).reliability(),
    "chosen threshold": lambda: choose_threshold(leave_one_out(NaiveBayes(), X, Y)),
    "calibration": lambda: CALIBRATED.calibration_,
    "prediction sets": lambda: CALIBRATED.predict_set(X),
    "weights and bias": lambda: LogisticRegression().fit(X, Y).linear(),
    "relevance": lambda: relevance(NB),
    "audit": lambda: audit(NaiveBayes(), X, np.r_[["yes"], Y[1:]]),
    "drift": lambda: drift(NB, X),
    "class shift": lambda: class_shift(NB.predict_proba(X), np.array([0.5, 0.5]), NB.classes_),
    "learning curve": lambda: learning_curve(NaiveBayes(), X, Y, repeats=2),
    "weigh": lambda: weigh([NaiveBayes("gaussian"), NaiveBayes("histogram")], X[["age"]], Y),
    "certificate": lambda: kkt(lambda x: x @ x, [1.0, 1.0], at_most=[lambda x: 2 - x.sum()]),
    "trace": lambda: gradient_descent(lambda x: x @ x, [1.0, 2.0]),
    "logistic trace": lambda: LogisticRegression().fit(X, Y).trace(X, Y),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_a_table(name):
    result = RESULTS[name]()
    assert isinstance(result, Tabular)
    cells, frame = result.cells(), result.to_frame()
    assert list(frame) == list(cells)
    assert {len(frame)} == {len(values) for values in cells.values()}
    assert len(frame) or name == "audit"
    table = result.to_arrow()
    assert (table.column_names, table.num_rows) == (list(cells), len(frame))
    if name not in ("explanation", "prediction sets"):  # whose rows are reasons, and lists of classes
        pd.testing.assert_frame_equal(pd.DataFrame(result), frame, check_dtype=bool(len(frame)))
    shown = Text.of(result._repr_html_())
    assert all(title in shown for title in cells)
    assert "<script" not in result._repr_html_()


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_text_in_a_notebook(kind):
    x, y = table(KINDS[kind], 0)
    model, numbers = NaiveBayes().fit(x, y), x.iloc[:, :2]
    loo = leave_one_out(NaiveBayes(), x, y)
    results = [
        model.describe(), model.explain(x)[0], model.explain(x.head(3)), relevance(model), drift(model, x),
        LogisticRegression().fit(numbers, y).odds_ratios(numbers, y), loo, thresholds(loo, y[0]), loo.risk,
        class_shift(model.predict_proba(x), np.array([0.5, 0.5]), model.classes_),
        audit(NaiveBayes(), x, np.r_[[y[y != y[0]][0]], y[1:]]),
        learning_curve({KINDS[kind][0]: NaiveBayes()}, x, y, repeats=2),
        weigh({KINDS[kind][0]: NaiveBayes("gaussian"), "b": NaiveBayes("histogram")}, numbers, y),
    ]  # fmt: skip
    for result in results:
        shown = result._repr_html_()
        assert not re.search("<(script|b|i)>|[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown)
        assert max(map(len, Text.of(shown)), default=0) < 400


class Text(HTMLParser):
    """The text of a page."""

    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)

    @classmethod
    def of(cls, page):
        parser = cls()
        parser.feed(page)
        return parser.parts


class Hostile(Tabular):
    caption = "<script>alert(1)</script>\n\x1b[2J"

    def cells(self):
        return {"<b>": ["<img src=x onerror=alert(1)>", "\u202egnp"] * SHOWN, "n": np.arange(2 * SHOWN) * 1000}


def test_a_notebook_shows_text_as_text_and_no_more_rows_than_a_page():
    page = Hostile()._repr_html_()
    assert not re.search("<(script|img|b)[ >]|[\x1b\u202e]", page)
    assert {"<b>", "<img src=x onerror=alert(1)>", "1,000", "\\x1b[2J"} <= set(Text.of(page))
    assert page.count("<tr>") == SHOWN + 1
    assert f"and {SHOWN} more rows" in page


def test_a_heading_is_aligned_as_its_cells():
    page = NB.describe()._repr_html_()
    heads, cells = (re.findall(rf'<{tag} style="text-align: (\w+);', page) for tag in ("th", "td"))
    assert heads == cells[: len(heads)] == ["left", "left", "right", "right"]


def test_numbers_of_a_description_are_those_of_the_model():
    frame = NB.describe().to_frame()
    assert frame.loc[0, ["no", "yes"]].tolist() == pytest.approx([0.5, 0.5], abs=1e-12)
    assert set(frame["column"]) == {"class", "age", "region"}


def test_reasons_add_up_to_the_score():
    frame = NB.explain(X)[0].to_frame()
    for label in ("no", "yes"):
        assert frame[label][:-1].sum() == pytest.approx(frame[label].iloc[-1], rel=1e-12)


def test_weights_and_bias_are_those_of_the_scores():
    model = LogisticRegression().fit(X[["age"]], Y)
    frame = model.linear().to_frame()
    assert frame["column"].tolist() == ["age", "bias"]
    scores = np.outer(X["age"], frame.loc[0, ["no", "yes"]]) + frame.loc[1, ["no", "yes"]].to_numpy(float)
    np.testing.assert_allclose(np.exp(scores[:, 1] - scores[:, 0]), np.exp(model.decision_function(X[["age"]])))


def test_a_class_named_as_a_column_is_marked():
    assert list(by_class({"row": [0]}, np.array(["row", "b"]), np.eye(2)[:1])) == ["row", "class row", "b"]


def test_a_column_of_several_types_is_text_in_arrow():
    assert NB.explain(X)[0].to_arrow()["value"].type == "string"
    assert NB.describe().to_arrow()["no"].type == "double"


def test_without_pandas_a_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"^to_frame needs pandas: pip install pandas; or call to_arrow$"):
        NB.describe().to_frame()
