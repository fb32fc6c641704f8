"""The first screen: each sentence under its condition."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.data.findings import Finding
from likely.models.log_odds import logs
from likely.report.classifiers import found_in
from likely.report.headline import baseline, calibration_gap, calibration_words, headline
from likely.validation import Result


def judged(x, y, **options):
    frame = pd.DataFrame(x)
    return found_in(NaiveBayes(**options).fit(frame, y), frame, y)


def made(p, y):
    both = np.column_stack([1 - np.asarray(p), p])
    y = np.asarray(y, np.int32)
    return Result("made", np.array(["n", "y"]), np.arange(len(y)), y, both.argmax(axis=1).astype(np.int32), logs(both))


@pytest.fixture(scope="module")
def rare():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(2000) < 0.1, "yes", "no")
    return judged({"x": rng.normal(2.0 * (y == "yes")), "noise": rng.normal(size=2000)}, y)


def test_of_a_rare_class_its_recall_precision_and_lift(rare):
    head = headline(rare)
    k = rare.focus
    precision, recall, _ = rare.result.by_class
    assert rare.result.classes[k] == "yes"
    assert [figure.number for figure in head.figures[:2]] == [f"{100 * recall[k]:.1f} %", f"{100 * precision[k]:.1f} %"]
    assert head.figures[2].number.endswith("×")
    assert "“yes”" in head.question
    assert head.shares == f"{100 * (rare.result.y == k).mean():.1f} % of 2,000 rows"


def test_costs_take_the_place_of_lift_and_decide(rare):
    costly = replace(rare, costs="yes as no: 20")
    figures = headline(costly).figures
    table = np.array([[0, 1], [20, 0]])
    flagged = (rare.result.probabilities @ table).argmin(axis=1)
    assert figures[2].number == f"{table[rare.result.y, flagged].mean():.3g}"
    assert float(figures[0].number[:-2]) > float(headline(rare).figures[0].number[:-2])
    assert headline(costly).baseline.startswith("With these costs, a row costs")
    assert headline(replace(rare, costs="yes as no: 1e9")).baseline.startswith("By cost it is no better than no model")


def test_of_several_classes_the_accuracy(found):
    head = headline(found)
    assert head.figures[0].number == f"{100 * (1 - found.result.error):.1f} %"
    assert "the lowest recall" in head.figures[1].note
    assert "always predicting “hyena” is right in 37.7 %" in head.baseline


def test_of_many_classes_the_first_three():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 7, 700)
    found = judged({"x": rng.normal(y)}, y)
    first = np.argsort(-found.result.probabilities, axis=1)[:, :3]
    among = (first == found.result.y[:, None]).any(axis=1).mean()
    assert headline(found).figures[1][:2] == (f"{100 * among:.1f} %", "have their class among the first three")


def test_the_baseline():
    good, noise = np.r_[np.zeros(80), np.ones(20)], np.r_[np.zeros(50), np.ones(50)] * 0.8
    assert baseline(made(0.1 + 0.8 * good, good)).startswith("The model is right in 100.0 %")
    assert "not shown to be better than no model" in baseline(made(0.2 * good, good))
    assert "worse than no model" in baseline(made(1 - good, good))
    assert "cannot be seen here" in baseline(made(noise, np.zeros(100)))


def test_few_rows(rare):
    few = judged({"a": [0.0, 1.0, 0.1, 1.1]}, ["x", "y", "x", "y"])
    assert any(one.startswith("There are too few rows") for one in headline(few).caveats)
    assert not any(one.startswith("There are too few rows") for one in headline(rare).caveats)


def test_calibration_needs_size_and_significance():
    rng = np.random.default_rng(0)
    y = rng.random(40_000) < 0.6
    assert calibration_gap(made(np.full(40_000, 0.61), y)) == 0  # significant, and too small to matter
    assert calibration_gap(made(np.full(40_000, 0.7), y)) > 0.05
    assert calibration_gap(made(np.full(20, 0.7), y[:20] | (np.arange(20) < 12))) == 0  # large, and chance


def test_columns_that_go_together_make_it_over_confident():
    rng = np.random.default_rng(0)
    y = rng.choice(["x", "y"], 400)
    one = rng.normal(np.where(y == "x", 0.0, 1.0))
    found = judged({f"copy {j}": one for j in range(8)}, y, column_weights=False)
    said = calibration_words(found)
    assert said.startswith("It is over-confident: ")
    assert "would reduce the mean gap from " in said
    assert said in headline(found).caveats


def test_a_column_that_gives_the_answer_away(found):
    leak = Finding("gives_away", "duration", "gives the class away")
    assert any("duration" in one for one in headline(replace(found, checks=[leak])).caveats)
    assert not any("duration" in one for one in headline(replace(found, checks=[replace(leak, kind="marked")])).caveats)
