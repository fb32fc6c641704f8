"""A history replayed against a naive Bayes that learns it message by message."""

import random
import tracemalloc
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from likely.mail import parse, table
from likely.mail.account import Letter
from likely.mail.history import NOTHING, History
from likely.mail.model import MailModel
from likely.mail.replay import FIRST, SCALES, growth_of, replay, worth_pairs
from likely.models.log_odds import probability

from .letters import mixed

HISTORY = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(90)))
FOLDERS, Y = HISTORY.coded()


def test_it_guesses_what_a_model_does_that_learned_all_before():
    past = replay(HISTORY.mail, Y, len(FOLDERS))
    for at in (5, 20, 60, 89):
        before = MailModel(scales=SCALES).with_learned(HISTORY.of(range(at)))
        folders, odds = before.odds(HISTORY.mail.slice(at, 1), set(HISTORY.folders))
        assert folders[int(odds[0].argmax())] == FOLDERS[past.best[at]]
        sure = probability(past.guesses.odds[at])
        assert sure == pytest.approx(probability(odds.max()), abs=1e-5)
        assert past.guesses.seen[at] == HISTORY.folders[:at].count(FOLDERS[past.best[at]])
    assert (past.best[:1] == -1).all()
    assert past.guesses.right.mean() > 0.9


def test_scales_are_chosen_by_the_past_alone():
    many = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(2 * FIRST)))
    folders, y = many.coded()
    wrong = np.where(np.arange(len(y)) < FIRST, y, (y + 1) % 3).astype(np.int32)
    told, upset = (replay(many.mail, codes, len(folders)) for codes in (y, wrong))
    assert (told.guesses.odds[: FIRST + 1] == upset.guesses.odds[: FIRST + 1]).all()
    assert (told.scales != upset.scales).any()


def test_a_copy_is_right_wherever_it_lies():
    """Each message twice: the second time another folder has it too."""
    twice = [row for row in range(90) for _ in range(2)]
    entries = [replace(HISTORY.entries[row], folder=f"{HISTORY.folders[row]}{at % 2}") for at, row in enumerate(twice)]
    both = History(entries, HISTORY.of(twice).mail)
    folders, y = both.coded()
    strictly = replay(both.mail, y, len(folders)).guesses
    kindly = replay(both.mail, y, len(folders), letters=both.letters).guesses
    assert len(set(both.letters.tolist())) == 90
    assert strictly.right.mean() < 0.7
    assert kindly.right.mean() > 0.9
    assert (kindly.record != strictly.record).any()


def strange(count=400):
    """Mail whose first word names its folder, or the other folder if "not" follows."""
    rng = random.Random(0)
    for number in range(count):
        folder = rng.choice(["up", "down"])
        other = {"up": "down", "down": "up"}[folder]
        words = [f"{other}wards", "not"] if number % 2 else [f"{folder}wards"]
        body = " ".join([*words, *rng.choices(["cat", "dog", "fox", "hen", "owl", "pig"], k=4)])
        yield Letter(folder, str(number), f"Subject: x\n\n{body}".encode(), float(number + 1))


def test_how_far_it_leans_is_chosen_by_loss():
    """Naive Bayes can't tell such mail: a word speaks for the one folder as often as for the other. Nor can weights of
    words, but those of pairs can; and of mail that naive Bayes tells, none is chosen if none pays."""
    history = History.of_letters(strange())
    folders, y = history.coded()
    words, pairs = (replay(history.mail, y, len(folders), pairs=pairs) for pairs in (False, True))
    assert pairs.rate > 0
    assert pairs.weights.any()
    assert pairs.guesses.right[200:].mean() > words.guesses.right[200:].mean() + 0.2


def test_messages_scored_a_few_at_a_time_are_scored_alike(monkeypatch):
    history = History.of_letters(strange())
    folders, y = history.coded()
    whole = replay(history.mail, y, len(folders), pairs=True)
    monkeypatch.setattr("likely.mail.replay.PIECE", 7)
    pieces = replay(history.mail, y, len(folders), pairs=True)
    assert whole.rate > 0
    assert (whole.best == pieces.best).all()
    np.testing.assert_array_equal(whole.guesses.odds, pieces.guesses.odds)
    assert whole.loss == pieces.loss


def test_scores_of_all_messages_and_folders_are_never_in_memory_at_once(monkeypatch):
    monkeypatch.setattr("likely.mail.replay.PIECE", 256)
    monkeypatch.setattr("likely.mail.replay.LAST", 256)
    count, folders = 5_000, 100
    rng = np.random.default_rng(0)
    y = rng.integers(0, folders, count).astype(np.int32)
    texts = pa.array([f"word{number % 50} folder{folder}" for number, folder in enumerate(y)], pa.large_string())
    mail = pa.table({"text": texts, "marks": texts})
    tracemalloc.start()
    try:
        past = replay(mail, y, folders, leans=False)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert past.guesses.right[1000:].mean() > 0.9
    assert peak < 8 * count * folders  # one table of them


def test_pairs_of_words_are_counted_where_they_tell_more():
    """Of 1,000 messages: here the words of both folders are the same, and only their order differs."""
    rng = random.Random(0)

    def mail(ordered):
        for number in range(1000):
            words = rng.sample(["cat", "dog", "fox", "hen", "owl", "pig"], 6)
            folder = "up" if number % 2 else "down"
            if ordered:
                first = words.index("cat")
                words.insert(first + (folder == "up"), "ant")
            yield Letter(folder, str(number), f"Subject: x\n\n{' '.join(words)}".encode(), float(number + 1))

    for ordered in (True, False):
        history = History.of_letters(mail(ordered))
        folders, y = history.coded()
        assert worth_pairs(history.mail, y, len(folders)) == ordered
        assert not worth_pairs(history.mail[:999], y[:999], len(folders))


def test_what_fades_counts_less():
    dates = HISTORY.dates
    assert growth_of(dates, 1e9) == pytest.approx(np.ones(90), abs=1e-6)
    assert growth_of(np.array([0.0, 86400.0, 0.0]), 1.0).tolist() == [1, 2, 2]
    fading = replay(HISTORY.mail, Y, len(FOLDERS), growth_of(dates, 0.01))
    assert (fading.guesses.seen[10:] < 20).all()


def test_no_mail_and_one_folder():
    nothing = replay(NOTHING, np.zeros(0, np.int32), 0)
    assert len(nothing.guesses) == 0
    one = replay(table([parse(b"Subject: a\n\nb"), parse(b"Subject: a\n\nb")]), np.zeros(2, np.int32), 1)
    assert one.best.tolist() == [-1, 0]
    assert one.guesses.right.tolist() == [False, True]
