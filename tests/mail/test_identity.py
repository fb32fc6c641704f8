"""What was known by fingerprints of another kind is known by those of today."""

import pytest

from likely.mail.account import fingerprint
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.identity import reidentify

from .fake_imap import CAPABILITIES, FakeFolder, FakeImap
from .letters import message, mixed

OBJECTID = CAPABILITIES + " OBJECTID"


@pytest.fixture
def known(tmp_path, monkeypatch):
    """An account with a message that was filed, as it was known by its bytes."""
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    with FakeImap() as server:
        for folder in ("Chess", "garden"):
            server.folders[folder] = FakeFolder()
            for of, raw in mixed(360):
                if of == folder:
                    server.folders[folder].add(raw)
        filer = Filer(server.account(), opened(tmp_path / "ann.sqlite"))
        filer.learn()
        server.folders["INBOX"].add(message("Chess", 500))
        assert [one.action for one in filer.file(0.9, move=True)] == ["moved"]
        for row in filer.database.execute("SELECT folder, key FROM placed").fetchall():
            raw = server.folders[row["folder"]].messages[int(row["key"].partition(".")[2])]
            for table, key in (("placed", "key"), ("moves", "new_key")):
                where = f"{key} = ? AND {'folder' if table == 'placed' else 'target'} = ?"
                values = (fingerprint(raw), row["key"], row["folder"])
                filer.database.execute(f"UPDATE {table} SET fingerprint = ? WHERE {where}", values)
        filer.database.execute("DELETE FROM about")
        yield server, filer
        filer.account.close()


@pytest.mark.parametrize("capabilities", [CAPABILITIES, OBJECTID])
def test_nothing_is_learned_again_and_all_can_be_undone(known, capabilities):
    server, filer = known
    server.capabilities = capabilities
    filer.account.close()
    assert filer.learn().learned == 0
    moved = server.folders["Chess"].messages
    server.folders["garden"].add(moved.pop(1))
    lesson = filer.learn()
    assert (lesson.learned, lesson.corrected) == (1, 1)  # what you moved is known to be the same
    (done,) = filer.undo(last=1)
    assert done.state == "moved"
    assert done.fingerprint.startswith("EMAILID M") == (capabilities == OBJECTID)
    assert list(server.folders["INBOX"].messages.values()) == [message("Chess", 500)]


def test_a_server_that_begins_to_name_messages(known, monkeypatch):
    server, filer = known
    filer.learn()
    server.capabilities = OBJECTID
    filer.account.close()
    assert filer.learn().learned == 0
    stored = [row["fingerprint"] for row in filer.database.execute("SELECT fingerprint FROM placed")]
    assert all(name.startswith("EMAILID M") for name in stored)
    monkeypatch.setattr(filer.account, "fingerprints", None)
    reidentify(filer.database, filer.account)  # once


def test_messages_and_folders_that_are_gone_are_passed_over(known):
    server, filer = known
    del server.folders["garden"]
    server.folders["Chess"].remove(1)
    reidentify(filer.database, filer.account)
    names = [row["fingerprint"] for row in filer.database.execute("SELECT fingerprint FROM placed")]
    assert len(set(names)) == len(names) == 241
