"""Servers that misbehave: what a real one won't do on demand, and providers do."""

import random

import pytest

from likely.mail.account import Denied, Gone, Refused, Unreachable
from likely.mail.actions import COPY, MOVE, Flagging
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.imap import Imap
from likely.mail.journal import Journal
from likely.mail.secrets import NoSecret, Secret
from likely.mail.watch import watch

from .fake_imap import FakeFolder, FakeImap, _Session
from .letters import message
from .test_journal import subject


@pytest.fixture(autouse=True)
def password(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    monkeypatch.setattr("likely.mail.watch.FIRST", 0.001)
    monkeypatch.setattr("likely.mail.watch.LATEST", 0.01)


def filled(server, count=3):
    server.folders["Fun"] = FakeFolder()
    for number in range(count):
        server.folders["INBOX"].add(message("Chess", number), {"\\Seen"})
    server.folders["Fun"].add(message("Chess", 0))
    return server


# Moves


@pytest.mark.parametrize("capabilities", ["IMAP4rev1 UIDPLUS", "IMAP4rev1 UIDPLUS MOVE", "IMAP4rev1 MOVE"])
@pytest.mark.parametrize("copyuid", [True, False])
def test_moves_whether_or_not_a_server_says_which_the_copy_is(capabilities, copyuid, tmp_path):
    with filled(FakeImap(capabilities, copyuid=copyuid)) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        moves = [journal.move(account, subject(account, key), "Fun") for key in account.keys("INBOX")]
        assert [move.state for move in moves] == ["moved"] * 3
        assert [move.new_key for move in moves] == ["7.2", "7.3", "7.4"]
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (0, 4)
        assert server.folders["Fun"].flags[2] == {"\\Seen"}
        assert [journal.undo(account, move).state for move in moves] == ["moved"] * 3
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (3, 1)
        account.close()


def test_without_move_and_uidplus_nothing_moves(tmp_path):
    with filled(FakeImap("IMAP4rev1")) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        for key in account.keys("INBOX"):
            move = journal.move(account, subject(account, key), "Fun")
            assert (move.state, "neither MOVE nor UIDPLUS" in move.why) == ("refused", True)
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (3, 1)
        account.close()


@pytest.mark.parametrize("command", ["UID MOVE", "STATUS", "SELECT", "UID FETCH"])
def test_a_move_that_is_refused_for_now_is_tried_again_later(command, tmp_path):
    """It is not written as refused for good."""
    answers = {"left": 1}

    def answer(words):
        if words[0] == command and answers["left"]:
            answers["left"] -= 1
            return ["NO [UNAVAILABLE] not now"]
        return None

    with filled(FakeImap()) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        (first, *_) = (subject(account, key) for key in account.keys("INBOX"))
        server.answer = answer
        with pytest.raises(Unreachable, match="not now"):
            journal.move(account, first, "Fun")
        journal.recover(account)
        assert journal.move(account, first, "Fun").state == "moved"
        assert len(server.folders["Fun"].messages) == 2
        account.close()


# Numbers


def test_a_number_that_is_given_to_another_message_moves_nothing(tmp_path):
    """UIDs may not be used again (RFC 3501), but some servers do; what was read under one would file the other."""
    with learnable(FakeImap()) as server:
        inbox = server.folders["INBOX"]
        filer = Filer(server.account(), opened(tmp_path / "ann.sqlite"))
        filer.learn()
        uid, moved = inbox.add(message("Chess", 500)), inbox.add(message("Chess", 501))
        assert [one.action for one in filer.file(0.5)] == ["would move"] * 2
        inbox.messages[uid] = message("garden", 502)
        left, done = filer.file(0.5, True)
        assert (left.action, left.why) == ("left", "the server now has another message under its number")
        assert done.action == "moved"
        assert (uid in inbox.messages, moved in inbox.messages) == (True, False)
        filer.account.close()


@pytest.mark.parametrize("capabilities", ["IMAP4rev1 UIDPLUS", "IMAP4rev1 UIDPLUS MOVE"])
def test_a_folder_that_is_numbered_anew_after_it_was_listed(tmp_path, capabilities):
    """Its first number is now that of another message."""
    with filled(FakeImap(capabilities), 1) as server:
        inbox = server.folders["INBOX"]
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        one = subject(account, "7.1")
        inbox.validity, inbox.messages[1] = 8, message("garden", 1)
        for action in (MOVE, COPY, Flagging("likely")):
            done = journal.move(account, one, "Fun", action=action)
            assert (done.state, done.why) == ("refused", "there is no message '7.1' in folder 'INBOX'")
        with pytest.raises(Gone, match="another one now"):
            account.take_out("INBOX", "7.1", ("Fun", "7.1"))
        assert (inbox.messages, inbox.flags) == ({1: message("garden", 1)}, {1: {"\\Seen"}})
        assert len(server.folders["Fun"].messages) == 1
        account.close()


def learnable(server):
    for folder in ("Chess", "garden"):
        server.folders[folder] = FakeFolder()
        for number in range(60):
            server.folders[folder].add(message(folder, number))
    return server


def test_folders_that_are_numbered_anew_are_the_same_mail(tmp_path):
    with learnable(FakeImap()) as server:
        filer = Filer(server.account(), opened(tmp_path / "ann.sqlite"))
        assert filer.learn().learned == 120
        server.folders["Chess"].validity = 8
        other = FakeFolder(validity=3, next=1000)
        for raw in server.folders["garden"].messages.values():
            other.add(raw)
        server.folders["garden"] = other
        lesson = filer.learn()
        assert (lesson.learned, lesson.corrected, filer.model.messages) == (0, 0, 120)
        server.folders["Chess"].add(message("Chess", 500))
        assert (filer.learn().learned, filer.model.messages) == (1, 121)
        filer.account.close()


# Watching


class Failing:
    """Answers a command with NO for a number of times."""

    def __init__(self, command, told, times=3):
        self.command, self.told, self.times = command, told, times

    def __call__(self, words):
        if words[0] == self.command and self.times:
            self.times -= 1
            return [self.told]
        return None


def watched(account, tmp_path, rounds=6):
    """What was lost and regained, until it has looked around so often without being disturbed."""
    events, left = [], rounds

    def stopped():
        nonlocal left
        left -= 1
        return left < 0 and "learned" in events

    filer = Filer(account, opened(tmp_path / "ann.sqlite"))
    account.wait = lambda folder, seconds: None
    watch(
        filer,
        0.97,
        True,
        learned=lambda lesson: events.append("learned"),
        lost=lambda error: events.append(str(error)),
        regained=lambda: events.append("regained"),
        stopped=stopped,
    )
    account.close()
    return events


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("LOGIN", "NO [UNAVAILABLE] Temporary authentication failure"),
        ("LOGIN", "NO Too many simultaneous connections"),
        ("LOGIN", "BAD User is authenticated but not connected."),
        ("EXAMINE", "NO [INUSE] Mailbox in use"),
        ("EXAMINE", "NO [SERVERBUG] Internal error"),
        ("EXAMINE", "NO I would rather not"),
        ("UID SEARCH", "NO [THROTTLED] slow down"),
        ("UID FETCH", "NO [OVERQUOTA] Account exceeded command or bandwidth limits"),
        ("LIST", "NO [LIMIT] Rate limit hit"),
    ],
)
def test_a_watch_goes_on_over_what_passes_and_says_it_once(command, told, tmp_path):
    with filled(FakeImap(answer=Failing(command, told))) as server:
        events = watched(server.account(), tmp_path)
    lost = [event for event in events if event not in ("learned", "regained")]
    assert len(lost) == 1
    assert told.partition("] ")[2] in lost[0] or told.partition(" ")[2] in lost[0]
    assert events.count("regained") == 1
    assert events.index("regained") > events.index(lost[0])


