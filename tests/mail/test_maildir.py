"""What only a Maildir does: names that carry flags, two layouts, and a move that is one renaming."""

import pytest

from likely import system
from likely.mail.account import Refused
from likely.mail.maildir import Maildir

from .letters import deliver, message


def test_both_layouts_with_their_names(tmp_path):
    deliver(tmp_path, message("Chess", 1), "1")
    deliver(tmp_path / ".Arbeit.Entw&APw-rfe", message("Chess", 2), "2")
    deliver(tmp_path / "Work" / "Plans", message("Chess", 3), "3")
    (tmp_path / ".hidden").mkdir()
    account = Maildir(tmp_path)
    assert [folder.name for folder in account.folders()] == ["Arbeit/Entwürfe", "INBOX", "Work/Plans"]
    assert [letter.raw for letter in account.letters(["Arbeit/Entwürfe"])] == [message("Chess", 2)]


def test_flags_that_change_do_not_change_the_key(tmp_path):
    path = deliver(tmp_path, message("Chess", 1), "1.host", part="new")
    account = Maildir(tmp_path)
    assert account.keys("INBOX") == ["1.host"]
    path.rename(tmp_path / "cur" / "1.host:2,S")
    (letter,) = account.read("INBOX", ["1.host"])
    assert letter.raw == message("Chess", 1)
    assert account.keys("INBOX") == ["1.host"]


def test_a_move_keeps_what_the_name_says(tmp_path):
    deliver(tmp_path, message("Chess", 1), "1.host", flags=":2,FS")
    deliver(tmp_path, message("Chess", 2), "2.host", part="new")
    deliver(tmp_path / "Chess", message("Chess", 3), "3.host")
    account = Maildir(tmp_path)
    for key in account.keys("INBOX"):
        assert account.move("INBOX", key, "Chess") == key
    assert sorted(path.name for path in (tmp_path / "Chess" / "cur").iterdir()) == ["1.host:2,FS", "3.host:2,"]
    assert [path.name for path in (tmp_path / "Chess" / "new").iterdir()] == ["2.host"]


def test_a_name_that_is_taken_is_not_written_over(tmp_path):
    deliver(tmp_path, message("Chess", 1), "1.host", flags=":2,S")
    deliver(tmp_path / "Chess", message("Chess", 2), "1.host", part="new")
    account = Maildir(tmp_path)
    with pytest.raises(Refused, match="already"):
        account.move("INBOX", "1.host", "Chess")
    assert [letter.raw for letter in account.letters(["INBOX", "Chess"])] == [message("Chess", 1), message("Chess", 2)]


def test_links_and_what_is_no_file_are_passed_over(tmp_path):
    deliver(tmp_path, message("Chess", 1), "1.host")
    (tmp_path / "cur" / "folder").mkdir()
    (tmp_path / "cur" / "link").symlink_to("/etc/passwd")
    (tmp_path / "cur" / ".dot").write_bytes(b"kept by a program")
    assert Maildir(tmp_path).keys("INBOX") == ["1.host"]


def test_a_uid_of_mbsync_stays_behind_and_is_no_part_of_the_key(tmp_path):
    """In the other folder it would be that of another message, and mbsync refuses to go on."""
    path = deliver(tmp_path, message("Chess", 1), "1.host,S=300,U=7", flags=":2,FS")
    deliver(tmp_path / "Chess", message("Chess", 3), "3.host,U=7")
    account = Maildir(tmp_path)
    assert account.keys("INBOX") == ["1.host,S=300"]
    path.rename(path.with_name("1.host,S=300,U=8:2,S"))  # mbsync has given it another
    (letter,) = account.read("INBOX", ["1.host,S=300"])
    assert letter.raw == message("Chess", 1)
    assert account.move("INBOX", "1.host,S=300", "Chess") == "1.host,S=300"
    names = sorted(path.name for path in (tmp_path / "Chess" / "cur").iterdir())
    assert names == ["1.host,S=300:2,S", "3.host,U=7:2,"]
    assert account.keys("Chess") == ["1.host,S=300", "3.host"]


def test_a_folder_that_is_renamed_right_after_a_move(tmp_path, monkeypatch):
    """The message is in it, and the move is made."""
    path = deliver(tmp_path, message("Chess", 1), "1.host")
    deliver(tmp_path / "Chess", message("Chess", 2), "2.host")
    sync = system.sync_folder

    def renamed(folder):
        if (tmp_path / "Chess").exists():
            (tmp_path / "Chess").rename(tmp_path / "Schach")
        sync(folder)

    monkeypatch.setattr(system, "sync_folder", renamed)
    account = Maildir(tmp_path)
    assert account.move("INBOX", "1.host", "Chess") == "1.host"
    assert not path.exists()
    assert account.keys("Schach") == ["1.host", "2.host"]


def test_two_names_that_differ_by_their_uid_are_two_messages(tmp_path):
    deliver(tmp_path, message("Chess", 1), "1.host,U=7")
    deliver(tmp_path, message("Chess", 2), "1.host,U=8")
    account = Maildir(tmp_path)
    assert len(account.keys("INBOX")) == 2
    found = [letter.raw for letter in account.read("INBOX", account.keys("INBOX"))]
    assert set(found) == {message("Chess", 1), message("Chess", 2)}
