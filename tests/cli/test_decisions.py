"""What deciding by costs comes to."""

import numpy as np
import pytest

from likely.cli.decisions import decided, show_decisions
from likely.models.decision_rule import DecisionRule
from likely.validation import Result


def made():
    classes, y = np.array(["no", "yes"]), np.array([0, 0, 0, 1, 1], np.int32)
    p = np.array([0.1, 0.2, 0.6, 0.3, 0.9])
    both = np.column_stack([1 - p, p])
    return Result("made", classes, np.arange(5), y, both.argmax(axis=1).astype(np.int32), both)


def test_by_hand():
    result = made()
    found = decided(DecisionRule.of(result.classes, "yes as no: 10"), result)  # flags from 1/11 on
    assert found == pytest.approx({"cost": 3 / 5, "cost_by_most_probable": 11 / 5, "unsure": 0, "error": 3 / 5})
    unsure = decided(DecisionRule.of(result.classes, abstain=0.75), result)
    assert unsure == pytest.approx({"cost": 0, "cost_by_most_probable": 2 / 5, "unsure": 2 / 5, "error": 0})


def test_the_lowest_cost_is_shown_where_there_are_costs(capsys):
    result = made()
    show_decisions(DecisionRule.of(result.classes, "yes as no: 10"), result)
    assert "Lowest cost: threshold " in capsys.readouterr().out
    show_decisions(DecisionRule.of(result.classes, threshold=0.3), result)
    said = capsys.readouterr().out
    assert "Thresholds" in said
    assert "Lowest cost" not in said
