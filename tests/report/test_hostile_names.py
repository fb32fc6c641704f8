"""Each picture alone, of names and cells that are markup, mathematics, control characters or turned writing."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.models.explain import explanation
from likely.report.boundary import draw_plane
from likely.report.classifiers import found_in
from likely.report.columns import draw_column
from likely.report.confusion import draw_confusion
from likely.report.coverage import draw_coverage
from likely.report.curves import draw_curves
from likely.report.drift import draw_drift
from likely.report.drivers import draw_drivers, drivers
from likely.report.findings import Findings
from likely.report.gains import draw_gains, draw_lift, draw_precision_recall
from likely.report.names import TURNS, short
from likely.report.picture import Picture
from likely.report.rates import draw_rates
from likely.report.reliability import draw_reliability
from likely.report.words import draw_words
from likely.validation import drift, learning_curve, thresholds

NUMBER, OTHER, WORDS = "$x_1^2$ {0} %s", "<script>&\"'", "\u202eab\x1b[31m\\frac"
LABELS = ["</svg><b>", "$\\alpha_i$\u202e"]


def table(seed: int, shift: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 200)
    columns = {
        NUMBER: rng.normal(y) + shift,
        OTHER: rng.exponential(1 + y),
        WORDS: rng.choice(["$a^b$", "<i>", "\x07\u2066"], 200),
    }
    return pd.DataFrame(columns), np.array(LABELS)[y]


@pytest.fixture(scope="module")
def found() -> Findings:
    x, y = table(0)
    return found_in(NaiveBayes().fit(x, y), x, y)


def cuts(found: Findings):
    return thresholds(found.result, LABELS[1])


PICTURES: dict[str, tuple[Callable[[Findings], Picture], list[str]]] = {
    "plane": (lambda found: draw_plane(found.stored, found.sample, [NUMBER, OTHER]), [NUMBER, OTHER, LABELS[1]]),
    "column of numbers": (lambda found: draw_column(found.counted, found.sample, NUMBER), LABELS),
    "column of categories": (lambda found: draw_column(found.counted, found.sample, WORDS), ["$a^b$", "<i>"]),
    "confusion": (lambda found: draw_confusion(found.result), LABELS),
    "coverage": (lambda found: draw_coverage(found.result), []),
    "curves": (lambda _: draw_curves(learning_curve({NUMBER: NaiveBayes()}, *table(0), repeats=2)), [NUMBER]),
    "drift": (lambda _: draw_drift(drift(table(0)[0], table(1, 2.0)[0])), [NUMBER]),
    "drivers": (lambda found: draw_drivers(drivers(explanation(found.model, found.sample.table), 1, [])), [NUMBER]),
    "gains": (lambda found: draw_gains(cuts(found), None), []),
    "lift": (lambda found: draw_lift(cuts(found)), []),
    "precision and recall": (lambda found: draw_precision_recall(cuts(found), None), []),
    "rates": (lambda found: draw_rates(found.sample, WORDS, 1), ["$a^b$", "<i>"]),
    "reliability": (lambda found: draw_reliability(found.before, found.after), []),
}


@pytest.mark.parametrize("name", PICTURES)
def test_names_are_text_in_every_picture(name: str, found: Findings) -> None:
    draw, shown = PICTURES[name]
    safe(draw(found).svg(), shown)


def test_words_are_text() -> None:
    texts = ["<i>win</i> $prize_1$", "see you \u202elater"] * 20
    model = NaiveBayes().fit(texts, LABELS * 20)
    safe(draw_words(model.model_, 0, 0).svg(), [LABELS[1]])


def safe(svg: str, shown: list[str]) -> None:
    assert "<script" not in svg
    assert "<b>" not in svg
    assert not set(svg) & set(TURNS + "\x07\x1b")
    texts = [element.text for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]
    for name in shown:
        assert any(short(name) in (text or "") for text in texts), (name, texts)
