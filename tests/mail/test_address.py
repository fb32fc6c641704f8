"""The account that an address means."""

import pytest

from likely.mail.account import Gone
from likely.mail.address import open_account
from likely.mail.imap import Imap
from likely.mail.maildir import Maildir
from likely.mail.mbox import Mbox
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
        "boxes": (Mbox, ["Chess", "below/garden"]),
        "boxes/Chess": (Mbox, ["Chess"]),
        "files": (Place, [""]),
    }
    for name, (kind, folders) in kinds.items():
        account = open_account(str(tmp_path / name))
        assert type(account) is kind
        assert [folder.name for folder in account.folders()] == folders
    assert type(open_account(f"maildir:{tmp_path}/maildir")) is Maildir
    assert type(open_account(f"mbox:{tmp_path}/boxes")) is Mbox


def test_imap_is_not_reached_before_it_is_asked():
    account = open_account("imaps://ann%40example.org@imap.invalid")
    assert isinstance(account, Imap)
    assert account.address == "imaps://ann@example.org@imap.invalid:993"


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(ValueError, match="password does not belong") as told:
        open_account("imap://ann:sesame@example.org")
    assert "sesame" not in str(told.value)


@pytest.mark.parametrize(("address", "why"), [("no/such/place", "there is no"), ("imap://example.org", "no user")])
def test_what_is_no_account(address, why):
    with pytest.raises((Gone, ValueError), match=why):
        open_account(address)


def test_a_folder_without_a_maildir(tmp_path):
    with pytest.raises(Gone, match="no Maildir"):
        open_account(f"maildir:{tmp_path}")
