"""Waiting by IDLE: whatever comes, and however it is cut into packets, a change is heard at once."""

from time import monotonic

import pytest

from likely.mail.account import Unreachable

from .dovecot import certify
from .fake_imap import FakeImap

PACKETS = [
    (b"+ idling\r\n* 1 EXISTS\r\n",),  # the second line lies in a buffer, and the socket is quiet
    (b"* 1 EXISTS\r\n+ idling\r\n",),
    (b"* OK still here\r\n+ idling\r\n* OK still here\r\n* 1 EXISTS\r\n",),
    (b"+ idling\r\n", b"* OK still here\r\n", b"* 3 EXPUNGE\r\n* 2 EXISTS\r\n"),
    (b"+ idling\r\n* OK " + 9000 * b"x" + b"\r\n* 1 EXISTS\r\n",),  # more than a buffer
]


@pytest.fixture(autouse=True)
def password(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    certify(path)
    return path


def seconds_waited(server, seconds=20.0):
    account, start = server.account(), monotonic()
    try:
        account.keys("INBOX")
        account.wait("INBOX", seconds)
    finally:
        account.close()
    return monotonic() - start


@pytest.mark.parametrize("idling", PACKETS)
@pytest.mark.parametrize("tls", [False, True])
def test_a_change_is_heard_at_once(idling, tls, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    with FakeImap(idling=idling, certificate=certificate if tls else None) as server:
        assert seconds_waited(server) < 5
        assert server.asked.count("IDLE") == 1


def test_a_line_that_comes_in_two_pieces():
    with FakeImap(idling=(b"+ idling\r\n* 1 EXI", b"STS\r\n")) as server:
        assert seconds_waited(server) < 5


def test_a_wait_without_change_ends_in_time():
    with FakeImap(idling=(b"+ idling\r\n* OK still here\r\n",)) as server:
        assert 0.5 <= seconds_waited(server, 0.5) < 5


def test_a_server_that_hangs_up_is_lost():
    hanging_up = FakeImap(idling=(b"+ idling\r\n* BYE\r\n", b""))
    with hanging_up as server, pytest.raises(Unreachable):
        seconds_waited(server)


def test_a_server_that_does_not_want_to_is_asked_now_and_then(monkeypatch):
    monkeypatch.setattr("likely.mail.imap.POLL", 0.1)
    with FakeImap(answer=lambda words: ["NO [LIMIT] not now"] if words == ["IDLE"] else None) as server:
        seconds_waited(server, 0.5)
        assert server.asked.count("IDLE") > 2
