"""The names of columns."""

from likely.data.stream.names import column_names


def test_names_are_without_blanks_and_differ() -> None:
    assert column_names([" a ", "", "a", "a 2", "a"]) == ["a", "column 2", "a 3", "a 2", "a 4"]
    assert column_names(["column 2", ""]) == ["column 2", "column 2 2"]
    assert column_names([]) == []
