"""The ways in which numbers are written."""

import pytest

from likely.data.number_forms import NumberForm, form_of_numbers, is_currency, may_be_thousands, plainly, without_unit


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1\u202f234\u00a0567", "1 234 567"),
        ("\u22125", "-5"),
        ("(5)", "-5"),
        ("$(5.00)", "-$5.00"),
        ("5 -", "-5"),
        ("'5", "5"),
        ("12\u2019345", "12'345"),
        ("2-3-", "2-3-"),
        ("(none)", "(none)"),
    ],
)
def test_signs_and_spaces_become_those_of_a_keyboard(text: str, plain: str) -> None:
    assert plainly(text) == plain


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["1", "2"], NumberForm(".", "", "", True)),
        (["1.234.567", "8"], NumberForm(",", ".", "", True)),
        (["1 234,5"], NumberForm(",", " ", "", False)),
        (["12'345.50"], NumberForm(".", "'", "", False)),
        (["5 km/h", "6 km/h"], NumberForm(".", "", "km/h", True)),
        (["R$ 5,50"], NumberForm(",", "", "R$", False)),
        (["5", "6*"], NumberForm(".", "", "*", True)),
        (["K17", "K18"], None),
        (["Room 5"], None),
        (["1/2"], None),
        (["0171"], None),
        (["x"], None),
    ],
)
def test_the_form_of_numbers(texts: list[str], form: NumberForm | None) -> None:
    assert form_of_numbers(dict.fromkeys(texts, 1), 1.0) == form


def test_a_share_of_texts_may_be_no_numbers() -> None:
    counts = {"1,5": 19, "tall": 1}
    assert form_of_numbers(counts, 0.95) == NumberForm(",", "", "", False)
    assert form_of_numbers(counts, 0.96) is None


def test_a_unit_is_taken_off_only_next_to_a_number() -> None:
    assert [without_unit(text, "$") for text in ("$ 5", "5$", "-$5", "a$b", "$x")] == ["5", "5", "-5", "a$b", "$x"]


def test_numbers_that_may_have_thousands() -> None:
    assert may_be_thousands(["1.234", "950"])
    assert not may_be_thousands(["950"])
    assert not may_be_thousands(["0.234"])
    assert not may_be_thousands(["1.234", "1.5"])


def test_currencies() -> None:
    assert [is_currency(unit) for unit in ("$", "US$", "CHF", "kg")] == [True, True, True, False]
