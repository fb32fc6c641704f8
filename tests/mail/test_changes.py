"""What an owner has done: of what was known and what is there, without an account or a database."""

import pytest

from likely.mail.changes import Changes, Known, changes, unknown
from likely.mail.history import Entry

NOW = 1000.0


def seen(folder, key, fingerprint, state="learned", since=0.0, gone=None):
    return (folder, key), Known(folder, key, fingerprint, 5.0, state, since, gone)


def entry(folder, key, fingerprint):
    return Entry(folder, key, fingerprint, "", "", "", 5.0)


def found(known, came, gone=(), filed=(), settled_before=-1.0):
    known = dict(known)
    listing = {spot for spot, one in known.items() if one.gone is None} - set(gone) | {(e.folder, e.key) for e in came}
    assert {(one.folder, one.key) for one in came} == set(unknown(known, listing))
    return changes(known, listing, came, "INBOX", settled_before, lambda one: one.fingerprint in filed, NOW)


def test_nothing():
    assert found([seen("Chess", "1", "a"), seen("INBOX", "1", "b", "seen")], []) == Changes()


def test_what_is_new_is_learned_and_what_comes_in_is_seen():
    told = found([], [entry("Chess", "1", "a"), entry("INBOX", "1", "b"), entry("garden", "1", "c")], filed={"c"})
    assert told.learn == [0]
    assert told.state == [(0, "learned", NOW), (1, "seen", NOW), (2, "waiting", NOW)]
    assert (told.forget, told.missing, told.moved) == ([], [], [])


@pytest.mark.parametrize("to", ["garden", "INBOX"])
def test_what_was_learned_elsewhere_is_forgotten_there(to):
    (spot, old) = seen("Chess", "1", "a")
    told = found([(spot, old)], [entry(to, "9", "a")], gone=[spot])
    assert (told.forget, told.moved, told.missing) == ([(0, old)], [old], [old])
    assert told.learn == ([0] if to == "garden" else [])


def test_another_key_in_the_same_folder_changes_nothing():
    (spot, old) = seen("Chess", "1", "a", "waiting", 7.0)
    told = found([(spot, old)], [entry("Chess", "2", "a")], gone=[spot])
    assert (told.learn, told.forget, told.state, told.moved) == ([], [], [(0, "waiting", 7.0)], [old])


def test_of_two_that_are_alike_one_moved():
    first, second = seen("Chess", "1", "a"), seen("Chess", "2", "a")
    told = found([first, second], [entry("garden", "9", "a")], gone=[first[0]])
    assert (told.forget, told.missing) == ([(0, first[1])], [first[1]])


def test_what_was_gone_for_a_while_is_recognised():
    _, old = known = seen("Chess", "1", "a", gone=500.0)
    told = found([known], [entry("garden", "9", "a")])
    assert (told.forget, told.moved, told.missing) == ([(0, old)], [old], [])


def test_what_likely_filed_is_settled_by_time_or_by_company():
    waits = [seen("Chess", "1", "a", "waiting", 500.0), seen("garden", "1", "b", "waiting", 100.0)]
    assert found(waits, []).settled == []
    assert found(waits, [], settled_before=100.0).settled == [("garden", "1")]
    assert found(waits, [entry("Chess", "2", "c")]).settled == [("Chess", "1")]
    assert found(waits, [entry("Chess", "2", "c")], filed={"c"}).settled == []
    assert found(waits, [], gone=[("garden", "1")], settled_before=100.0).settled == []


CHESS = [seen("Chess", str(key), f"c{key}") for key in range(5)]


def test_a_folder_whose_messages_are_in_another_was_renamed():
    came = [entry("Schach", str(key), f"c{key}") for key in range(3)]
    assert found(CHESS, came, gone=[spot for spot, _ in CHESS]).renamed == {"Chess": "Schach"}


def test_nor_matters_it_when_it_was_missed():
    """Where folders are listed as one is renamed, it may be in no folder the first time; others were deleted before."""
    gone = [seen(*spot, one.fingerprint, gone=500.0) for spot, one in CHESS]
    gone += [seen("Chess", f"old{key}", f"old{key}", gone=100.0) for key in range(20)]
    came = [entry("Schach", str(key), f"c{key}") for key in range(5)]
    assert found(gone, came).renamed == {"Chess": "Schach"}


@pytest.mark.parametrize(
    ("more", "came", "stays"),
    [
        ([], [entry("Schach", "1", "c1"), entry("Schach", "2", "c2")], []),  # most of it is nowhere
        ([], [entry("Schach", str(key), f"c{key}") for key in range(4)], ["4"]),  # one stayed
        ([seen("Schach", "9", "s")], [entry("Schach", str(key), f"c{key}") for key in range(5)], []),  # it was there
        ([], [entry("INBOX", str(key), f"c{key}") for key in range(5)], []),  # taken back
        ([seen("Old", "7.1", "o", gone=100.0)], [entry("Fresh", "8.1", "o")], ["0", "1", "2", "3", "4"]),  # it is one
    ],
)
def test_what_was_moved_is_no_renaming(more, came, stays):
    gone = [spot for spot, _ in CHESS if spot[1] not in stays]
    assert found([*CHESS, *more], came, gone=gone).renamed == {}
