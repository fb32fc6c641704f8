"""Tar archives."""

import bz2
import gzip
import io
import tarfile

import pytest

from likely.mail.archive import is_tar, members, unpacked


def archive(names, form):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as tar:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(name)
            tar.addfile(info, io.BytesIO(name.encode()[: info.size]))
    return file.getvalue()


LONG = "folder/" * 20 + "name"
NAMES = ["a", LONG, "b/c", "x" * 120]


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_names_of_any_length_are_read_in_every_format(form):
    names = [name for name in NAMES if form != tarfile.USTAR_FORMAT or name != "x" * 120]
    found = [(member.name, member.read()) for member in members(io.BytesIO(archive(names, form)))]
    assert found == [(name, name.encode()) for name in names]


def test_names_beyond_ascii_are_read():
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        assert [member.name for member in members(io.BytesIO(archive(["Entwürfe"], form)))] == ["Entwürfe"]


def test_members_that_are_not_read_are_passed_over():
    assert [member.name for member in members(io.BytesIO(archive(NAMES, tarfile.PAX_FORMAT)))] == NAMES


def test_an_archive_is_known_by_its_first_block():
    tar = archive(["a"], tarfile.GNU_FORMAT)
    assert is_tar(tar[:512])
    assert not is_tar(tar[:511])
    assert not is_tar(b"b" + tar[1:512])
    assert not is_tar(bytes(512))
    assert not is_tar(b"From: a@b\n" * 60)


def test_compression_is_known_by_how_a_file_starts():
    for pack in (bytes, gzip.compress, bz2.compress):
        assert unpacked(io.BufferedReader(io.BytesIO(pack(b"From: a@b\n\nx")))).read() == b"From: a@b\n\nx"


def test_a_number_that_is_none_is_damage():
    tar = bytearray(archive(["a"], tarfile.GNU_FORMAT))
    tar[124:136] = b"99999999999\x00"
    tar[148:156] = b"%06o\x00 " % (sum(tar[:148]) + 8 * 32 + sum(tar[156:512]))
    with pytest.raises(OSError, match=r"^the archive is damaged: a header has b'99999999999\\x00' for a number$"):
        list(members(io.BytesIO(bytes(tar))))


def test_an_archive_that_is_cut_short_says_so():
    tar = archive(["a", "b"], tarfile.GNU_FORMAT)
    with pytest.raises(EOFError, match=r"^the archive is cut short$"):
        list(members(io.BytesIO(tar[:600])))
    with pytest.raises(OSError, match=r"cut short$"):
        list(members(io.BytesIO(tar[: 1024 + 100])))
