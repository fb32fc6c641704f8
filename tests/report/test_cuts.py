"""The thresholds that the page lists."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.report.classifiers import found_in
from likely.report.cuts import WHY, threshold_table


@pytest.fixture(scope="module")
def rare():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(1500) < 0.1, "yes", "no")
    x = pd.DataFrame({"x": rng.normal(2.0 * (y == "yes"))})
    return found_in(NaiveBayes().fit(x, y), x, y)


def test_what_is_predicted_now_is_among_them(rare):
    found = threshold_table(rare)
    precision, recall, _ = rare.result.by_class
    assert (found.now.recall, found.now.precision) == (recall[1], precision[1])
    assert {line.what for line in found.lines} == {"", "most probable class", "best F1 on these rows"}
    shares = [line.cut.flagged for line in found.lines]
    assert shares == sorted(shares)
    assert found.advice.startswith(str(rare.result.rare))
    by_hand = rare.result.probabilities[:, 1] >= found.lines[0].cut.threshold
    assert found.lines[0].cut.recall == pytest.approx(by_hand[rare.result.y == 1].mean())


def test_by_costs(rare):
    found = threshold_table(replace(rare, costs="yes as no: 10"))
    assert "lowest expected cost" in {line.what for line in found.lines}
    assert "a gain of " in found.advice
    assert found.now.flagged > threshold_table(rare).now.flagged


def test_without_a_class_in_focus_there_is_none(found):
    assert found.focus is None
    assert threshold_table(found) is None


def test_why_the_sentence_and_the_table_differ_is_said():
    """The sentence is of rows that did not choose the threshold, and the table of those that did."""
    rng = np.random.default_rng(3)
    y = np.where(rng.random(600) < 0.15, "yes", "no")
    x = pd.DataFrame({"size": rng.normal(1.2 * (y == "yes")), "noise": rng.normal(size=600)})
    found = found_in(NaiveBayes().fit(x, y), x, y)
    shown, rare = threshold_table(found), found.result.rare
    assert rare.advised
    line = next(line for line in shown.lines if line.what == "best F1 on these rows")
    assert line.cut.recall != rare.threshold_recall
    assert shown.why == WHY
    costly = threshold_table(replace(found, costs={("yes", "no"): 5.0}))
    assert costly.why == WHY
    least = next(line for line in costly.lines if line.what == "lowest cost on these rows")
    assert least.cut.cost == min(costly.cuts.cost)
