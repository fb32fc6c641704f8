"""Files are held by one, put in the place of others, and take after them; on every system."""

import os
import subprocess
import sys

import pytest

from likely import system

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other owners, modes and links")


def test_a_file_is_held_by_one_until_it_is_closed(tmp_path):
    path = tmp_path / "held"
    with path.open("wb") as first, path.open("ab") as second:
        assert system.hold(first)
        assert not system.hold(second)
        first.close()
        assert system.hold(second)


def test_a_file_that_is_held_is_held_against_other_processes(tmp_path):
    path = tmp_path / "held"
    script = "import sys; from likely import system; print(system.hold(open(sys.argv[1], 'ab')))"
    with path.open("wb") as file:
        assert system.hold(file)
        command = [sys.executable, "-c", script, str(path)]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_file_in_the_place_of_another_has_its_name_and_is_closed(tmp_path):
    source, target = tmp_path / "new", tmp_path / "old"
    target.write_bytes(b"old")
    with source.open("wb") as file:
        file.write(b"new")
        file.flush()
        system.replace(file, source, target)
        assert file.closed
    assert target.read_bytes() == b"new"
    assert not source.exists()
    system.sync_folder(tmp_path)


def test_only_files_that_nobody_holds_are_removed(tmp_path):
    path = tmp_path / "left"
    with path.open("wb") as file:
        assert system.hold(file)
        system.remove_unless_held(path)
        assert path.exists()
    system.remove_unless_held(path)
    assert not path.exists()
    system.remove_unless_held(path)


@posix
def test_only_files_of_ones_own_are_removed(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe"):
        system.remove_unless_held(tmp_path / name)
    own = os.geteuid()
    monkeypatch.setattr(system.os, "geteuid", lambda: own + 1)
    system.remove_unless_held(tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "link", "pipe"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_takes_the_mode_of_another(tmp_path, mode):
    (tmp_path / "old").write_bytes(b"")
    (tmp_path / "old").chmod(mode)
    with (tmp_path / "new").open("wb") as file:
        system.take_after(file.fileno(), (tmp_path / "old").stat())
    assert (tmp_path / "new").stat().st_mode & 0o777 == mode


@posix
@pytest.mark.parametrize(("mode", "left"), [(0o660, 0o600), (0o664, 0o644), (0o640, 0o600), (0o606, 0o666)])
def test_a_group_that_cannot_be_kept_may_do_what_all_may(tmp_path, monkeypatch, mode, left):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(system.os, "fchown", refuse)
    with (tmp_path / "new").open("wb") as file:
        about = list(os.fstat(file.fileno()))
        about[0], about[5] = about[0] & ~0o777 | mode, about[5] + 1
        system.take_after(file.fileno(), os.stat_result(about))
        assert os.fstat(file.fileno()).st_mode & 0o777 == left


def test_there_are_cores_and_no_more_than_the_machine_has():
    assert 1 <= system.cores() <= os.cpu_count()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says which cores a process may use")
def test_cores_are_those_that_the_process_may_use():
    script = "import os; from likely import system; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])"
    command = [sys.executable, "-c", f"{script}; print(system.cores())"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1\n"
