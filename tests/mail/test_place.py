"""What can only be read."""

import tarfile

import pytest

from likely.mail.account import Refused
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
    with pytest.raises(Refused, match="can only be read"):
        place.move("Chess", keys[0], "garden")


def test_a_place_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        Place(tmp_path / "nowhere")
