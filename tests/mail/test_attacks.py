"""Malice and bad luck around an account: names, files and servers that are not what they seem, and disks that are full.
Nothing is lost, and nothing is half-changed."""

import os
import socket
import threading

import pytest

from likely.mail.account import Refused, Unreachable
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.imap import Imap
from likely.mail.journal import Journal
from likely.mail.secrets import Secret

from .fake_imap import FakeFolder, FakeImap
from .filers import filled
from .letters import deliver, message
from .places import MaildirPlace
from .test_journal import killed, subject  # noqa: F401 (a fixture)
from .test_watch import Watching

NAMES = ['a "quoted" one', "back\\slash", "100 % & *", "[x] {3}", "né/ü\N{SNOWMAN}", "end "]


def test_any_folder_that_a_server_lets_be(imap, tmp_path):
    place = imap()
    for name in NAMES:
        place.create(name)
    place.put("INBOX", message("Chess", 1))
    account, journal = place.account(), Journal(opened(tmp_path / "journal.sqlite"))
    for name in NAMES:
        moved = journal.move(account, subject(account, account.keys("INBOX")[0]), name)
        assert (moved.state, account.keys(name)) == ("moved", [moved.new_key])
        assert journal.undo(account, moved).state == "moved"
        assert len(account.keys("INBOX")) == 1
    account.close()


def test_any_name_that_a_file_can_have(tmp_path):
    """Bytes that are no text, and two names that read alike."""
    place = MaildirPlace(tmp_path / "mail")
    folders = ["\udcff", "\udcfe", "&APw-", "ü", "new\nline", 'a"b', "...x"]
    for number, name in enumerate(folders):
        place.create(name)
        deliver(place.root / name, message("Chess", number), f"{number}\udcff.host")
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    assert filer.learn().learned == len(folders)
    assert len(filer.model.folders) == len(folders)
    for name in filer.model.folders:
        (key,) = filer.account.keys(name)
        filer.account.move(name, key, "INBOX")
    assert len(filer.account.keys("INBOX")) == len(folders)
    assert filer.learn().corrected == len(folders)


def test_files_that_are_no_longer_what_they_were_when_listed(tmp_path):
    place = MaildirPlace(tmp_path / "mail")
    (tmp_path / "secret").write_text("Subject: of another\n\nx\n")
    place.put("INBOX", *(message("Chess", number) for number in range(6)))
    account = place.account()
    keys = account.keys("INBOX")
    paths = [place.root / "new" / key for key in keys]
    for path in paths[:4]:
        path.unlink()
    os.mkfifo(paths[0])
    paths[1].symlink_to(tmp_path / "secret")
    paths[2].mkdir()
    paths[4].rename(place.root / "cur" / f"{keys[4]}:2,S")  # read by another program
    assert [letter.key for letter in account.read("INBOX", keys)] == keys[4:]


def test_two_watches_file_each_message_once(tmp_path):
    place = filled(MaildirPlace(tmp_path / "mail"))
    one, two = (Watching(place, tmp_path / "ann.sqlite") for _ in range(2))
    two.seen, two.events = one.seen, one.events
    with one, two:
        one.until("learned", 2)
        for number in range(6):
            place.put("INBOX", message("Chess", 1000 + number))
        one.until("filed", 6)
    for number in range(6):
        assert place.contents("Chess").count(message("Chess", 1000 + number)) == 1
    moves = Journal(opened(tmp_path / "ann.sqlite")).of()
    assert [move.state for move in moves] == ["moved"] * 6


def test_a_disk_that_is_full_at_any_byte(tmp_path, killed):  # noqa: F811
    """A process that may write no file longer than so many bytes, from none to enough: each message is in one folder,
    whole, and the journal agrees once there is room again."""
    place = MaildirPlace(tmp_path / "mail")
    place.create("Chess")
    path = tmp_path / "journal.sqlite"
    account, journal = place.account(), Journal(opened(path))
    states = []
    for limit in range(0, 90_000, 6_000):
        place.put("INBOX", message("Chess", limit))
        before = place.contents("INBOX"), place.contents("Chess")
        key = next(letter.key for letter in account.letters(["INBOX"]) if letter.raw == message("Chess", limit))
        killed(limit=limit, database=str(path), address=account.address, key=key, to="Chess")
        journal.recover(account)
        assert not journal.of("state = 'intended'")
        inbox, chess = place.contents("INBOX"), place.contents("Chess")
        assert sorted([*inbox, *chess]) == sorted([*before[0], *before[1]])
        moves = journal.of("key = ?", key)
        states.append(moves[-1].state if moves else "none")
        assert (message("Chess", limit) in chess) == (states[-1] == "moved")
        assert [file.name for file in tmp_path.rglob(".*")] == []
    assert {"none", "moved"} <= set(states)
    account.close()


