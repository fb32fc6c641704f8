"""Which files a Maildir has, what their names say, and how their bytes are read."""

import os
import sys

import pytest

from likely.mail import maildir_files
from likely.mail.maildir_files import PARTS, UID, contents, is_one, listed, unique

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither pipes nor links like these")


@pytest.mark.parametrize("part", PARTS)
def test_a_folder_is_one_if_it_has_both_parts(tmp_path, part):
    (tmp_path / "tmp").mkdir()
    (tmp_path / part).mkdir()
    (other,) = set(PARTS) - {part}
    assert not is_one(tmp_path)
    (tmp_path / other).write_bytes(b"no folder")
    assert not is_one(tmp_path)
    (tmp_path / other).unlink()
    (tmp_path / other).mkdir()
    assert is_one(tmp_path)


def test_what_is_new_is_listed_before_what_may_be_moved_there():
    assert PARTS == ("new", "cur")


def test_all_of_one_part_is_listed_but_what_is_hidden(tmp_path):
    for part in PARTS:
        (tmp_path / part).mkdir()
        (tmp_path / part / f"1.{part}").write_bytes(b"")
    (tmp_path / "new" / ".nfs1").write_bytes(b"")
    (tmp_path / "new" / "folder").mkdir()
    assert sorted(entry.name for entry in listed(tmp_path, "new")) == ["1.new", "folder"]
    assert [entry.path for entry in listed(tmp_path, "cur")] == [str(tmp_path / "cur" / "1.cur")]


def test_a_name_without_its_flags_is_the_same_in_both_parts():
    assert unique("1.M2P3.host,S=9,U=4:2,FS") == unique("1.M2P3.host,S=9,U=4") == "1.M2P3.host,S=9,U=4"
    assert unique("1.host:2,:S") == "1.host"


def test_the_uid_is_all_that_is_taken_out_of_a_name():
    assert UID.sub("", "1.host,S=9,U=45,W=10:2,S") == "1.host,S=9,W=10:2,S"
    assert UID.sub("", "1.hostU=4,U=:2,S") == "1.hostU=4,U=:2,S"


@pytest.mark.parametrize("raw", [b"", b"a\r\nb\n\x1a\0", b"x" * 300_000])
def test_contents_are_the_bytes_as_they_are(tmp_path, raw):
    path = tmp_path / "1"
    path.write_bytes(raw)
    found, about = contents(str(path))
    assert found == raw
    assert (about.st_size, about.st_mtime_ns) == (len(raw), path.stat().st_mtime_ns)


def test_no_more_is_read_than_is_looked_at_even_in_small_steps(tmp_path, monkeypatch):
    (tmp_path / "1").write_bytes(bytes(range(100)))
    read = os.read
    monkeypatch.setattr(maildir_files, "RAW_BYTES", 70)
    monkeypatch.setattr(maildir_files.os, "read", lambda handle, size: read(handle, min(size, 32)))
    raw, about = contents(str(tmp_path / "1"))
    assert raw == bytes(range(70))
    assert about.st_size == 100


@posix
def test_no_link_is_followed_no_pipe_waited_for_and_nothing_left_open(tmp_path):
    (tmp_path / "file").write_bytes(b"secret")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = os.open(os.devnull, os.O_RDONLY)
    os.close(before)
    for name in ("link", "folder", "pipe", "absent"):
        with pytest.raises(OSError, match="it is no file" if name in ("folder", "pipe") else None):
            contents(str(tmp_path / name))
    after = os.open(os.devnull, os.O_RDONLY)
    os.close(after)
    assert after == before
