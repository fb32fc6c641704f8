"""What messages at a server are known by, and how they are fetched where a server is of no help."""

import pytest

from likely.mail.account import Refused
from likely.mail.imap_reader import BY_HEADERS, ImapReader, batches, fingerprint

FIELDS = b"BODY[HEADER.FIELDS (DATE FROM)]"


def test_the_servers_own_name_of_a_message():
    assert fingerprint("EMAILID", {b"EMAILID": (b"M6d99ac3275bb4e",)}) == "EMAILID M6d99ac3275bb4e"
    assert fingerprint("X-GM-MSGID", {b"X-GM-MSGID": 1278455344230334865}) == "X-GM-MSGID 1278455344230334865"
    with pytest.raises(Refused, match="did not report EMAILID"):
        fingerprint("EMAILID", {b"EMAILID": None})


def test_else_a_digest_of_fields_and_size():
    def of(size, text):
        return fingerprint(BY_HEADERS, {b"RFC822.SIZE": size, FIELDS: text})

    told = b"Date: x\r\nFrom: ann\r\n\r\n"
    assert of(10, told) == of(10, b"From: ann\nDate: x\n\n")  # in any order, with any line ends
    assert of(10, b"Subject: a\r\n\tb\r\n") == of(10, b"Subject: a b\r\n")
    assert len({of(10, told), of(11, told), of(10, told + b"To: x\r\n"), of(10, None)}) == 4
    with pytest.raises(Refused, match=r"RFC822\.SIZE"):
        of(None, told)


def test_batches_are_bounded(monkeypatch):
    monkeypatch.setattr("likely.mail.imap_reader.FETCHED", 100)
    assert list(batches({1: 50, 2: 50, 3: 1, 4: 500, 5: 1})) == [[1, 2], [3], [4], [5]]


def test_where_parts_are_not_listed_the_start_is_read():
    """Of one message the server can't say what is in it, and refuses to for all that are asked for with it."""
    fetched = []

    def fetch(uids, what):
        fetched.append((uids, what))
        if "BODYSTRUCTURE" in what:
            if 3 in uids:
                raise Refused("no")
            return {uid: {} for uid in uids}
        return {uid: {b"RFC822.SIZE": 10**6, FIELDS: b"", b"BODY[]<0>": b"Subject: x\r\n\r\n"} for uid in uids}

    letters = list(ImapReader(BY_HEADERS, fetch).letters("INBOX", 7, [1, 2, 3]))
    assert sorted(letter.key for letter in letters) == ["7.1", "7.2", "7.3"]
    assert {what[-1] for _, what in fetched if what[-1].startswith("BODY.PEEK[]")} == {"BODY.PEEK[]<0.262144>"}


@pytest.mark.parametrize("size", [100, 10**6])
def test_a_message_that_the_server_refuses_to_give_hides_no_other(size):
    asked = []

    def fetch(uids, what):
        asked.append(uids)
        if 3 in uids and what[-1].startswith("BODY.PEEK[]"):
            raise Refused("NO the message can't be converted")
        return {uid: {b"RFC822.SIZE": size, FIELDS: b"", b"BODY[]": b"Subject: x\r\n\r\n"} for uid in uids}

    letters = list(ImapReader(BY_HEADERS, fetch).letters("INBOX", 7, list(range(1, 11))))
    assert sorted(letter.key for letter in letters) == sorted(f"7.{uid}" for uid in range(1, 11) if uid != 3)
    assert len(asked) < 20


def test_a_server_that_refuses_everything_is_not_asked_for_each_message():
    asked = []

    def fetch(uids, what):
        asked.append(uids)
        raise Refused("NO")

    with pytest.raises(Refused):
        list(ImapReader(BY_HEADERS, fetch).letters("INBOX", 7, list(range(1, 1001))))
    assert len(asked) < 100
