"""Answers read fast are those that IMAPClient reads."""

import pytest
from imapclient.response_parser import parse_fetch_response

from likely.mail import imap_answers
from likely.mail.account import Gone, Refused
from likely.mail.imap_answers import fetched, uid_set

from .fake_imap import FakeImap
from .letters import message

PLAIN = b'("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 110 1 NIL NIL NIL NIL)'
FILE = b'("application" "x" ("name" "a (1).pdf") NIL NIL "base64" 13 NIL ("attachment" ("size" "10")) NIL NIL)'
MIXED = b"(" + PLAIN + FILE + b' "mixed" ("boundary" "b") NIL NIL NIL)'
NESTED = b"(" + MIXED + PLAIN + b' "alternative" ("boundary" "=_c") NIL NIL NIL)'
BODY = b'1 (UID 5 RFC822.SIZE 7 INTERNALDATE "01-Jan-2024 10:00:00 +0100" BODY[HEADER.FIELDS (DATE FROM)] {4}'
GOOD = [
    [(BODY, b") 2 "), b")"],
    [(b"1 (uid 5 body[]<0> {3}", b"abc"), b")", (b"2 (UID 6 BODY[] {1}", b"x"), b")"],
    [(b"1 (UID 5 BODY[1.MIME] {3}", b"abc"), (b" BODY[1]<0> {2}", b"de"), b")"],
    [(b"1 (BODY[] {3}", b"abc"), b" UID 5)"],
    [b"1 (UID 5 EMAILID (M6d99ac3275bb4e))", b"2 (UID 7 X-GM-MSGID 1278455344230334865)"],
    [b"1 (UID 5 RFC822.SIZE 12)", b"2 (UID 7 RFC822.SIZE 13 FLAGS (\\Seen $x) MODSEQ (12))"],
    [(b"1 (UID 5 BODYSTRUCTURE " + MIXED + b" BODY[] {3}", b"abc"), b")"],
    [b"1 (UID 5 BODYSTRUCTURE " + PLAIN + b")", b"2 (UID 6 bodystructure " + NESTED + b" RFC822.SIZE 5)"],
    [None],
]


@pytest.mark.parametrize("data", GOOD)
def test_they_are_the_same(data):
    expected = {
        uid: {name: value for name, value in told.items() if name not in (b"SEQ", b"FLAGS", b"MODSEQ")}
        for uid, told in parse_fetch_response(data).items()
    }
    for told in expected.values():
        if b"INTERNALDATE" in told:
            told[b"INTERNALDATE"] = told[b"INTERNALDATE"].astimezone()
    assert fetched(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        [b"1 (FLAGS (\\Seen))"],  # of another message, without a UID
        [b'1 (UID 5 BODY[] "abc")'],
        [b"1 (UID 5 BODY[] NIL)"],
        [b"1 (UID 5 X-ELSE 7)"],
        [(b"1 (UID 5 ENVELOPE {3}", b"abc"), b")"],
        [b"1 (UID 5", b")"],
        [b'1 (UID 5 BODYSTRUCTURE ("text" "a\\"b"))'],
        [(b'1 (UID 5 BODYSTRUCTURE ("text" {3}', b"abc"), b"))"],
        [b'1 (UID 5 BODYSTRUCTURE ("text" 1e5))'],
        [b'1 (UID 5 BODYSTRUCTURE ("text")'],
    ],
)
def test_what_is_not_known_is_left_to_imapclient(data):
    assert fetched(data) is None


@pytest.mark.parametrize(
    "moment",
    [b"01-Jan-2024 10:00:00 +0100", b" 9-Feb-1999 23:59:59 -0330", b"29-feb-2024 00:00:00 +0000"],
)
def test_dates_are_the_same(moment):
    data = [b'1 (UID 5 INTERNALDATE "' + moment + b'")']
    ours, theirs = (read(data)[5][b"INTERNALDATE"].timestamp() for read in (fetched, parse_fetch_response))
    assert ours == theirs


def test_sets_of_uids_are_as_short_as_they_can_be():
    assert uid_set([1, 2, 3, 7, 9, 10]) == "1:3,7,9:10"
    assert uid_set([5]) == "5"


@pytest.mark.parametrize(
    "moment",
    [
        b"",
        b"soon",
        b"01-Jan-0001 00:00:00 +0000",
        b"31-Dec-9999 23:59:59 -1200",
        b"31-Dec-9999 23:59:59 +0000",
        b"01-Jan-2024 00:00:00 +9999",
        b"00-Foo-2024 00:00:00 +0000",
    ],
)
def test_a_date_that_is_none_costs_no_message(moment):
    assert fetched([b'1 (UID 5 INTERNALDATE "' + moment + b'" RFC822.SIZE 7)']) == {
        5: {b"INTERNALDATE": None, b"RFC822.SIZE": 7}
    }


def test_a_command_that_is_refused_leaves_no_answer_to_the_next(monkeypatch):
    """The one after it was sent by then: what the server says to it is not the answer to what is asked later."""
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    monkeypatch.setattr(imap_answers, "PIECE", 2)
    answers = {"1:2": ["NO broken"], "3": ["OK it is gone"]}
    with FakeImap(answer=lambda words: answers.get(words[1]) if words[0] == "UID FETCH" else None) as server:
        for number in range(8):
            server.folders["INBOX"].add(message("Chess", number))
        account = server.account()
        with pytest.raises(Refused, match="broken"):
            account.fingerprints("INBOX", account.keys("INBOX"))
        with pytest.raises(Gone):
            account.keywords("INBOX", "7.3")
        assert len(account.fingerprints("INBOX", account.keys("INBOX")[4:])) == 4
        account.close()
    assert server.logins == 1


def test_no_command_is_longer_than_servers_take(monkeypatch):
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    lengths = []
    with FakeImap(answer=lambda words: lengths.append(len(" ".join(words)))) as server:
        inbox = server.folders["INBOX"]
        uids = range(4_000_000_000, 4_000_002_000, 2)
        inbox.messages |= dict.fromkeys(uids, message("Chess", 1))
        inbox.flags |= {uid: set() for uid in uids}
        account = server.account()
        assert len(list(account.read("INBOX", account.keys("INBOX")))) == 1000
        account.close()
    assert max(lengths) < 8000 < sum(lengths)


def test_flags_that_change_meanwhile_are_not_those_of_another_message(monkeypatch):
    """A server may report them by the number of a message alone, which is the UID of another one, read before."""
    monkeypatch.setenv("LIKELY_MAIL_PASSWORD", "x")
    monkeypatch.setattr(imap_answers, "PIECE", 1)

    def answer(words):
        if words[0] != "UID FETCH":
            return None
        uid = int(words[1])
        return [f"{uid} FETCH (UID {uid} RFC822.SIZE 100 X-GM-MSGID {uid}99)", "5 FETCH (FLAGS ($x))", "OK done"]

    with FakeImap(answer=answer, capabilities="IMAP4rev1 UIDPLUS X-GM-EXT-1") as server:
        server.folders["INBOX"].messages |= dict.fromkeys((5, 6, 7), b"")
        account = server.account()
        found = account.fingerprints("INBOX", ["7.5", "7.6", "7.7"])
        account.close()
    assert found == {f"7.{uid}": f"X-GM-MSGID {uid}99" for uid in (5, 6, 7)}
