"""Mailboxes of every kind."""

import gzip
import io
import os
import tarfile

import pytest

from likely.mail import item, mailbox, mbox
from likely.mail.item import Item
from likely.mail.mailbox import folder_name, messages

ONE = b"From: ann@example.org\n\none\n"
TWO = b"From: bob@example.org\n\ntwo\n"
LINE = b"From ann@example.org Mon Jan  1 10:00:00 2024\n"


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def found(path):
    """Folder, key and bytes of each message; there must be no problem."""
    items = list(messages(path))
    assert not [item for item in items if item.problem]
    return [(item.folder, item.key, item.raw) for item in items]


def test_a_folder_of_mboxes(tmp_path):
    write(tmp_path / "Inbox", LINE + ONE)
    write(tmp_path / "Inbox.msf", b"index")
    write(tmp_path / "Inbox.sbd" / "Work", LINE + TWO)
    write(tmp_path / "old" / "2020 mail.mbox", LINE + ONE)
    write(tmp_path / "old" / "2021", LINE + ONE + b"\n" + LINE + TWO)
    assert [(folder, raw) for folder, _, raw in found(tmp_path)] == [
        ("Inbox", ONE),
        ("Inbox/Work", TWO),
        ("old/2020 mail", ONE),
        ("old/2021", ONE),
        ("old/2021", TWO),
    ]


def test_a_folder_of_messages(tmp_path):
    write(tmp_path / "ham" / "00001.7c53", LINE + ONE)
    write(tmp_path / "ham" / "1.", TWO)
    write(tmp_path / "ham" / ".hidden", TWO)
    write(tmp_path / "spam" / "deep" / "offer.EML", ONE)
    write(tmp_path / "spam" / "any", TWO)
    assert found(tmp_path) == [
        ("ham", "ham/00001.7c53", ONE),
        ("ham", "ham/1.", TWO),
        ("spam", "spam/any", TWO),
        ("spam/deep", "spam/deep/offer.EML", ONE),
    ]


def test_one_message(tmp_path):
    assert found(write(tmp_path / "one.eml", ONE)) == [("", "one.eml", ONE)]


def maildir(root):
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True)
    return root


def test_a_maildir_with_sub_folders_of_both_kinds(tmp_path):
    write(maildir(tmp_path) / "new" / "2.host", TWO)
    write(tmp_path / "cur" / "1.host:2,S", ONE)
    write(tmp_path / "tmp" / "3.host", b"half a mess")
    write(tmp_path / "dovecot.index.log", b"index")
    write(maildir(tmp_path / ".Entw&APw-rfe") / "cur" / "4.host:2,D", ONE)
    write(maildir(tmp_path / ".Work.Plans &- more") / "cur" / "5.host:2,", TWO)
    write(maildir(tmp_path / "Lists" / "dev") / "new" / "6.host", ONE)
    assert found(tmp_path) == [
        ("INBOX", "new/2.host", TWO),
        ("INBOX", "cur/1.host:2,S", ONE),
        ("Entwürfe", ".Entw&APw-rfe/cur/4.host:2,D", ONE),
        ("Work/Plans & more", ".Work.Plans &- more/cur/5.host:2,", TWO),
        ("Lists/dev", "Lists/dev/new/6.host", ONE),
    ]


def test_a_message_that_moves_while_a_maildir_is_read_comes_once(tmp_path):
    write(maildir(tmp_path) / "new" / "1.host", ONE)
    write(tmp_path / "new" / "2.host", TWO)
    reading = messages(tmp_path)
    assert next(reading).key == "new/1.host"
    for name in ("1.host", "2.host"):
        (tmp_path / "new" / name).rename(tmp_path / "cur" / f"{name}:2,S")
    gone, moved = reading
    assert gone == Item("INBOX", "new/2.host", b"", "cannot be read: No such file or directory")
    assert moved == Item("INBOX", "cur/2.host:2,S", TWO)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Entw&APw-rfe", "Entwürfe"),
        ("&ZeVnLIqe-", "日本語"),
        ("R&-D", "R&D"),
        ("plain", "plain"),
        ("&A-", "&A-"),
        ("&2AA-", "&2AA-"),
        ("a & b", "a & b"),
    ],
)
def test_names_in_modified_utf_7(name, text):
    assert folder_name(name) == text


def packed(path, *entries, mode="w"):
    with tarfile.open(path, mode) as tar:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tar.gz", "w:gz"), ("a.tar.bz2", "w:bz2")])
def test_an_archive_of_all_kinds(tmp_path, name, mode):
    entries = [
        ("./ham/00001.7c53", LINE + ONE),
        ("box/work.mbox", LINE + ONE + b"\n" + LINE + TWO),
        ("Maildir/.Entw&APw-rfe/cur/1.host:2,S", TWO),
        ("mail/cur/2.host", ONE),
    ]
    assert found(packed(tmp_path / name, *entries, mode=mode)) == [
        ("ham", "ham/00001.7c53", ONE),
        ("box/work", "box/work.mbox#0", ONE),
        ("box/work", "box/work.mbox#1", TWO),
        ("Maildir/Entwürfe", "Maildir/.Entw&APw-rfe/cur/1.host:2,S", TWO),
        ("mail", "mail/cur/2.host", ONE),
    ]