@pytest.mark.parametrize(
    "told", ["NO [AUTHENTICATIONFAILED] wrong", "NO wrong password", "NO [EXPIRED] new one needed"]
)
def test_a_watch_ends_where_its_login_is_not_accepted(told, tmp_path):
    with filled(FakeImap(answer=Failing("LOGIN", told, 99))) as server:
        with pytest.raises(Denied, match="did not accept the login of ann"):
            watched(server.account(), tmp_path)
        assert server.asked.count("LOGIN") == 1


@pytest.mark.parametrize("last_words", ["", "* BYE shutting down"])
def test_a_watch_goes_on_where_the_connection_is_lost_at_login(last_words, tmp_path):
    """That is no word on the password."""
    times = [2]

    def answer(words):
        if words[0] == "LOGIN" and times[0]:
            times[0] -= 1
            if last_words:
                return [last_words.removeprefix("* "), "NO"]
            raise OSError("hung up")
        return None

    with filled(FakeImap(answer=answer)) as server:
        events = watched(server.account(), tmp_path)
    assert times[0] == 0
    assert "regained" in events


def test_a_command_for_a_token_that_fails_now_and_then(tmp_path, monkeypatch):
    (tmp_path / "tries").write_text("")
    script = tmp_path / "token"
    script.write_text(f"echo x >> {tmp_path}/tries\n[ $(wc -l < {tmp_path}/tries) -gt 2 ] && echo sesame\n")
    with filled(FakeImap()) as server:
        account = Imap(server.address, Secret(password_command=f"sh {script}"))
        events = watched(account, tmp_path)
    assert len([event for event in events if "the command for the password" in event]) == 1
    assert "regained" in events
    monkeypatch.delenv("LIKELY_MAIL_PASSWORD")
    with FakeImap() as server, pytest.raises(NoSecret, match="there is no password for ann"):
        watched(server.account(), tmp_path)


