"""The appendix says what the model is by one name."""

import numpy as np
import pandas as pd
import pytest

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.report.appendix import SUSPECTS, _minute, class_lines, column_lines, figure_lines, origin_lines, suspects
from likely.report.classifiers import found_in


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (NaiveBayes(), "naive Bayes"),
        (GaussianClassifier(), "Gaussian classifier"),
        (LogisticRegression(), "logistic regression"),
        (LogisticRegression(shrink_to="naive_bayes"), "blend"),
    ],
)
def test_each_kind_has_one_name(made, name, animals):
    x, y = animals
    numbers = x[["shoulder_cm", "sightings"]]
    found = found_in(made.fit(numbers, y), numbers, y)
    assert dict(origin_lines(found))["Model"] == name


def test_figures_and_facts_are_those_of_the_findings(found):
    figures = {name: figure for name, figure, _ in figure_lines(found.result)}
    assert figures["Log loss"] == f"{found.result.log_loss:.4f}"
    assert dict(origin_lines(found))["Learned from"] == "122 rows (table)"
    assert len(list(suspects(found))) <= SUSPECTS


def test_classes_learned_are_listed_where_the_page_shows_other_rows(fitted, found, animals):
    x, y = animals
    assert found.learned
    assert class_lines(found, 60) == []
    new = found_in(fitted, x.head(40), y.head(40), learned=False)
    assert sum(rows for _, rows, _ in class_lines(new, 60)) == 122
    assert len(class_lines(new, 2)) == 2


def test_columns_are_listed_as_they_are_read(found, animals):
    lines = {line.name: line for line in column_lines(found, 60)}
    assert [*lines] == [*found.model.chosen_families]
    assert lines["habitat"][1:3] == ("category", "Categorical")
    assert lines["has_fur"].type == "yes or no"
    x, _ = animals
    assert {name: line.missing for name, line in lines.items()} == x.isna().mean().to_dict()


def test_of_many_columns_those_are_listed_that_depend_on_the_class():
    y = np.arange(200) % 2
    rng = np.random.default_rng(0)
    wide = pd.DataFrame({f"c{j}": rng.choice(["a", "b"], 200) for j in range(70)})
    wide["c66"] = np.where(y == 1, "a", "b")
    lines = column_lines(found_in(NaiveBayes().fit(wide, y), wide, y), 5)
    assert len(lines) == 5
    assert "c66" in {line.name for line in lines}


def test_dates_are_to_the_minute():
    assert _minute("2026-03-01T12:30:59+00:00") == "2026-03-01 12:30 UTC"
    assert _minute("yesterday") == "yesterday"


@pytest.mark.parametrize("made", [NaiveBayes(), LogisticRegression()])
def test_every_model_says_why_a_row_is_surprising(made):
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "high"], 100)
    x = pd.DataFrame({"size": rng.normal(np.where(y == "low", 0, 9)), "noise": rng.normal(size=200)})
    y[13] = "high"
    first = next(suspects(found_in(made.fit(x, y), x, y)))
    assert (first.row, first.label, first.looks_like) == (13, "high", "low")
    assert first.why.startswith("size ")


def test_logistic_regression_has_no_prior_of_classes(animals):
    x, y = animals
    numbers = x[["shoulder_cm", "sightings"]]
    assert class_lines(found_in(LogisticRegression().fit(numbers, y), numbers, y), 60) == []