def test_an_archive_in_a_folder_and_a_packed_mbox(tmp_path):
    packed(tmp_path / "old.tar", ("ham/1", ONE))
    write(tmp_path / "work.mbox.gz", gzip.compress(LINE + TWO))
    assert found(tmp_path) == [("old.tar/ham", "old.tar/ham/1", ONE), ("work", "work.mbox.gz#0", TWO)]


def test_names_in_an_archive_lead_nowhere(tmp_path):
    path = packed(tmp_path / "a.tar", ("../../etc/1.eml", ONE), ("/etc/2.eml", TWO))
    assert found(path) == [("etc", "etc/1.eml", ONE), ("etc", "etc/2.eml", TWO)]
    assert [file.name for file in tmp_path.iterdir()] == ["a.tar"]


def test_what_is_not_a_file_in_an_archive_is_told(tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as tar:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo(f"ham/{kind.decode()}")
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    with tarfile.open(path, "a") as tar:
        info = tarfile.TarInfo("ham/more.tar")
        inner = packed(tmp_path / "inner.tar", ("x", ONE)).read_bytes()
        info.size = len(inner)
        tar.addfile(info, io.BytesIO(inner))
    assert [(item.key, item.raw, item.problem) for item in messages(path)] == [
        ("ham/2", b"", "a symbolic link in an archive is not followed"),
        ("ham/1", b"", "a hard link in an archive is not followed"),
        ("ham/3", b"", "a device in an archive is not followed"),
        ("ham/6", b"", "a pipe in an archive is not followed"),
        ("ham/more.tar", b"", "an archive within an archive is not read"),
    ]


def test_an_archive_that_is_cut_short_is_read_as_far_as_it_goes(tmp_path):
    whole = packed(tmp_path / "a.tar", ("1.eml", ONE), ("2.eml", TWO * 5000)).read_bytes()
    first, last = messages(write(tmp_path / "cut.tar.gz", gzip.compress(whole)[:-150]))
    assert first == Item("", "1.eml", ONE)
    assert last.problem == "cannot be read: Compressed file ended before the end-of-stream marker was reached"


def test_what_is_not_followed_in_a_folder_is_told(tmp_path):
    write(tmp_path / "mail" / "1.eml", ONE)
    (tmp_path / "mail" / "link.eml").symlink_to("1.eml")
    (tmp_path / "mail" / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "mail" / "pipe.eml")
    assert [(item.key, item.problem) for item in messages(tmp_path)] == [
        ("mail/1.eml", ""),
        ("mail/link.eml", "a symbolic link is not followed"),
        ("mail/loop", "a symbolic link is not followed"),
        ("mail/pipe.eml", "a device, pipe or socket is not followed"),
    ]


def test_what_is_no_message_is_told(tmp_path):
    write(tmp_path / "photo.jpg", b"\xff\xd8\xff\xe0 picture")
    write(tmp_path / "nothing", b"")
    write(tmp_path / "9.eml", b"")
    assert [(item.key, item.raw, item.problem) for item in messages(tmp_path)] == [
        ("9.eml", b"", "the file is empty"),
        ("nothing", b"", "the file is neither a message nor an mbox: it is empty"),
        (
            "photo.jpg",
            b"",
            "the file is neither a message nor an mbox: it starts with b'\\xff\\xd8\\xff\\xe0 picture'",
        ),
    ]


def test_a_message_that_is_too_long_is_cut_and_told(tmp_path, monkeypatch):
    for module in (mailbox, mbox, item):
        monkeypatch.setattr(module, "RAW_BYTES", 50)
    long = ONE + b"word\n" * 20
    told = "the message has more than 50 bytes: the rest is not read"
    for path in (
        write(tmp_path / "a" / "1.eml", long),
        write(tmp_path / "a" / "plain", long),
        packed(tmp_path / "a.tar", ("1.eml", long)),
    ):
        (found_,) = messages(path)
        assert (found_.raw, found_.problem) == (long[:50], told)
    (found_,) = messages(tmp_path / "a" / "1.eml")
    first, second = messages(write(tmp_path / "work.mbox", LINE + long + b"\n" + LINE + TWO))
    assert long.startswith(first.raw)
    assert (first.problem, second.raw) == (told, TWO)


def test_names_that_are_not_utf_8_can_be_printed(tmp_path):
    write(tmp_path / os.fsdecode(b"caf\xe9") / "1.eml", ONE)
    assert found(tmp_path) == [("caf\ufffd", "caf\ufffd/1.eml", ONE)]


def test_a_place_that_does_not_exist_is_told_at_once(tmp_path):
    with pytest.raises(FileNotFoundError):
        messages(tmp_path / "nothing")