def test_two_tries_are_further_and_further_apart_and_not_in_step(tmp_path, monkeypatch):
    slept = []
    monkeypatch.setattr("likely.mail.watch.sleep", slept.append)
    monkeypatch.setattr("likely.mail.watch.FIRST", 0.1)
    monkeypatch.setattr("likely.mail.watch.LATEST", 120.0)
    random.seed(0)
    with filled(FakeImap(answer=Failing("EXAMINE", "NO [UNAVAILABLE] x", 14))) as server:
        watched(server.account(), tmp_path)
    assert len(slept) == 14
    for tries, seconds in enumerate(slept):
        whole = min(0.1 * 2**tries, 120.0)
        assert 0.5 * whole <= seconds <= 1.5 * whole
    assert len(set(slept[-3:])) == 3


def test_a_watch_that_is_to_move_where_nothing_can_be_moved_ends_at_once(tmp_path):
    from likely.mail.place import Place

    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "INBOX.mbox").touch()
    with pytest.raises(Refused, match="is read-only"):
        watched(Place(tmp_path / "mail"), tmp_path)


# What a server does after it was given up


class Late:
    """Hangs up at a command as it comes, and does it when it is let."""

    def __init__(self, server, command="UID MOVE"):
        self.server, self.command, self.pending = server, command, []
        server.answer = self

    def __call__(self, words):
        if words[0] == self.command:
            self.pending.append(words[1:])
            raise OSError("hung up")

    def happens(self, source="INBOX"):
        """All of them, by sessions that nobody listens to any more."""
        self.server.answer = lambda words: None
        for words in self.pending:
            session = _Session(self.server, None)
            session.name = source
            list(session.on_uid_move(*words))


def test_a_move_that_may_still_happen_is_open_and_not_made_twice(tmp_path):
    with filled(FakeImap(), 1) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        (one,) = (subject(account, key) for key in account.keys("INBOX"))
        late = Late(server)
        with pytest.raises(Unreachable):
            journal.move(account, one, "Fun")
        assert [move.state for move in journal.recover(account)] == ["intended"]
        again = journal.move(account, one, "Fun")
        assert (again.state, "may still" in again.why) == ("refused", True)
        late.happens()
        assert [move.state for move in journal.recover(account)] == ["moved"]
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (0, 2)
        assert journal.undo(account, journal.undoable()[0]).state == "moved"
        account.close()


def test_an_undo_that_may_still_happen_is_not_made_twice(tmp_path):
    with filled(FakeImap(), 1) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        (one,) = (subject(account, key) for key in account.keys("INBOX"))
        move = journal.move(account, one, "Fun")
        late = Late(server)
        with pytest.raises(Unreachable):
            journal.undo(account, move)
        journal.recover(account)
        assert journal.undo(account, move).state == "refused"
        late.happens("Fun")
        journal.recover(account)
        assert journal.undoable() == []
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (1, 1)
        account.close()


@pytest.mark.parametrize("passed", [1, -2], ids=["minutes later", "the clock was set back"])
def test_a_move_that_did_not_happen_for_long_is_made_again(passed, tmp_path):
    with filled(FakeImap(), 1) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        (one,) = (subject(account, key) for key in account.keys("INBOX"))
        Late(server)
        with pytest.raises(Unreachable):
            journal.move(account, one, "Fun")
        server.answer = lambda words: None
        journal.database.execute("UPDATE moves SET at = at - ?", (passed * account.late,))
        assert [move.state for move in journal.recover(account)] == ["stopped"]
        assert journal.move(account, one, "Fun").state == "moved"
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (0, 2)
        account.close()


