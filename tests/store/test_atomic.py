"""Files are written whole or not at all."""

import os
import signal
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
