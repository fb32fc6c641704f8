"""What is only read."""

import tarfile

import pytest

from likely.mail import messages
from likely.mail.account import Refused, fingerprint
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.place import Place

from .letters import boxed, message


def test_an_archive_can_be_read_and_not_filed_in(tmp_path):
    (tmp_path / "Chess.mbox").write_bytes(boxed([message("Chess", 1), message("Chess", 2)]))
    with tarfile.open(tmp_path / "mail.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "Chess.mbox", "Chess.mbox")
    place = Place(tmp_path / "mail.tar.gz")
    keys = place.keys("Chess")
    assert [letter.raw for letter in place.letters(["Chess"])] == [message("Chess", 1), message("Chess", 2)]
    assert [letter.raw for letter in place.read("Chess", keys[1:])] == [message("Chess", 2)]
    with pytest.raises(Refused, match="is read-only"):
        place.move("Chess", keys[0], "garden")


QUOTED = b"From ann@example.org Mon Jan  1 10:00:00 2024\nSubject: a\n\n>From here on\n>>From there\n\n"


def test_mboxes_are_read_as_messages_reads_them_and_no_byte_changes(tmp_path):
    (tmp_path / "INBOX.mbox").write_bytes(QUOTED + boxed([message("Chess", 1), message("Chess", 1)]))
    (tmp_path / "Chess").write_bytes(boxed([b"a: b\n"]))
    before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()}
    place = Place(tmp_path)
    found = [(letter.folder, letter.raw) for letter in place.letters(["Chess", "INBOX"])]
    assert sorted(found) == sorted((item.folder, item.raw) for item in messages(tmp_path))
    keys = place.keys("INBOX")
    alike = fingerprint(message("Chess", 1))
    assert keys == [fingerprint(b"Subject: a\n\nFrom here on\n>From there\n"), alike, f"{alike}-2"]
    filer = Filer(place, opened(tmp_path.parent / "ann.sqlite"))
    assert filer.learn().learned == 1
    assert [verdict.action for verdict in filer.file(0.97)] == ["left"] * 3
    with pytest.raises(Refused, match="is read-only: no message can be removed from an mbox"):
        filer.file(0.97, move=True)
    assert {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in tmp_path.iterdir()} == before


def test_a_status_that_changes_does_not_change_the_key(tmp_path):
    (tmp_path / "INBOX").write_bytes(boxed([message("Chess", 1)]))
    place = Place(tmp_path)
    keys = place.keys("INBOX")
    data = (tmp_path / "INBOX").read_bytes()
    (tmp_path / "INBOX").write_bytes(data.replace(b"Subject:", b"Status: RO\nSubject:", 1))
    assert place.keys("INBOX") == keys


def test_a_place_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        Place(tmp_path / "nowhere")
