"""The appendix says what the model is by one name."""

import pytest

from likely import GaussianClassifier, LogisticRegression, NaiveBayes
from likely.report.appendix import SUSPECTS, class_lines, column_lines, figure_lines, origin_lines, suspects
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
    assert sum(rows for _, rows, _ in class_lines(found, 60)) == 122
    assert len(class_lines(found, 2)) == 2
    assert len(column_lines(found, 3)) == 3
    assert len(list(suspects(found))) <= SUSPECTS


def test_logistic_regression_has_no_prior_of_classes(animals):
    x, y = animals
    numbers = x[["shoulder_cm", "sightings"]]
    assert class_lines(found_in(LogisticRegression().fit(numbers, y), numbers, y), 60) == []
