"""What a filer has learned is a value: learning, forgetting and fading give what was meant, and bytes give it again."""

from dataclasses import replace

import numpy as np
import pytest

from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.model import Model

from .letters import WORDS, mixed

HISTORY = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(150)))
NEW = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(160)[150:]))
ALL = set(WORDS)


def chances(model, among=ALL):
    return model.chances(NEW.mail, among)[1]


def test_what_was_forgotten_was_never_learned():
    part = Model.of(HISTORY.of(range(100)))
    whole = part.with_learned(HISTORY.of(range(100, 150)))
    assert whole.messages == 150
    again = whole.without(HISTORY.of(range(100, 150)))
    assert chances(again) == pytest.approx(chances(part), rel=1e-9)
    with pytest.raises(ValueError, match="never learned"):
        part.without(HISTORY.of(range(150)))


def test_what_fades_counts_what_is_left_of_it():
    daily = History([replace(entry, date=at * 86400.0) for at, entry in enumerate(HISTORY.entries)], HISTORY.mail)
    faded = Model.of(daily, half_life=10.0)
    assert faded.messages == pytest.approx(np.sum(0.5 ** (np.arange(150) / 10)))
    step = Model.of(daily.of(range(100)), half_life=10.0).with_learned(daily.of(range(100, 150)))
    assert step.messages == pytest.approx(faded.messages)
    forgotten = step.without(daily.of(range(140, 150)))
    assert forgotten.messages == pytest.approx(np.sum(0.5 ** (np.arange(10, 150) / 10)))


def test_chances_are_among_the_folders_that_are_there():
    model = Model.of(HISTORY)
    assert chances(model).sum(axis=1) == pytest.approx(np.ones(10))
    two, among = model.chances(NEW.mail, {"Chess", "garden", "new"})
    assert two == ["Chess", "garden"]
    every = chances(model)[:, [model.folders.index(name) for name in two]]
    assert among == pytest.approx(every / every.sum(axis=1, keepdims=True))
    assert model.chances(NEW.mail, set())[1].shape == (10, 0)
    assert Model().chances(NEW.mail, ALL)[1].shape == (10, 0)


def test_guesses_are_made_before_learning():
    model = Model.of(HISTORY)
    told = model.with_guesses(NEW)
    assert len(told.guesses) == 160
    assert told.guesses.right[150:].all()
    assert (told.guesses.seen[150:] == 50).all()
    assert told.messages == 150


@pytest.mark.parametrize("half_life", [None, 3.0])
def test_bytes_give_it_again(half_life):
    model = Model.of(HISTORY, half_life)
    again = Model.loaded(model.saved())
    assert (chances(again) == chances(model)).all()
    assert again.threshold(0.97) == model.threshold(0.97)
    assert (again.half_life, again.now, again.folders) == (half_life, model.now, model.folders)
    assert chances(again.with_learned(NEW)) == pytest.approx(chances(model.with_learned(NEW)))
    assert Model.loaded(Model().saved()).learned is None


def test_another_form_is_refused(monkeypatch):
    monkeypatch.setattr("likely.mail.model.FORM", 99)
    other = Model().saved()
    monkeypatch.undo()
    with pytest.raises(ValueError, match="form 99: learn anew"):
        Model.loaded(other)