@pytest.mark.parametrize("move", [True, False])
def test_a_copy_is_taken_back_where_a_message_may_not_leave(imap, tmp_path, move):
    """Dovecot says OK to the expunging of what may not be expunged, and leaves it there."""
    place = imap(acl=True, move=move)
    place.create("Chess")
    place.create("Held")
    place.put("Held", message("Chess", 1))
    (place.server.mail / "Held" / "dovecot-acl").write_text("owner lrwst\n")  # all but to expunge
    place.server.own()
    account, journal = place.account(), Journal(opened(tmp_path / "journal.sqlite"))
    (key,) = account.keys("Held")
    move = journal.move(account, subject(account, key, "Held"), "Chess")
    assert move.state == "refused"
    assert (account.keys("Held"), account.keys("Chess")) == ([key], [])
    with place.client() as client:
        client.select_folder("Held", readonly=True)
        assert b"\\Deleted" not in client.get_flags([1])[1]
    account.close()


class Renaming:
    """A server without MOVE whose owner renames "Fun" to "Joy" right after a COPY, or just before an expunge, and may
    start another "Fun"."""

    def __init__(self, after, anew):
        self.after, self.anew, self.armed = after, anew, True
        self.server = FakeImap("IMAP4rev1 UIDPLUS", answer=self.answer)
        self.server.folders["Fun"] = FakeFolder(validity=8)
        self.server.folders["Other"] = FakeFolder(validity=9)

    def answer(self, words):
        if self.armed and self.after in self.server.asked[:-1]:
            self.armed = False
            self.server.folders["Joy"] = self.server.folders.pop("Fun")
            if self.anew:
                self.server.folders["Fun"] = FakeFolder(validity=10)

    def found(self):
        return {name: len(folder.messages) for name, folder in self.server.folders.items() if folder.messages}


@pytest.mark.parametrize("anew", [False, True])
def test_a_folder_that_is_renamed_while_a_copy_is_checked(tmp_path, monkeypatch, anew):
    """The copy is in it: to call the move refused would make another copy with every run."""
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    renaming = Renaming("UID COPY", anew)
    with renaming.server as server:
        server.folders["INBOX"].add(message("Chess", 1))
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        with pytest.raises(Unreachable, match="'INBOX' to 'Fun'"):
            journal.move(account, subject(account, "7.1"), "Fun")
        journal.recover(account)
        (move,) = journal.of()
        assert (move.state, move.target, move.new_key, renaming.found()) == ("moved", "Joy", "8.1", {"Joy": 1})
        assert journal.undo(account, move).state == "moved"
        assert renaming.found() == {"INBOX": 1}
        account.close()


@pytest.mark.parametrize("anew", [False, True])
def test_a_folder_that_is_renamed_before_a_message_leaves_it(tmp_path, monkeypatch, anew):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    renaming = Renaming("UID COPY", anew)
    renaming.armed = False
    with renaming.server as server:
        server.folders["INBOX"].add(message("Chess", 1))
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        move = journal.move(account, subject(account, "7.1"), "Fun")
        server.asked.clear()
        renaming.armed = True
        with pytest.raises(Unreachable, match="'Fun' to 'INBOX'"):
            journal.undo(account, move)
        journal.recover(account)
        assert renaming.found() == {"INBOX": 1}
        assert [(move.state, move.source) for move in journal.of()] == [("moved", "INBOX"), ("moved", "Joy")]
        account.close()


