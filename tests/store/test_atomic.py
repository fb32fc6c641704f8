"""Files are written whole or not at all."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from likely.store import replacing


def test_a_file_is_there_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with replacing(path) as file:
        file.write(b"after")
        file.flush()
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_goes_wrong_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        interrupted()
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one_and_its_file_keeps_its_mode(tmp_path: Path) -> None:
    path, link = tmp_path / "a", tmp_path / "link"
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to(path)
    with replacing(link) as file:
        file.write(b"after")
    assert link.is_symlink()
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_mode_that_the_umask_asks_for(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "a") as file:
            file.write(b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_writers_side_by_side_do_not_mix(tmp_path: Path) -> None:
    path, torn = tmp_path / "a", []

    def write(letter: bytes) -> None:
        for _ in range(20):
            with replacing(path) as file:
                for _ in range(50):
                    file.write(letter * 1000)
            found = path.read_bytes()
            if len(found) != 50_000 or len(set(found)) != 1:
                torn.append(found)

    writers = [Thread(target=write, args=(letter,)) for letter in (b"a", b"b", b"c")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not torn
    assert list(tmp_path.iterdir()) == [path]


HALF = """
import sys
from likely.store import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", HALF, str(tmp_path / "a")]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_a_kill_leaves_a_file_that_the_next_writer_removes(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", HALF, str(tmp_path / "a")]
    alive, killed = (subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2))
    for process in (alive, killed):
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
    killed.kill()
    killed.communicate()
    assert len(list(tmp_path.iterdir())) == 2
    with replacing(tmp_path / "b") as file:
        file.write(b"b")
    assert len(list(tmp_path.iterdir())) == 2  # b, and what the other still writes
    alive.communicate(b"")
    assert (tmp_path / "a").read_bytes() == b"half"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_file_of_another_name_stays(tmp_path: Path) -> None:
    names = [".a.1234abcd", ".likely-notes", "likely-1.part"]
    for name in names:
        (tmp_path / name).write_bytes(b"mine")
    os.mkfifo(tmp_path / ".likely-0.part")  # which nobody writes to, and is waited for by nobody
    with replacing(tmp_path / "a") as file:
        file.write(b"a")
    assert {path.name for path in tmp_path.iterdir()} == {"a", ".likely-0.part", *names}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_what_is_written_is_never_more_open_than_what_was_there(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    path.chmod(mode)
    with replacing(path) as file:
        file.write(b"secret")
        file.flush()
        (beside,) = tmp_path.glob(".likely-*")
        assert beside.stat().st_mode & 0o777 == mode
    assert path.stat().st_mode & 0o777 == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    os.chown(path, 1234, 4321)
    with replacing(path) as file:
        file.write(b"after")
        assert os.fstat(file.fileno()).st_uid == 1234
    about = path.stat()
    assert (about.st_uid, about.st_gid) == (1234, 4321)


def test_a_name_as_long_as_a_name_can_be(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 255)
    with replacing(path) as file:
        file.write(b"long")
    assert path.read_bytes() == b"long"


def test_a_device_stays_one() -> None:
    with replacing("/dev/null") as file:
        file.write(b"gone")
    assert Path("/dev/null").is_char_device()
    assert not list(Path("/dev").glob(".likely-*"))


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, link, read = tmp_path / "pipe", tmp_path / "link", []
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with replacing(link) as file:
        file.write(b"through")
    reader.join()
    assert read == [b"through"]
    assert pipe.is_fifo()


def test_a_socket_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        with pytest.raises(OSError, match="it is a socket"), replacing(path):
            pass
    assert path.is_socket()


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(OSError, match="Too many levels"), replacing(one):
        pass
    assert sorted(tmp_path.iterdir()) == [one, two]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pass


TO_OUTPUT = """
from likely.store import replacing
with replacing("/dev/stdout") as file:
    file.write(b"through")
"""


@pytest.mark.parametrize("appended", [False, True])
def test_standard_output_is_written_on_where_it_goes(tmp_path: Path, appended: bool) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before ")
    with path.open("ab" if appended else "r+b") as out:
        out.seek(0, os.SEEK_END)
        subprocess.run([sys.executable, "-c", TO_OUTPUT], stdout=out, check=True)
    assert path.read_bytes() == b"before through"
    done = subprocess.run([sys.executable, "-c", TO_OUTPUT], stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"through"
    ours, theirs = socket.socketpair()
    with ours, theirs:
        subprocess.run([sys.executable, "-c", TO_OUTPUT], stdout=theirs, check=True)
        assert ours.recv(100) == b"through"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such folder") as error, replacing(tmp_path / "no" / "m"):
        pass
    assert error.value.filename == str(tmp_path / "no")
