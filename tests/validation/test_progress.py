"""A bar on terminals, after a second, and nothing else."""

import sys

import pytest

from likely.validation import progress as module
from likely.validation.progress import progress


def test_elsewhere_the_items_come_as_they_are(capsys):
    items = [1, 2, 3]
    assert progress(items, "work") is items
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("after", [-1.0, 0.0, 100.0])
def test_on_a_terminal_all_items_come_once_in_order(monkeypatch, after):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(module, "AFTER", after)
    assert list(progress(range(50), "work")) == list(range(50))
    assert list(progress([], "work")) == []


def test_the_bar_is_shown_after_a_while_alone(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    list(progress(range(3), "the work"))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(module, "AFTER", -1.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    list(progress(range(3), "the work"))
    assert "the work" in capsys.readouterr().err
