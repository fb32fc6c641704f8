"""A folder that was listed before is listed by its changes."""

import pytest

from likely.mail.account import Listing
from likely.mail.imap_listing import Stamp, _without
from likely.mail.index import Index

from .fake_imap import FakeImap
from .letters import message


@pytest.fixture
def asked(monkeypatch):
    """The commands sent to servers since they were looked at the last time."""
    from imaplib import IMAP4

    sent, send = [], IMAP4.send

    def listening(imap, data):
        sent.append(bytes(data).decode(errors="replace").partition(" ")[2].strip())
        return send(imap, data)

    monkeypatch.setattr(IMAP4, "send", listening)

    def since():
        found = sent.copy()
        sent.clear()
        return found

    return since


def changed_in_many_ways(client):
    """Actions of the user; after each, the folder has other messages."""
    client.select_folder("Chess")
    yield client.append("Chess", message("Chess", 100))
    client.add_flags([1, 2, 3], ["\\Flagged"])
    client.delete_messages([2, 3, 7])
    yield client.expunge()
    client.copy([1], "INBOX")
    client.delete_messages([1])
    client.expunge()
    yield client.append("Chess", message("Chess", 101))
    client.delete_messages([4])
    client.expunge()
    yield client.append("Chess", message("Chess", 102))
    client.delete_messages(client.search("ALL"))
    yield client.expunge()


@pytest.mark.parametrize("options", [{}, {"move": False}], ids=["QRESYNC", "plain"])
def test_it_is_what_a_search_lists_and_asks_for_changes_alone(imap, tmp_path, asked, options):
    place = imap(**options)  # a server whose MOVE is hidden hides QRESYNC too
    place.create("Chess")
    place.put("Chess", *(message("Chess", number) for number in range(10)))
    account, other, index = place.account(), place.account(), Index(tmp_path / "index")
    assert len(index.keys(account, "Chess")) == 10
    with place.client() as client:
        for _ in changed_in_many_ways(client):
            other.listings.clear()
            truth = other.keys("Chess")
            asked()
            assert index.keys(account, "Chess") == truth
            commands = asked()
            assert account.keys("Chess") == truth
            assert account.server.resyncs == (not options)
            assert any("SEARCH ALL" in command for command in commands) == bool(options)
            list(account.read("INBOX", ["1.1"]))  # another folder is open
            asked()
            assert index.keys(account, "Chess") == truth
            assert [command.split()[0] for command in asked()] == ["STATUS"]
    index.database.close()
    account.close()
    other.close()


def test_the_wait_hears_what_vanishes(imap):
    place = imap()
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    account.keys("INBOX")
    assert account.server.resyncs
    place.put("INBOX", message("Chess", 2))
    account.wait("INBOX", 30.0)
    assert len(account.keys("INBOX")) == 2
    account.close()


def test_a_server_that_does_not_say_what_comes_next_is_listed_each_time(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    with FakeImap(uidnext=False) as server:
        uid = server.folders["INBOX"].add(message("Chess", 1))
        account = server.account()
        assert account.keys("INBOX") == ["7.1"]
        server.folders["INBOX"].remove(uid)
        server.folders["INBOX"].add(message("Chess", 2))
        assert account.keys("INBOX") == ["7.2"]
        account.close()


def test_a_server_that_keeps_what_has_vanished_to_itself_is_listed_again(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")

    def answer(words):
        if words[0] == "ENABLE":
            return ["ENABLED QRESYNC", "OK done"]
        if "QRESYNC" in " ".join(words):
            return ["1 EXISTS", "OK [UIDVALIDITY 7] x", "OK [UIDNEXT 4] x", "OK [HIGHESTMODSEQ 9] x", "OK done"]
        return None

    with FakeImap("IMAP4rev1 UIDPLUS MOVE ENABLE CONDSTORE QRESYNC", answer=answer) as server:
        for number in range(3):
            server.folders["INBOX"].add(message("Chess", number))
        for uid in (1, 3):
            server.folders["INBOX"].remove(uid)
        account = server.account()
        assert account.listing("INBOX", Listing(["7.1", "7.2", "7.3"], "7.4.3.5")).keys == ["7.2"]
        assert server.asked.count("EXAMINE") == 2
        account.close()


def test_stamps():
    stamp = Stamp.reported({b"UIDVALIDITY": 7, b"UIDNEXT": 11, b"EXISTS": 3, b"HIGHESTMODSEQ": 9})
    assert stamp == Stamp(7, 11, 3, 9) == Stamp.of(Listing([], "7.11.3.9"))
    assert stamp.holds(stamp._replace(modseq=12))
    assert not any(stamp.holds(stamp._replace(**{name: 99})) for name in ("validity", "next", "messages"))
    assert Stamp.of(None) is None


def test_what_has_vanished():
    assert _without([1, 2, 5, 9], b"(EARLIER) 2:4,9 100:4294967295") == [1, 5]
    assert _without([1, 2], b"") == [1, 2]


def test_uids_that_repeat_or_can_be_none(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    listed = ["SEARCH 3 1 3 0 4294967296 2 99999999999999999999", "OK done"]
    with FakeImap(answer=lambda words: listed if words[0] == "UID SEARCH" else None) as server:
        account = server.account()
        assert account.keys("INBOX") == ["7.1", "7.2", "7.3"]
        account.close()
