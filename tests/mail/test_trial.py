import numpy as np

from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.prove import prove
from likely.mail.trial import Trial

from .letters import mixed


def history(count):
    return History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(count)))


def test_it_is_the_proof_by_the_guesses_that_the_model_has_kept():
    mail = history(600)
    trial, proof = Trial(MailModel.of(mail)), prove(mail, 0.9)
    assert trial.messages == 600
    found = trial.at(0.9)
    assert (found.coverage, found.precision) == (proof.coverage, proof.precision)
    assert trial.needed(0.9) == {one.folder: one.needed for one in proof.each}


def test_more_precision_files_less():
    trial = Trial(MailModel.of(history(600)))
    shares = [trial.at(precision).coverage for precision in (0.8, 0.95, 0.99)]
    assert list(np.sort(shares)[::-1]) == shares


def test_of_nothing_there_is_none():
    trial = Trial(MailModel())
    assert trial.messages == 0
    assert trial.needed(0.9) == {}
