"""What deciding by costs comes to."""

import numpy as np
import pytest

from likely.cli.decisions import decided, headline, show_decisions
from likely.models.decision_rule import DecisionRule
from likely.validation import Result


def made():
    classes, y = np.array(["no", "yes"]), np.array([0, 0, 0, 1, 1], np.int32)
    p = np.array([0.1, 0.2, 0.6, 0.3, 0.9])
    both = np.column_stack([1 - p, p])
    return Result("made", classes, np.arange(5), y, both.argmax(axis=1).astype(np.int32), np.log(both))


def test_by_hand():
    result = made()
    found = decided(DecisionRule.of(result.classes, "yes as no: 10"), result)  # flags from 1/11 on
    assert found == pytest.approx({"cost": 3 / 5, "cost_by_most_probable": 11 / 5, "unsure": 0, "error": 3 / 5})
    unsure = decided(DecisionRule.of(result.classes, abstain=0.75), result)
    assert unsure == pytest.approx({"cost": 0, "cost_by_most_probable": 2 / 5, "unsure": 2 / 5, "error": 0})


def test_the_lowest_cost_is_shown_where_there_are_costs(capsys):
    result = made()
    show_decisions(DecisionRule.of(result.classes, "yes as no: 10"), result)
    assert "Lowest cost, judged on rows that did not choose it: threshold " in capsys.readouterr().out
    show_decisions(DecisionRule.of(result.classes, threshold=0.3), result)
    said = capsys.readouterr().out
    assert "Thresholds" in said
    assert "Lowest cost" not in said
    assert "cost of a row" not in said
    assert "unsure" not in said


def line(said, begin):
    return next(one for one in said.splitlines() if one.startswith(begin)).removeprefix(begin).split()


def test_recall_and_precision_by_the_options_and_the_threshold_in_the_table(capsys):
    result = made()
    show_decisions(DecisionRule.of(result.classes, threshold=0.3), result)
    said = capsys.readouterr().out
    assert line(said, "recall of yes") == ["100.0", "%", "50.0", "%"]
    assert line(said, "precision of yes") == ["66.7", "%", "50.0", "%"]
    assert " ".join(line(said, "0.300")) == "60.0 % 100.0 % 66.7 % 1.67 0.2 your threshold"
    show_decisions(DecisionRule.of(result.classes, abstain=0.75), result)
    said = capsys.readouterr().out
    assert line(said, "error of rows that are not unsure") == ["0.0", "%", "40.0", "%"]
    assert line(said, "recall of yes") == ["50.0", "%", "50.0", "%"]


def test_the_first_sentence_is_of_the_options():
    result = made()
    assert headline(DecisionRule.of(result.classes, threshold=0.3), result) == (
        "“yes” is 40.0 % of the rows: with these options 100.0 % of it is found, and 66.7 % of those predictions are "
        "right."
    )
    costly = headline(DecisionRule.of(result.classes, "yes as no: 10"), result)
    assert costly.endswith(" A row costs 0.6 on average, and 2.2 if the most probable class is predicted.")
    unsure = headline(DecisionRule.of(result.classes, abstain=0.75), result)
    assert unsure.endswith(" 40.0 % of the rows are unsure; 0.0 % of the others are wrong.")
    never = headline(DecisionRule.of(result.classes, threshold=0.95), result)
    assert never.endswith("with these options 0.0 % of it is found.")
