"""What holds for every kind of account: a Maildir, mbox files, a real IMAP server with and without MOVE."""

import pytest

from likely.mail.account import Gone, Refused, fingerprint

from .letters import message

UMLAUT = "Bücher/Über 日本"


def test_messages_are_read_as_they_are(any_place):
    raws = [message("Chess", number, message_id=number % 2 == 0) for number in range(5)]
    any_place.create("Chess")
    any_place.put("Chess", *raws)
    account = any_place.account()
    keys = account.keys("Chess")
    assert len(set(keys)) == 5
    assert sorted(any_place.contents("Chess")) == sorted(raws)
    some = list(account.read("Chess", [keys[3], keys[1]]))
    assert {letter.key for letter in some} == {keys[3], keys[1]}
    assert account.keys("Chess") == keys
    account.close()


def test_a_move_moves_one_message_and_changes_nothing_of_it(place):
    place.create(UMLAUT)
    place.put("INBOX", *(message("Chess", number) for number in range(3)))
    account = place.account()
    assert UMLAUT in [folder.name for folder in account.folders()]
    first, second, third = account.keys("INBOX")
    (letter,) = account.read("INBOX", [second])
    mark = account.mark(UMLAUT, letter.fingerprint)
    assert account.arrived(UMLAUT, mark, second, letter.fingerprint) is None
    new_key = account.move("INBOX", second, UMLAUT)
    assert account.keys("INBOX") == [first, third]
    assert account.keys(UMLAUT) == [new_key]
    (moved,) = account.read(UMLAUT, [new_key])
    assert moved.raw == letter.raw
    assert account.arrived(UMLAUT, mark, second, letter.fingerprint) == new_key
    account.close()


def test_messages_that_are_alike_are_told_apart(place):
    place.create("Chess")
    raw = message("Chess", 1)
    place.put("INBOX", raw, raw)
    place.put("Chess", raw)
    account = place.account()
    keys = account.keys("INBOX")
    assert len(set(keys)) == 2
    mark = account.mark("Chess", fingerprint(raw))
    before = account.keys("Chess")
    assert account.arrived("Chess", mark, keys[0], fingerprint(raw)) is None or place.kind == "maildir"
    new_key = account.move("INBOX", keys[0], "Chess")
    assert len(account.keys("INBOX")) == 1
    assert sorted(account.keys("Chess")) == sorted([*before, new_key])
    account.close()


def test_what_is_missing_is_told_and_nothing_moves(place):
    place.create("Chess")
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    (key,) = account.keys("INBOX")
    with pytest.raises(Gone, match="'Nowhere'"):
        account.move("INBOX", key, "Nowhere")
    with pytest.raises(Gone, match="'Nowhere'"):
        account.keys("Nowhere")
    place.delete_folder("Chess")
    with pytest.raises((Gone, Refused), match="Chess"):
        account.move("INBOX", key, "Chess")
    assert account.keys("INBOX") == [key]
    assert list(account.read("INBOX", ["1.99" if place.kind == "imap" else "no-such-key"])) == []
    account.close()


def test_a_message_that_is_gone_is_not_moved(place):
    place.create("Chess")
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    (key,) = account.keys("INBOX")
    account.move("INBOX", key, "Chess")
    with pytest.raises(Gone, match="no message"):
        account.move("INBOX", key, "Chess")
    assert len(account.keys("Chess")) == 1
    account.close()


def test_a_wait_ends_when_mail_comes(any_place):
    account = any_place.account()
    account.keys("INBOX")
    any_place.put("INBOX", message("Chess", 1))
    account.wait("INBOX", 0.0 if any_place.kind != "imap" else 30.0)
    assert len(account.keys("INBOX")) == 1
    account.close()


def test_a_fingerprint_is_that_of_the_message_and_not_of_its_reading():
    raw = message("Chess", 1)
    read = raw.replace(b"To: ann", b"Status: RO\nX-Status: A\n folded\nTo: ann")
    assert fingerprint(read) == fingerprint(raw)
    assert fingerprint(raw.replace(b"\n\n", b"\n\nStatus: RO\n")) != fingerprint(raw)
    assert fingerprint(raw.replace(b"knight", b"night") + b".") != fingerprint(raw)
    assert len({fingerprint(part) for part in (b"", b"\n", b"a", b"a\n\nb")}) == 4
