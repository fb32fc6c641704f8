"""The figures of a proof, counted again by hand."""

import json
import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from likely.mail.account import Letter
from likely.mail.confidence import Guesses
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.prove import prove

from .letters import WORDS, mixed


def history(count, wrong=0.0, seed=0):
    """Mail that you file partly at random."""
    rng = random.Random(seed)
    return History.of_letters(
        Letter(rng.choice(list(WORDS)) if rng.random() < wrong else folder, str(at), raw, 0.0)
        for at, (folder, raw) in enumerate(mixed(count))
    )


def test_what_it_tells_adds_up():
    proof = prove(history(600, wrong=0.1), 0.9)
    assert (proof.messages, proof.folders) == (600, 3)
    assert 0.85 < proof.accuracy < 0.97
    assert proof.coverage > 0.3
    assert sum(folder.messages for folder in proof.each) == 600
    filed = sum(folder.filed for folder in proof.each)
    assert proof.coverage == pytest.approx(filed / 600)
    assert proof.precision == pytest.approx(sum(folder.filed_right for folder in proof.each) / filed)
    wanted = [trade.wanted for trade in proof.trades]
    assert wanted == sorted(wanted)
    own = next(trade for trade in proof.trades if trade.wanted == 0.9)
    assert (own.coverage, own.precision, own.threshold) == (proof.coverage, proof.precision, proof.threshold)
    coverages = [trade.coverage for trade in proof.trades]
    assert coverages == sorted(coverages, reverse=True)
    sure = [mistake.confidence for mistake in proof.mistakes]
    assert sure == sorted(sure, reverse=True)
    assert all(mistake.folder != mistake.guessed for mistake in proof.mistakes)
    assert len(proof.mistakes) <= 20


def test_its_threshold_is_the_one_that_filing_takes():
    past = history(1110, wrong=0.1)
    model = MailModel.of(past)
    for trade in prove(past, 0.9).trades:
        assert trade.threshold == model.threshold(trade.wanted)


def clearest(model, folder, seen):
    """The confidence in a message that could not be clearer, in a folder that has just got one."""
    record, none = model.records.of([folder]).record, np.zeros(1)
    return model.confidence.sure(Guesses(np.full(1, 1e9), np.array([seen]), record, none, none > 0))[0]


@pytest.mark.parametrize("precision", [0.7, 0.99])
def test_folders_that_it_can_not_file_into_yet_are_those_that_a_filer_can_not(precision):
    few = History.of_letters(
        Letter("few" if at in (50, 200) else "by chance" if at % 7 == 0 else folder, str(at), raw, 0.0)
        for at, (folder, raw) in enumerate(mixed(300))
    )
    model, proof = MailModel.of(few), prove(few, precision)
    least = model.threshold(precision)
    counts = dict(zip(map(str, model.learned.classes), model.counts, strict=True))
    for folder in proof.each:
        clear = clearest(model, folder.folder, counts[folder.folder])
        assert (folder.needed == 0) == (clear >= least) == (folder.folder not in proof.unlearned)
        if folder.needed:
            assert clearest(model, folder.folder, counts[folder.folder] + folder.needed) >= least
    assert bool(proof.unlearned) == (precision > 0.9)
    assert prove(history(300)).unlearned == []


def test_the_last_messages_are_what_matters_now():
    proof = prove(history(800), 0.97)
    assert proof.recent.messages == 500
    assert proof.recent.coverage > proof.coverage
    assert sum(folder.recent for folder in proof.each) == 500
    assert sum(folder.recent_filed for folder in proof.each) == round(500 * proof.recent.coverage)


def test_copies_are_counted_and_right():
    some = history(300)
    copied = [*some.entries, *(replace(entry, folder="copies", key=f"{entry.key}c") for entry in some.entries[250:])]
    both = History(copied, pa.concat_tables([some.mail, some.mail[250:]]))
    proof = prove(both, 0.9)
    assert proof.copies == 100
    assert prove(some, 0.9).copies == 0
    assert proof.each[[folder.folder for folder in proof.each].index("copies")].accuracy > 0.9


def test_what_can_not_be_kept_is_said_with_what_can():
    proof = prove(history(1200, wrong=0.2, seed=1), 0.97)
    assert not proof.in_reach
    assert proof.instead is not None
    assert 0.7 < proof.instead.wanted <= 0.9
    assert proof.instead.precision >= proof.instead.wanted
    assert proof.instead.coverage > 0.05
    easy = prove(history(400), 0.97)
    assert easy.in_reach
    assert easy.instead is None
    assert prove(history(400, wrong=1.0), 0.97).instead is None


def test_a_half_life_is_chosen_by_replay():
    """If you change how you file, old mail must fade; if you do not, it need not."""
    names = list(WORDS)
    swapped = History.of_letters(
        Letter(names[(names.index(folder) + at // 400) % 3], str(at), raw, 0.0)
        for at, (folder, raw) in enumerate(mixed(800))
    )
    daily = [replace(entry, date=at * 86400.0) for at, entry in enumerate(swapped.entries)]
    spread = History(daily, swapped.mail)
    fading, steady = prove(spread, half_life="auto"), prove(spread)
    assert fading.half_life in (45.0, 90.0)
    assert fading.accuracy > steady.accuracy


def test_without_mail_there_is_nothing_to_prove():
    with pytest.raises(ValueError, match="no filed mail"):
        prove(History.of_letters([]))


def test_the_curve_is_filing_the_surest_first():
    proof = prove(history(600, wrong=0.1))
    coverage, precision = (
        np.array([getattr(point, name) for point in proof.curve]) for name in ("coverage", "precision")
    )
    assert len(coverage) > 50
    assert (np.diff(coverage) > 0).all()
    assert coverage[0] >= 0.01
    assert (coverage[-1], precision[-1]) == (1.0, pytest.approx(proof.accuracy))


def test_the_same_figures_as_json():
    told = prove(history(200)).as_json()
    assert json.loads(json.dumps(told)) == told
    assert set(told["curve"][0]) == {"threshold", "coverage", "precision"}
    assert {"messages", "folders", "accuracy", "coverage", "precision", "threshold"} <= set(told)
    assert np.isfinite(told["threshold"])
