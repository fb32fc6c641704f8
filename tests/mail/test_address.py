"""The account that an address means."""

import re

import pytest

from likely.mail.account import Gone
from likely.mail.address import open_account
from likely.mail.imap import Imap
from likely.mail.maildir import Maildir
from likely.mail.place import Place

from .letters import boxed, deliver, message


def test_a_path_is_what_it_holds(tmp_path):
    deliver(tmp_path / "maildir", message("Chess", 1), "1")
    deliver(tmp_path / "folder of maildirs" / "INBOX", message("Chess", 1), "1")
    for name in ("boxes/Chess", "boxes/below/garden.mbox"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(boxed([message("Chess", 1)]))
    (tmp_path / "boxes" / "Chess.msf").write_bytes(b"what a program keeps")
    (tmp_path / "boxes" / "Chess.lock").touch()
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "1.eml").write_bytes(message("Chess", 1))
    kinds = {
        "maildir": (Maildir, ["INBOX"]),
        "folder of maildirs": (Maildir, ["INBOX"]),
        "boxes": (Place, ["Chess", "below/garden"]),
        "boxes/Chess": (Place, ["Chess"]),
        "files": (Place, [""]),
    }
    for name, (kind, folders) in kinds.items():
        account = open_account(str(tmp_path / name))
        assert type(account) is kind
        assert [folder.name for folder in account.folders()] == folders
    assert type(open_account(f"maildir:{tmp_path}/maildir")) is Maildir
    assert type(open_account(f"mbox:{tmp_path}/boxes")) is Place


def test_imap_is_not_reached_before_it_is_asked():
    account = open_account("imaps://ann%40example.org@imap.invalid")
    assert isinstance(account, Imap)
    assert account.address == "imaps://ann@example.org@imap.invalid:993"


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(ValueError, match="do not put a password into an address") as told:
        open_account("imap://ann:sesame@example.org")
    assert "sesame" not in str(told.value)


MISTYPED = ["IMAP://ann:sesame@h", "imap:/ann:sesame@h", "imsp://ann:sesame@h", "ann:sesame@h", "imap//ann:se@me@h"]
MISTYPED += ["maildir:imaps://ann:sesame@h", "imaps://ann:[sesame@h", "imaps://ann:sesame@[h", "imap://a@ann:sesame"]


@pytest.mark.parametrize("address", MISTYPED)
def test_a_password_in_a_mistyped_address_is_not_repeated(address):
    with pytest.raises((Gone, ValueError)) as told:
        open_account(address)
    assert not re.search(r"sesame|se@|me@|ann", str(told.value))


def test_a_path_has_one_address_however_it_is_spelled(tmp_path, monkeypatch):
    deliver(tmp_path / "Mail", message("Chess", 1), "1")
    deliver(tmp_path / "other" / "Mail", message("Chess", 2), "2")
    (tmp_path / "link").symlink_to(tmp_path / "Mail")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    spellings = ["Mail", "./Mail/", "~/Mail", str(tmp_path / "Mail"), "maildir:Mail", "other/../Mail", "link"]
    assert {open_account(spelling).address for spelling in spellings} == {str(tmp_path / "Mail")}
    monkeypatch.chdir(tmp_path / "other")
    assert open_account("Mail").address == str(tmp_path / "other" / "Mail")


def test_mboxes_that_are_all_empty_are_the_same_account(tmp_path):
    (tmp_path / "INBOX").write_bytes(boxed([message("Chess", 1)]))
    (tmp_path / "Chess.mbox").touch()
    before = open_account(str(tmp_path))
    (tmp_path / "INBOX").write_bytes(b"")
    after = open_account(str(tmp_path))
    assert (type(after), after.address) == (type(before), before.address)
    assert [folder.name for folder in after.folders()] == ["Chess", "INBOX"]
    assert after.keys("INBOX") == []


@pytest.mark.parametrize(
    ("address", "why"),
    [("no/such/place", "there is no"), ("imap://example.org", "no user"), ("imap://a@h:x", "can't be read")],
)
def test_what_is_no_account(address, why):
    with pytest.raises((Gone, ValueError), match=why):
        open_account(address)


def test_a_folder_without_a_maildir(tmp_path):
    with pytest.raises(Gone, match="no Maildir"):
        open_account(f"maildir:{tmp_path}")
