from likely.mail.item import cut_short, path_of


def test_names_as_a_path():
    assert path_of(()) == ""
    assert path_of(("Work.sbd", "Plans.sbd")) == "Work/Plans.sbd"
    assert path_of(("caf\udce9", "1")) == "caf\ufffd/1"


def test_what_is_cut_is_said():
    assert cut_short(False) == ""
    assert cut_short(True) == "the message has more than 33,554,432 bytes: the rest is not read"
