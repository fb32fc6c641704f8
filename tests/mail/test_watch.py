"""Mail is filed as it comes, over lost connections and restarts of the server."""

import threading

import pytest

from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.watch import watch

from .conftest import made
from .filers import ENOUGH, filled
from .letters import message


class Watching:
    """A watch in its own thread; the test sees its events."""

    def __init__(self, place, path, every=300.0):
        self.seen = threading.Condition()
        self.events, self.stopping = [], False
        self.place, self.path, self.every, self.error = place, path, every, None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        account = self.place.account()
        database = opened(self.path)
        try:
            filer = Filer(account, database)
            tell = [lambda what, kind=kind: self.told(kind, what) for kind in ("filed", "learned", "lost")]
            watch(filer, 0.97, True, *tell, stopped=lambda: self.stopping, every=self.every)
        except Exception as error:
            self.error = error
            self.told("failed", error)
        finally:
            database.close()
            account.close()

    def told(self, kind, what):
        with self.seen:
            self.events.append((kind, what))
            self.seen.notify_all()

    def until(self, kind, count=1, seconds=20.0):
        with self.seen:
            assert self.seen.wait_for(lambda: self.error or len(self.of(kind)) >= count, seconds), self.events
        assert self.error is None
        return self.of(kind)[count - 1]

    def of(self, kind):
        return [what for of, what in self.events if of == kind]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.stopping = True
        self.place.put("INBOX", b"Subject: the last one\n\nbye\n")  # what it waits for
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.mark.parametrize("kind", ["maildir", "imap"])
def test_a_message_is_filed_as_it_comes(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "")
    place = filled(made(kind, tmp_path))
    place.put("INBOX", message("garden", 1000))
    try:
        with Watching(place, tmp_path / "ann.sqlite") as watching:
            assert watching.until("learned").learned == ENOUGH
            assert watching.until("filed").action == "moved"  # what was there before
            place.put("INBOX", message("Chess", 1001))
            assert watching.until("filed", 2).suggestions[0][0] == "Chess"
            assert message("Chess", 1001) in place.contents("Chess")
    finally:
        place.close()


def test_it_goes_on_when_the_server_has_restarted(imap, tmp_path):
    place = filled(imap())
    with Watching(place, tmp_path / "ann.sqlite") as watching:
        watching.until("learned")
        place.put("INBOX", message("Chess", 1000))
        watching.until("filed")
        place.server.stop()
        watching.until("lost")
        place.server.start()
        place.put("INBOX", message("garden", 1001))
        assert watching.until("filed", 2).action == "moved"
    assert place.contents("garden").count(message("garden", 1001)) == 1


def test_without_idle_it_looks_now_and_then(imap, tmp_path, monkeypatch):
    monkeypatch.setattr("likely.mail.imap.POLL", 0.1)
    place = filled(imap(idle=False))
    with Watching(place, tmp_path / "ann.sqlite") as watching:
        watching.until("learned")
        place.put("INBOX", message("Chess", 1000))
        assert watching.until("filed").action == "moved"


def test_it_learns_what_its_owner_does_meanwhile(tmp_path):
    place = filled(made("maildir", tmp_path))
    with Watching(place, tmp_path / "ann.sqlite", every=0.3) as watching:
        watching.until("learned")
        place.put("Chess", message("Chess", 1000))
        number = 2
        while watching.until("learned", number).learned == 0:
            number += 1
        assert watching.of("learned")[-1].learned == 1


def test_it_goes_on_when_a_disk_is_there_again(tmp_path, monkeypatch):
    monkeypatch.setattr("likely.mail.watch.FIRST", 0.001)
    place = filled(made("maildir", tmp_path))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    keys, lost, regained = filer.account.keys, [], []
    broken = [OSError(116, "Stale file handle")] * 3

    def listed(folder):
        if broken:
            raise broken.pop()
        return keys(folder)

    monkeypatch.setattr(filer.account, "keys", listed)
    monkeypatch.setattr(filer.account, "wait", lambda folder, seconds: None)
    watch(filer, 0.97, True, lost=lost.append, regained=lambda: regained.append(1), stopped=lambda: bool(regained))
    assert ([str(error) for error in lost], regained) == (["[Errno 116] Stale file handle"], [1])


def test_it_ends_where_nobody_reads_what_it_reports(tmp_path):
    place = filled(made("maildir", tmp_path))
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))

    def learned(lesson):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        watch(filer, 0.97, True, learned=learned)


def test_it_goes_on_when_its_own_file_can_be_written_again(tmp_path):
    """On a disk that is full for a while."""
    place = filled(made("maildir", tmp_path))
    place.put("INBOX", message("Chess", 1000))
    database, lost, filed = opened(tmp_path / "ann.sqlite"), [], []
    database.execute(f"PRAGMA max_page_count = {database.execute('PRAGMA page_count').fetchone()[0]}")

    def room(error):
        lost.append(str(error))
        database.execute("PRAGMA max_page_count = 1000000")

    watch(Filer(place.account(), database), 0.97, True, filed.append, lost=room, stopped=lambda: bool(filed))
    assert lost == ["database or disk is full"]
    assert [verdict.action for verdict in filed] == ["moved"]
    database.close()