def test_a_folder_that_is_gone_for_good_is_looked_for_no_longer_than_a_server_takes(tmp_path, monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    renaming = Renaming("UID COPY", anew=False)
    with renaming.server as server:
        server.folders["INBOX"].add(message("Chess", 1))
        account, journal = server.account(), Journal(opened(tmp_path / "journal.sqlite"))
        with pytest.raises(Unreachable):
            journal.move(account, subject(account, "7.1"), "Fun")
        del server.folders["Joy"]
        journal.recover(account)
        assert [move.state for move in journal.of()] == ["intended"]
        account.late = 0.0
        journal.recover(account)
        (move,) = journal.of()
        assert (move.state, move.target, renaming.found()) == ("stopped", "Fun", {"INBOX": 1})
        account.close()


@pytest.mark.parametrize("given", ["BODY[]<0> NIL", ""])
def test_bytes_that_a_server_does_not_give_are_not_taken_for_the_same(tmp_path, monkeypatch, given):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")

    def answer(words):
        return [f"1 FETCH (UID 1 {given})", "OK done"] if "BODY.PEEK[]<" in " ".join(words) else None

    with FakeImap("IMAP4rev1 UIDPLUS", answer=answer) as server:
        server.folders["Fun"] = FakeFolder(validity=8)
        server.folders["INBOX"].add(message("Chess", 1))
        account = server.account()
        with pytest.raises(Refused, match="does not give the bytes"):
            account.move("INBOX", "7.1", "Fun")
        assert len(server.folders["INBOX"].messages) == 1
        account.close()


def test_what_was_learned_is_learned_anew_where_it_is_damaged(tmp_path):
    place = filled(MaildirPlace(tmp_path / "mail"), 60)
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    (state,) = filer.database.execute("SELECT state FROM model").fetchone()
    filer.database.execute("UPDATE model SET state = ?", (state[:5000] + b"?" + state[5001:],))
    later = Filer(place.account(), filer.database)
    assert later.model.learned is None
    assert later.learn().learned == 60
    assert later.model.messages == 60


STATUS = "* STATUS INBOX (UIDVALIDITY 7 UIDNEXT 9)"


class Liar:
    """An IMAP server with scripted answers."""

    def __init__(self, **answers):
        self.answers = {
            "CAPABILITY": "* CAPABILITY IMAP4rev1 MOVE UIDPLUS",
            "LIST": '* LIST () "/" INBOX',
            "STATUS": STATUS,
        } | answers
        self.asked = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"imap://ann@127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return Imap(self.address, Secret())

    def __exit__(self, *error):
        self.listener.close()
        self.thread.join(20)

    def run(self):
        connection, _ = self.listener.accept()
        with connection, connection.makefile("rwb", buffering=0) as stream:
            stream.write(b"* OK hello\r\n")
            for line in stream:
                tag, *words = line.decode().split()
                name = words[1] if words[0] == "UID" else words[0]
                self.asked.append(name.upper())
                told = self.answers.get(name.upper(), "")
                if told is None:
                    return
                stream.write(f"{told}\r\n{tag} OK done\r\n".lstrip().encode())


SELECTED = "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 9] x"


@pytest.mark.parametrize(
    "answers",
    [
        {"EXAMINE": "* 1 EXISTS"},
        {"EXAMINE": SELECTED.replace("7", "seven")},
        {"EXAMINE": SELECTED, "FETCH": "* 1 FETCH (UID 8)"},
        {"EXAMINE": SELECTED, "FETCH": "* 1 FETCH (UID 8 RFC822.SIZE {99999999999}"},
        {"EXAMINE": SELECTED, "FETCH": "* 1 FETCH (UID 8 RFC822.SIZE {99999999999999999999}"},
        {"EXAMINE": SELECTED, "FETCH": f"* 1 FETCH (UID 8 RFC822.SIZE {'9' * 5000})"},
        {"EXAMINE": SELECTED, "FETCH": "* 1 FETCH (UID 8 RFC822.SIZE 3 BODY[] {1}\r\na: )"},
        {"EXAMINE": SELECTED, "FETCH": "* 1 FETCH ((((("},
        {"EXAMINE": SELECTED, "FETCH": f"* 1 FETCH (UID 8 X {'(' * 5000}{')' * 5000})"},
        {"EXAMINE": SELECTED, "FETCH": None},
        {"LIST": "* LIST (((", "EXAMINE": SELECTED},
    ],
)
def test_a_server_that_lies_is_told(answers, monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    monkeypatch.setattr("likely.mail.imap_connection.SECONDS", 1.0)
    with Liar(**answers) as account:
        with pytest.raises((Refused, Unreachable)):
            list(account.read("INBOX", ["7.8"]))
        account.close()


@pytest.mark.parametrize("command", ["MOVE", "COPY"])
@pytest.mark.parametrize("claims", ["", "* OK [COPYUID 7 8 9] done"])
def test_a_message_that_a_server_only_says_it_copied_is_not_taken_out(command, claims, monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    here = "* 1 FETCH (UID 8 FLAGS () RFC822.SIZE 3 BODY[] {3}\r\na: )"
    answers = {"CAPABILITY": f"* CAPABILITY IMAP4rev1 UIDPLUS {command}", command: claims}
    liar = Liar(EXAMINE=SELECTED, SELECT=SELECTED, FETCH=here, **answers)
    with liar as account:
        with pytest.raises(Refused, match="reports that it copied"):
            account.move("INBOX", "7.8", "INBOX")
        account.close()
    assert not {"STORE", "EXPUNGE"} & set(liar.asked)


def test_what_a_server_gives_unasked_is_not_taken(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    both = "* 1 FETCH (UID 8 RFC822.SIZE 3 BODY[] {3}\r\na: )\r\n* 2 FETCH (UID 66 RFC822.SIZE 3 BODY[] {3}\r\nb: )"
    with Liar(EXAMINE=SELECTED, FETCH=both) as account:
        assert [(letter.key, letter.raw) for letter in account.read("INBOX", ["7.8"])] == [("7.8", b"a: ")]
        account.close()


def test_parts_within_parts_without_end_cost_no_message(monkeypatch):
    """What the server reports of them can't be read, and the start of the message is."""
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    parts = '("text" "plain" NIL NIL NIL "7bit" 5 1)'
    for _ in range(5000):
        parts = f'({parts} "mixed" ("boundary" "b") NIL NIL)'

    def answer(words):
        asked = " ".join(words)
        if "BODYSTRUCTURE" in asked:
            return [f"1 FETCH (UID 1 BODYSTRUCTURE {parts})", "OK done"]
        return ["1 FETCH (UID 1 BODY[]<0> {3}\r\na: )", "OK done"] if "BODY.PEEK[]<0." in asked else None

    with FakeImap(answer=answer) as server:
        server.folders["INBOX"].add(b"x" * 100_000)
        account = server.account()
        assert [letter.raw for letter in account.read("INBOX", account.keys("INBOX"))] == [b"a: "]
        account.close()


def test_no_server_tells_a_terminal_what_to_do(monkeypatch, tmp_path):
    from click.testing import CliRunner

    from likely.cli import main

    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    evil = ["NO \x1b]0;title\x07\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}no"]
    for command in ("LIST", "LOGIN", "EXAMINE"):
        with FakeImap(answer=lambda words, of=command: evil if words[0] == of else None) as server:
            server.folders["a"] = FakeFolder()
            done = CliRunner().invoke(main, ["mail", "learn", server.address, "--home", str(tmp_path)])
            assert done.exit_code == 1, done.output
            assert not set(done.output) & {"\x1b", "\x07", "\N{RIGHT-TO-LEFT OVERRIDE}"}


def test_no_message_tells_a_terminal_what_to_do(tmp_path):
    from click.testing import CliRunner

    from likely.cli import main

    place = filled(MaildirPlace(tmp_path / "mail"), 60)
    subject = b"Subject: \x1b]0;title\x07\x1b[2J\xc2\x9b31m\xe2\x80\xaegone\r\n"
    place.put("INBOX", b"From: \x1b[31mann@example.org\n" + subject + message("Chess", 1))
    place.create("new\nline\x1b[2J")
    place.put("new\nline\x1b[2J", b"From: \x1b[31m<a\x1bb@example.org>\n" + subject + b"\nx\n")
    for command in (["learn"], ["file"], ["prove", "--precision", "0.5"]):
        done = CliRunner().invoke(main, ["mail", command[0], str(place.root), "--home", str(tmp_path), *command[1:]])
        assert done.exit_code == 0, done.output
        assert not set(done.output) & {"\x1b", "\x07", "\x9b", "\N{RIGHT-TO-LEFT OVERRIDE}"}


def test_a_file_that_is_no_database_is_one_sentence(tmp_path):
    from click.testing import CliRunner

    from likely.cli import main
    from likely.mail.database import path_for

    place = filled(MaildirPlace(tmp_path / "mail"), 3)
    path = path_for(f"maildir:{place.root}", tmp_path / "home")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 4\x00" * 1000)
    done = CliRunner().invoke(main, ["mail", "learn", str(place.root), "--home", str(tmp_path / "home")])
    assert done.exit_code == 1
    assert "the data of this account can't be read or written: file is not a database" in done.output
