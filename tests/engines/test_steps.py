"""Steps of a long fit, shown by whoever wants to."""

import pytest

from likely.engines.steps import announce, announced_to


def test_steps_are_shown_while_somebody_does():
    shown = []
    announce("before")
    with announced_to(shown.append):
        announce("first")
        announce("second")
    announce("after")
    assert shown == ["first", "second", ""]


def test_an_error_ends_them_too():
    shown = []

    def fail():
        with announced_to(shown.append):
            announce("first")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    announce("after")
    assert shown == ["first", ""]
