"""What options say is to be learned."""

import click
import pytest

from likely.cli.chosen import LOGISTIC, families_of, unlearned
from likely.cli.options import Reading
from likely.families import Categorical, Gaussian, Text
from likely.mail import READ_AS

PLAIN = Reading(None, (), (), None, None, None)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("naive-bayes", ["naive Bayes"]),
        ("gaussian", ["Gaussian classifier"]),
        ("logistic", [LOGISTIC]),
        ("auto", ["naive Bayes", "Gaussian classifier", LOGISTIC]),
    ],
)
def test_models_of_a_kind(kind: str, names: list[str]) -> None:
    assert list(unlearned(kind, {})) == names


def test_logistic_regression_is_the_dial() -> None:
    model = unlearned("logistic", {"a": Text()})[LOGISTIC]
    assert (model.candidates, model.shrink_to, model.families) == (None, "naive_bayes", {"a": Text()})
    assert unlearned("logistic", {})[LOGISTIC].families is None


def test_families_are_named() -> None:
    reading = PLAIN._replace(families="age=gaussian, a=b=categorical", texts=("said",))
    assert families_of("table", reading) == {"said": Text(), "age": Gaussian(), "a=b": Categorical()}
    assert families_of("table", PLAIN) == {}


def test_texts_and_mail_are_read_as_such() -> None:
    assert families_of("texts", PLAIN) == {"text": Text()}
    assert families_of("mail", PLAIN) == READ_AS
    assert families_of("mail", PLAIN._replace(families="marks=categorical"))["marks"] == Categorical()


@pytest.mark.parametrize(("families", "says"), [("age", "'age' is not COLUMN=FAMILY"), ("age=normal", "'normal'")])
def test_what_is_no_family_is_wrong_usage(families: str, says: str) -> None:
    with pytest.raises(click.BadParameter, match=says):
        families_of("table", PLAIN._replace(families=families))
