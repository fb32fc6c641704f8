"""Folders at a server: their names and uses, and those that are gone."""

import pytest

from likely.mail.account import Gone, Unreachable

from .fake_imap import FakeFolder, FakeImap
from .letters import message


def test_special_folders_are_told_by_their_flags(imap):
    account = imap().account()
    uses = {folder.name: folder.uses for folder in account.folders()}
    assert uses == {"INBOX": frozenset(), "Sent": {"sent"}, "Entsorgt": {"trash"}}
    account.close()


def test_a_folder_that_is_deleted_while_it_is_open(imap):
    place = imap()
    place.create("Chess")
    place.put("Chess", message("Chess", 1))
    account = place.account()
    keys = account.keys("Chess")
    place.delete_folder("Chess")
    with pytest.raises((Gone, Unreachable)):
        list(account.read("Chess", keys))
    assert "Chess" not in [folder.name for folder in account.folders()]
    account.close()


@pytest.fixture
def password(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")


def test_names_that_would_be_one_with_another_delimiter(password):
    listed = 'LIST () "." INBOX\nLIST () "." "a.b"\nLIST () "." "a/b"\nLIST (\\Noselect) "." "a"'
    with FakeImap(listed=listed) as server:
        account = server.account()
        names = [folder.name for folder in account.folders()]
        assert names == ["INBOX", "a/b", "a\N{DIVISION SLASH}b"]
        server.folders |= {"a.b": FakeFolder(), "a/b": FakeFolder()}
        server.folders["a/b"].add(b"Subject: x\n\n")
        assert [len(account.keys(name)) for name in names] == [0, 0, 1]
        account.close()


@pytest.mark.parametrize(
    "name", ["&2D0-", "&AAA", "&!!!-", "a & b", "b\N{LATIN SMALL LETTER U WITH DIAERESIS}", "a\x00b\x1b[2J", ""]
)
def test_a_name_that_breaks_the_rules_of_imap_hides_no_other(name, password):
    """By such a name the server can't be asked for the folder."""
    with FakeImap(listed=f'LIST () "/" INBOX\nLIST () "/" "{name}"\nLIST () "/" "&APw-"') as server:
        account = server.account()
        assert [folder.name for folder in account.folders()] == ["INBOX", "ü"]
        assert account.keys("INBOX") == []
        account.close()


def test_a_name_of_digits_is_a_name(password):
    with FakeImap(listed='LIST () "/" INBOX\nLIST () "/" "2024"\nLIST () NIL 7') as server:
        account = server.account()
        assert [folder.name for folder in account.folders()] == ["2024", "7", "INBOX"]
        account.close()
