"""What a filer has learned is a value: learning, forgetting, fading and blending give what was meant."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from likely.data import read
from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.online_blend import OnlineBlend, features, no_weights, step

from .letters import WORDS, mixed

HISTORY = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(150)))
NEW = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(160)[150:]))
ALL = set(WORDS)
AWAY = dict(zip(sorted(ALL), sorted(ALL)[1:] + sorted(ALL)[:1], strict=True))
ODD = History([replace(entry, folder=AWAY[entry.folder]) for entry in NEW.entries], NEW.mail)
"""Mail that you file where nobody would: much for a step to learn."""


def chances(model, among=ALL):
    return model.chances(NEW.mail, among)[1]


def test_what_was_forgotten_was_never_learned():
    part = replace(MailModel.of(HISTORY.of(range(100))), blend=None)
    whole = part.with_learned(HISTORY.of(range(100, 150)))
    assert whole.messages == 150
    again = whole.without(HISTORY.of(range(100, 150)))
    assert chances(again) == pytest.approx(chances(part), rel=1e-9)
    with pytest.raises(ValueError, match="never learned"):
        part.without(HISTORY.of(range(150)))


def test_what_fades_counts_what_is_left_of_it():
    daily = History([replace(entry, date=at * 86400.0) for at, entry in enumerate(HISTORY.entries)], HISTORY.mail)
    faded = MailModel.of(daily, half_life=10.0)
    assert faded.messages == pytest.approx(np.sum(0.5 ** (np.arange(150) / 10)))
    step = MailModel.of(daily.of(range(100)), half_life=10.0).with_learned(daily.of(range(100, 150)))
    assert step.messages == pytest.approx(faded.messages)
    forgotten = step.without(daily.of(range(140, 150)))
    assert forgotten.messages == pytest.approx(np.sum(0.5 ** (np.arange(10, 150) / 10)))


def test_chances_are_among_the_folders_that_are_there():
    model = MailModel.of(HISTORY)
    assert chances(model).sum(axis=1) == pytest.approx(np.ones(10))
    two, among = model.chances(NEW.mail, {"Chess", "garden", "new"})
    assert two == ["Chess", "garden"]
    every = chances(model)[:, [model.folders.index(name) for name in two]]
    assert among == pytest.approx(every / every.sum(axis=1, keepdims=True))
    assert model.chances(NEW.mail, set())[1].shape == (10, 0)
    assert MailModel().chances(NEW.mail, ALL)[1].shape == (10, 0)


def test_guesses_are_made_before_learning():
    model = MailModel.of(HISTORY)
    told = model.with_guesses(NEW)
    assert len(told.guesses) == 160
    assert told.guesses.right[150:].all()
    assert (told.guesses.seen[150:] == 50).all()
    assert told.messages == 150
    at_once = MailModel.of(History(HISTORY.entries + NEW.entries, pa.concat_tables([HISTORY.mail, NEW.mail])))
    assert told.records == at_once.records
    assert told.guesses.idle[150:].tolist() == at_once.guesses.idle[150:].tolist()


def test_log_odds_tell_apart_what_probabilities_can_not():
    """Two folders of words that never meet: the longer a message, the clearer."""
    letters = [
        Letter(
            folder,
            f"{folder}{at}",
            f"From: {folder}@x.org\n\n{' '.join(f'{folder}{n % 50}' for n in range(at, at + 40))}".encode(),
            at + 1.0,
        )
        for at in range(60)
        for folder in ("ham", "spam")
    ]
    model = MailModel(scales=np.array([30.0, 30.0])).with_learned(History.of_letters(letters))
    long = [" ".join(f"spam{n}" for n in range(size)) for size in (10, 20, 40)]
    new = History.of_letters(
        Letter("", str(at), f"From: spam@x.org\n\n{text}".encode(), 1.0) for at, text in enumerate(long)
    )
    names, odds = model.odds(new.mail, {"ham", "spam"})
    chances = model.chances(new.mail, {"ham", "spam"})[1]
    assert (chances[:, names.index("spam")] == 1).all()
    assert len(set(odds[:, names.index("spam")])) == 3


def blended():
    """A model with a blend whose weights are 0: naive Bayes alone predicts made-up mail."""
    model = MailModel.of(HISTORY)
    return replace(model, blend=OnlineBlend(tuple(model.folders), no_weights(3), 0.3))


def test_each_message_that_is_learned_is_a_step():
    model = blended()
    later = model.with_learned(ODD)
    scores, weights = model.bayes.score(read(NEW.mail)), no_weights(3)
    y = np.array([model.folders.index(folder) for folder in ODD.folders], np.int32)
    step(features(NEW.mail, False), y, 0.3, weights, scores)
    assert (later.blend.weights == weights).all()
    assert weights.any()
    assert not model.blend.weights.any()
    moved = later.scores(NEW.mail) - later.bayes.score(read(NEW.mail))
    assert (moved[np.arange(10), y] > 0).all()


def test_a_lean_holds_over_new_folders_and_what_is_forgotten():
    model = blended().with_learned(ODD)
    other = History([replace(NEW.entries[0], folder="Boats")], NEW.mail[:1])
    wider = model.with_learned(other)
    assert wider.blend.folders == ("Arbeit/Pläne", "Boats", "Chess", "garden")
    assert not wider.blend.weights[..., 1].any()
    assert (wider.blend.weights[..., [0, 2, 3]] == model.blend.weights).all()
    less = wider.without(other)
    assert (less.blend.weights == wider.blend.weights).all()
    assert "Boats" not in less.chances(NEW.mail, {*ALL, "Boats"})[0]
    assert not less.with_learned(ODD).blend.weights[..., 1].any()  # a folder without mail is not told
