"""The models that the options ask for."""

from types import SimpleNamespace
from typing import Any

import click
import pyarrow as pa
import pytest

from likely.cli.model_factory import BLEND, LOGISTIC, families_of, new_models
from likely.cli.options import Reading
from likely.data.dataset import Dataset
from likely.families import Categorical, Gaussian, Text
from likely.mail import READ_AS

PLAIN = Reading()


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("naive-bayes", ["naive Bayes"]),
        ("gaussian", ["Gaussian classifier"]),
        ("network", ["Bayes network"]),
        ("logistic", [LOGISTIC]),
        ("blend", [BLEND]),
        ("auto", ["naive Bayes", "Gaussian classifier", LOGISTIC, BLEND]),
    ],
)
def test_models_of_a_kind(kind: str, names: list[str]) -> None:
    assert list(new_models(kind, {})) == names


@pytest.mark.parametrize(("kind", "name", "shrink_to"), [("logistic", LOGISTIC, None), ("blend", BLEND, "naive_bayes")])
def test_the_blend_is_logistic_regression_shrunk_towards_naive_bayes(
    kind: str, name: str, shrink_to: str | None
) -> None:
    model = new_models(kind, {"a": Text()})[name]
    assert (model.candidates, model.shrink_to, model.families) == (None, shrink_to, {"a": Text()})
    assert new_models(kind, {})[name].families is None


def source(kind: str) -> Any:
    return SimpleNamespace(kind=kind)


def test_families_are_named() -> None:
    reading = PLAIN._replace(families="age=gaussian, a=b=categorical", texts=("said",))
    table = Dataset(pa.table({"said": ["hello"], "age": [3], "a=b": [1]}), types=reading.column_types())
    assert families_of(table, reading) == {"said": Text(), "age": Gaussian(), "a=b": Categorical()}
    assert families_of(Dataset(pa.table({"age": [3]})), PLAIN) == {}


def test_long_texts_that_the_user_calls_categories_are_not_read_as_words() -> None:
    table = pa.table({"said": [f"it was the {at}. time" for at in range(30)]})
    assert families_of(Dataset(table, types={"said": "category"}), PLAIN) == {"said": Categorical()}
    assert families_of(Dataset(table), PLAIN) == {}


def test_texts_and_mail_are_read_as_such() -> None:
    assert families_of(source("texts"), PLAIN) == {"text": Text()}
    assert families_of(source("mail"), PLAIN) == READ_AS
    assert families_of(source("mail"), PLAIN._replace(families="marks=categorical"))["marks"] == Categorical()


@pytest.mark.parametrize(("families", "says"), [("age", "'age' is not COLUMN=FAMILY"), ("age=normal", "'normal'")])
def test_what_is_no_family_is_wrong_usage(families: str, says: str) -> None:
    with pytest.raises(click.BadParameter, match=says):
        families_of(source("table"), PLAIN._replace(families=families))
