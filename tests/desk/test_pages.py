from likely.desk.pages import LONG, SHORT, lines, one_line, signed, when


def test_a_megabyte_is_cut() -> None:
    assert len(one_line("x" * 1_000_000)) == SHORT + 1
    shown = lines("y" * 1_000_000)
    assert len(shown) < LONG + 100
    assert "980,000 more characters" in shown


def test_what_would_change_the_page_is_escaped() -> None:
    assert one_line("a\u202eb\x1b[31m\nc") == "a\\u202eb\\x1b[31m\\nc"
    assert lines("one\r\ntwo\x07") == "one\ntwo\\x07"


def test_numbers_and_dates() -> None:
    assert signed(-1.234) == "−1.23"
    assert signed(2) == "+2.00"
    assert when(0) == ""
    assert when(1_000_000_000).endswith("2001")
