"""Gmail's extensions, by a fake of them: no test here speaks to Gmail."""

import pytest

from likely.mail.database import opened
from likely.mail.filer import Filer

from .fake_imap import CAPABILITIES, FakeFolder, FakeImap
from .letters import message, mixed

LISTED = """\
LIST (\\HasNoChildren) "/" "INBOX"
LIST (\\HasChildren \\Noselect) "/" "[Gmail]"
LIST (\\All \\HasNoChildren) "/" "[Gmail]/All Mail"
LIST (\\HasNoChildren \\Important) "/" "[Gmail]/Wichtig"
LIST (\\Flagged \\HasNoChildren) "/" "[Gmail]/Starred"
LIST (\\HasNoChildren \\Trash) "/" "[Gmail]/Papierkorb"
LIST (\\HasNoChildren) "/" "Chess"
LIST (\\HasNoChildren) "/" "garden"
LIST (\\HasNoChildren) "/" "2024"
"""


@pytest.fixture
def gmail(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    with FakeImap(CAPABILITIES + " X-GM-EXT-1 OBJECTID", listed=LISTED) as server:
        for name in ("Chess", "garden", "2024", "[Gmail]/All Mail", "[Gmail]/Wichtig"):
            server.folders[name] = FakeFolder()
        for folder, raw in mixed(600):
            if folder in server.folders:
                server.folders[folder].add(raw)
                server.folders["[Gmail]/All Mail"].add(raw)
        for number, label in enumerate(["[Gmail]/Wichtig", "Chess", "garden", "2024"]):
            raw = message("garden" if label == "garden" else "Chess", 1000 + number)
            for name in ("INBOX", label, "[Gmail]/All Mail"):
                server.folders[name].add(raw)
        yield server


@pytest.fixture
def filer(gmail, tmp_path):
    filer = Filer(gmail.account(), opened(tmp_path / "ann.sqlite"))
    yield filer
    filer.account.close()


def test_folders_that_are_views_are_left_alone(filer):
    assert filer.rules.learned(filer.account.folders()) == ["2024", "Chess", "garden"]


def test_what_has_a_label_of_yours_is_not_filed_again(filer, gmail):
    filer.learn()
    done = filer.file(0.8, move=True)
    assert [(one.action, one.why) for one in done] == [
        ("moved", ""),
        ("left", "it has the label 'Chess' already"),
        ("left", "it has the label 'garden' already"),
        ("left", "it has the label '2024' already"),
    ]
    assert len(gmail.folders["INBOX"].messages) == 3


def test_a_message_is_the_same_under_all_its_labels(filer):
    assert filer.account.identity == "X-GM-MSGID"
    inbox, everything = (
        set(filer.account.fingerprints(name, filer.account.keys(name)).values())
        for name in ("INBOX", "[Gmail]/All Mail")
    )
    assert len(inbox) == 4
    assert inbox < everything
    assert all(name.startswith("X-GM-MSGID ") for name in inbox)


def test_elsewhere_there_are_no_labels(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    with FakeImap() as server:
        server.folders["INBOX"].add(message("Chess", 1))
        account = server.account()
        assert account.labels("INBOX", ["7.1"]) == {}
        account.close()
