"""What was read at a server is not read again: after a lost connection, by another command, on another day."""

from contextlib import closing

import pytest

from likely.mail.account import Unreachable
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.history import History
from likely.mail.index import Index, index_path, read_history

from .fake_imap import FakeFolder, FakeImap
from .letters import message, mixed
from .places import MaildirPlace


@pytest.fixture(autouse=True)
def password(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")


class Counting:
    """Counts the messages whose bodies are fetched, and hangs up after a number of fetches."""

    def __init__(self):
        self.bodies, self.left = [], 10**9

    def __call__(self, words):
        if words[0] == "UID FETCH" and "BODY.PEEK[]" in " ".join(words):
            self.left -= 1
            if self.left < 0:
                raise OSError("hung up")
            self.bodies.append(words[1])
        return


def count(ranges):
    return sum(int(last or first) - int(first) + 1 for part in ranges for first, _, last in [part.partition(":")])


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr("likely.mail.imap_reader.FETCHED", 2000)
    monkeypatch.setattr("likely.mail.parsed.BATCH_BYTES", 1000)
    with FakeImap(answer=Counting()) as server:
        for folder in ("Chess", "garden"):
            server.folders[folder] = FakeFolder()
            for of, raw in mixed(60):
                if of == folder:
                    server.folders[folder].add(raw)
        yield server


def same(one, other):
    return one.entries == other.entries and one.mail[:].to_pylist() == other.mail[:].to_pylist()


def read(*given):
    with read_history(*given) as history:
        return history.loaded()


def fetched(server):
    """Messages whose bodies were fetched since the last time."""
    parts = [part for some in server.answer.bodies for part in some.split(",")]
    server.answer.bodies.clear()
    return count(parts)


def test_it_is_what_reading_gives_and_read_once(server, tmp_path):
    account = server.account()
    path, folders = tmp_path / "ann.sqlite", ["Chess", "garden"]
    expected = History.of_letters(account.letters(folders))
    assert fetched(server) == 40
    assert same(read(account, path, folders, set()), expected)
    assert fetched(server) == 40
    assert same(read(account, path, folders, set()), expected)
    assert fetched(server) == 0
    assert index_path(path).stat().st_mode & 0o777 == 0o600
    server.folders["Chess"].add(message("Chess", 999))
    server.folders["garden"].remove(1)
    later = read(account, path, folders, set())
    assert (len(later), fetched(server)) == (40, 1)
    assert same(later, History.of_letters(account.letters(folders)))
    account.close()


def test_a_connection_that_is_lost_on_the_way(server, tmp_path):
    account = server.account()
    path, folders = tmp_path / "ann.sqlite", ["Chess", "garden"]
    done = 0
    for _ in range(20):
        server.answer.left = 2
        try:
            history = read(account, path, folders, set())
            break
        except Unreachable:
            done += fetched(server)
    else:
        pytest.fail("it does not get on")
    assert len(history) == 40
    assert done > 10
    assert done + fetched(server) == 40  # none twice
    account.close()


def test_all_commands_share_it(server, tmp_path):
    filer = Filer(server.account(), opened(tmp_path / "ann.sqlite"))
    read(filer.account, filer.path, ["Chess", "garden"], set())
    assert fetched(server) == 40
    assert filer.learn().learned == 40
    assert filer.learn(from_scratch=True).learned == 40
    assert fetched(server) == 0
    server.folders["INBOX"].add(message("Chess", 500))
    for _ in range(2):
        filer.file(0.97)
    assert fetched(server) == 1
    server.asked.clear()
    entry, _ = filer.why("<500.5@example.org>")
    assert (entry.folder, entry.key, fetched(server)) == ("INBOX", "7.1", 0)
    assert "UID SEARCH" not in server.asked
    server.folders["garden"].add(server.folders["INBOX"].messages[1])  # which you moved
    server.folders["INBOX"].remove(1)
    entry, _ = filer.why("500.5@example.org")
    assert entry.folder == "garden"
    filer.account.close()


def test_another_version_reads_again(server, tmp_path, monkeypatch):
    account = server.account()
    read(account, tmp_path / "ann.sqlite", ["Chess"], set())
    monkeypatch.setattr("likely.mail.index.__version__", "0.0.0")
    with closing(Index(index_path(tmp_path / "ann.sqlite"))) as index:
        assert index._known("Chess") == set()
    account.close()


def test_a_folder_that_is_gone_and_messages_that_are_left_out(server, tmp_path):
    account = server.account()
    first = account.keys("Chess")[0]
    history = read(account, tmp_path / "ann.sqlite", ["Chess", "Nowhere"], {("Chess", first)})
    assert len(history) == 19
    account.close()


def test_files_need_none(tmp_path):
    place = MaildirPlace(tmp_path / "mail")
    place.create("Chess")
    place.put("Chess", message("Chess", 1))
    assert len(read(place.account(), tmp_path / "ann.sqlite", ["Chess"], set())) == 1
    assert not index_path(tmp_path / "ann.sqlite").exists()
