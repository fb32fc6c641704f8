"""What only a server does: quotas, rights, connections that break, and what it must never be asked."""

import pytest

from likely.mail.account import Refused, Unreachable
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.imap import Imap
from likely.mail.journal import Journal, Subject
from likely.mail.secrets import Secret

from .letters import WORDS, message


def subject(account, key):
    (letter,) = account.read("INBOX", [key])
    return Subject("INBOX", key, letter.fingerprint, "", "")


@pytest.mark.parametrize("move", [True, False])
def test_flags_stay_and_nothing_is_marked_or_expunged(imap, move):
    place = imap(move=move)
    place.create("Chess")
    place.put("INBOX", *(message("Chess", number) for number in range(3)))
    with place.client() as client:
        client.select_folder("INBOX")
        client.add_flags([1], ["\\Flagged", "work"])
        client.add_flags([3], ["\\Deleted"])  # another program's, which is not ours to expunge
    account = place.account()
    keys = account.keys("INBOX")
    list(account.read("INBOX", keys))
    account.move("INBOX", keys[0], "Chess")
    with place.client() as client:
        client.select_folder("Chess", readonly=True)
        assert {flag for flag in client.get_flags([1])[1] if flag != b"\\Recent"} == {b"\\Flagged", b"work"}
        client.select_folder("INBOX", readonly=True)
        flags = {uid: set(flags) - {b"\\Recent"} for uid, flags in client.get_flags([2, 3]).items()}
        assert flags == {2: set(), 3: {b"\\Deleted"}}
    account.close()


@pytest.mark.parametrize("move", [True, False])
def test_a_full_quota_leaves_the_message_where_it_is(imap, tmp_path, move):
    place = imap(move=move, quota="messages=3")
    place.create("Chess")
    place.put("INBOX", message("Chess", 1), message("Chess", 2), message("Chess", 3))
    account, journal = place.account(), Journal(opened(tmp_path / "journal.sqlite"))
    keys = account.keys("INBOX")
    done = journal.move(account, subject(account, keys[0]), "Chess")
    if move:  # what only changes places takes no room
        assert done.state == "moved"
    else:
        assert done.state == "refused"
        assert "quota" in done.why.lower()
        assert account.keys("INBOX") == keys
    account.close()


def test_a_folder_that_may_not_be_written(imap, tmp_path):
    place = imap(acl=True)
    place.create("Chess")
    place.put("INBOX", message("Chess", 1))
    (place.server.mail / "Chess" / "dovecot-acl").write_text("owner lr\n")
    (place.server.mail / "dovecot-acl").write_text("owner lr\n")
    place.server.own()
    account, journal = place.account(), Journal(opened(tmp_path / "journal.sqlite"))
    (key,) = account.keys("INBOX")
    move = journal.move(account, subject(account, key), "Chess")
    assert move.state == "refused"
    assert account.keys("INBOX") == [key]
    assert account.keys("Chess") == []
    account.close()


def test_a_server_that_restarts_is_reached_again(imap):
    place = imap()
    place.put("INBOX", message("Chess", 1))
    account = place.account()
    keys = account.keys("INBOX")
    place.server.stop()
    with pytest.raises(Unreachable, match=f"127.0.0.1:{place.server.port}"):
        account.keys("INBOX")
    place.server.start()
    assert account.keys("INBOX") == keys
    account.close()


def test_a_wrong_password_is_told_without_it(imap, monkeypatch):
    place = imap()
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "sesame")
    with pytest.raises(Refused, match="did not accept the login of ann") as told:
        place.account().folders()
    assert "sesame" not in str(told.value)
    assert "sesame" not in (place.root / "log").read_text()


def test_a_host_elsewhere_is_not_spoken_to_in_the_clear(imap, monkeypatch):
    """Only this machine may be used without encryption: nothing is sent over a network."""
    place = imap()
    account = place.account()
    monkeypatch.setattr("likely.mail.imap_connection._is_here", lambda host: False)
    with pytest.raises(Refused, match="no encrypted connection"):
        account.folders()


def test_certificates_are_verified(imap, monkeypatch):
    place = imap(tls=True)
    addresses = [f"imaps://ann@127.0.0.1:{place.server.tls_port}", place.server.address]
    for address in addresses:  # TLS from the start, and by STARTTLS
        with pytest.raises(Refused, match="is not trusted: self"):
            Imap(address, Secret()).folders()
    monkeypatch.setenv("SSL_CERT_FILE", str(place.server.certificate.with_suffix(".crt")))
    for address in addresses:
        account = Imap(address, Secret())
        assert "INBOX" in [folder.name for folder in account.folders()]
        account.close()


def test_ten_thousand_messages(imap, tmp_path):
    """Learned, filed from, and listed."""
    place = imap()
    names = list(WORDS)[1:]
    for name in ("", *names):
        for part in ("cur", "new", "tmp"):
            (place.server.mail / name / part).mkdir(exist_ok=True, parents=True)
    for number in range(10_000):
        name = names[number % 2]
        (place.server.mail / name / "cur" / f"1700000000.M{number:05}.host:2,S").write_bytes(message(name, number))
    (place.server.mail / "new" / "1700000000.M1.host").write_bytes(message("Chess", 20_000))
    place.server.own()
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    assert filer.learn().learned == 10_000
    assert filer.learn().learned == 0
    assert [verdict.action for verdict in filer.file(0.97, move=True)] == ["moved"]
    assert len(filer.account.keys("Chess")) == 5_001
    filer.account.close()


def test_part_of_a_message_id_is_none(imap):
    """SEARCH finds what contains it."""
    place = imap()
    place.put("INBOX", message("Chess", 1), message("Chess", 11))
    account = place.account()
    assert account.find("<11.5@example.org>", ["INBOX"]).raw.startswith(b"From")
    assert account.find("1.5@example.org", ["INBOX"]).key.endswith(".1")
    assert account.find("5@example.org", ["INBOX"]) is None
    account.close()


def test_what_another_program_does_is_a_correction(imap, tmp_path):
    """Of messages without a Message-ID, and of two that are alike."""
    place = imap()
    for folder in WORDS:
        place.create(folder)
        place.put(folder, *(message(folder, number, message_id=False) for number in range(60)))
    place.put("INBOX", *[message("Chess", 1000, message_id=False)] * 2)
    filer = Filer(place.account(), opened(tmp_path / "ann.sqlite"))
    filer.learn()
    assert [verdict.action for verdict in filer.file(0.97, move=True)] == ["moved", "moved"]
    with place.client() as client:
        client.select_folder("Chess")
        client.move([61], "garden")  # one of the two
        client.move([1], "garden")
    lesson = filer.learn()
    assert (lesson.learned, lesson.corrected, lesson.waiting) == (2, 1, 1)
    rows = dict(zip(filer.model.learned.classes, filer.model.learned.rows.table[:, 0], strict=True))
    assert rows == {"Arbeit/Pläne": 60, "Chess": 59, "garden": 62}
    filer.account.close()