def test_a_folder_that_cannot_be_looked_at_keeps_no_other_move_open(tmp_path):
    with filled(FakeImap(), 2) as server:
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        server.folders["Work"] = FakeFolder()
        one, two = (subject(account, key) for key in account.keys("INBOX"))
        Late(server)
        for letter, to in ((one, "Fun"), (two, "Work")):
            with pytest.raises(Unreachable):
                journal.move(account, letter, to)
        journal.database.execute("UPDATE moves SET at = at - ?", (account.late,))
        server.answer = lambda words: ["NO [SERVERBUG] internal error"] if words[1:2] == ["Fun"] else None
        assert [move.state for move in journal.recover(account)] == ["intended", "stopped"]
        server.answer = lambda words: None
        assert [move.state for move in journal.recover(account)] == ["stopped"]
        account.close()


def test_a_watch_leaves_a_message_whose_move_may_still_happen(tmp_path):
    """And decides on it when it did not."""
    with FakeImap() as server:
        for folder, words in {"Fun": "Chess", "Garden": "garden"}.items():
            server.folders[folder] = FakeFolder()
            for number in range(120):
                server.folders[folder].add(message(words, number))
        server.folders["INBOX"].add(message("Chess", 1000))
        account, late, rounds, states = server.account(), Late(server), [0], []
        filer = Filer(account, opened(tmp_path / "ann.sqlite"))

        def stopped():
            rounds[0] += 1
            states.append([move.state for move in filer.journal.of()])
            if rounds[0] == 8:
                server.answer = lambda words: None
                filer.database.execute("UPDATE moves SET at = at - ?", (account.late,))
            return rounds[0] > 16

        account.wait = lambda folder, seconds: None
        watch(filer, 0.9, True, stopped=stopped, every=0.0)
        assert len(late.pending) == 1
        assert states[7] == ["intended"]
        assert [move.state for move in filer.journal.of()] == ["stopped", "moved"]
        assert (len(server.folders["INBOX"].messages), len(server.folders["Fun"].messages)) == (0, 121)
        account.close()


def test_what_was_moved_before_a_connection_was_lost_is_told_and_nothing_twice(tmp_path):
    """Among five messages the third loses the connection: the two before it are moved, and the watch says so."""
    with FakeImap() as server:
        for folder, words in {"Fun": "Chess", "Garden": "garden"}.items():
            server.folders[folder] = FakeFolder()
            for number in range(120):
                server.folders[folder].add(message(words, number))
        for number in range(1000, 1005):
            server.folders["INBOX"].add(message("Chess", number))
        account = server.account()
        account.late, account.wait = 0.0, lambda folder, seconds: None
        filer = Filer(account, opened(tmp_path / "ann.sqlite"))
        asked, told = [], []

        def answer(words):
            asked.append(words[0])
            if words[0] == "UID MOVE" and asked.count("UID MOVE") == 3:
                raise OSError("hung up")

        server.answer = answer
        rounds = iter(range(6))
        watch(
            filer, 0.9, True, filed=lambda verdict: told.append((verdict.entry.key, verdict.action)),
            stopped=lambda: next(rounds, None) is None,
        )  # fmt: skip
        assert sorted(told) == [(f"7.{uid}", "moved") for uid in range(1, 6)]
        account.close()


def test_a_folder_that_is_renamed_before_recovery_is_found(tmp_path):
    with FakeImap() as server:
        for folder, words in {"Fun": "Chess", "Garden": "garden"}.items():
            server.folders[folder] = FakeFolder()
            for number in range(120):
                server.folders[folder].add(message(words, number))
        server.folders["INBOX"].add(message("Chess", 1000))
        account = server.account()
        filer = Filer(account, opened(tmp_path / "ann.sqlite"))
        filer.learn()
        late = Late(server)
        with pytest.raises(Unreachable):
            filer.file(0.9, move=True)
        late.happens()
        server.folders["Joy"] = server.folders.pop("Fun")
        filer.learn()
        filer.learn()
        (move,) = filer.journal.of()
        assert (move.state, move.target, move.new_key) == ("moved", "Joy", "7.121")
        account.close()
