import os

import pytest

from likely.mail import database
from likely.mail.filer import Filer

from .dovecot import PROGRAM
from .filers import filled
from .places import ImapPlace, MaildirPlace, MboxPlace

MOVING = ["maildir", "imap", "imap without MOVE"]
KINDS = [*MOVING, "mbox"]


def made(kind, tmp_path):
    if kind == "maildir":
        return MaildirPlace(tmp_path / "mail")
    if kind == "mbox":
        (tmp_path / "mail").mkdir()
        return MboxPlace(tmp_path / "mail")
    return server(move=kind == "imap")


def server(**options):
    if PROGRAM is None:
        why = "Dovecot is not installed: on Debian, apt-get install dovecot-imapd"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)
    return ImapPlace(**options)


@pytest.fixture(params=MOVING)
def place(request, tmp_path, monkeypatch):
    """One in which mail can be moved."""
    yield from opened(request.param, tmp_path, monkeypatch)


@pytest.fixture(params=KINDS)
def any_place(request, tmp_path, monkeypatch):
    yield from opened(request.param, tmp_path, monkeypatch)


def opened(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "")  # put back afterwards
    place = made(kind, tmp_path)
    yield place
    place.close()


@pytest.fixture
def imap(monkeypatch):
    """Makes servers; all are stopped afterwards."""
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "")
    places = []

    def make(**options):
        places.append(server(**options))
        return places[-1]

    yield make
    for place in places:
        place.close()


@pytest.fixture
def maildir(tmp_path):
    return filled(MaildirPlace(tmp_path / "mail"))


@pytest.fixture
def filer(maildir, tmp_path):
    return Filer(maildir.account(), database.opened(tmp_path / "ann.sqlite"))
