"""Errors as fields, and the sentences made of them."""

import pickle

import numpy as np
import pytest

from likely import NaiveBayes, errors
from likely.errors import BadCell, BadLabel, Degenerate, EmptyColumns, MixedTypes, NeverLearned, TableError, WrongType
from likely.families import Gaussian
from likely.priors import MaximumLikelihood

ERRORS = {
    "Poisson needs counts; column 'a', row 3, has -1.5": BadCell("Poisson needs counts", 3, "a", np.float64(-1.5)),
    "column 'a', row 3, has 'x', which is no number": BadCell("", 3, "a", "x", ", which is no number"),
    "weights must be finite; row 2 has nan": BadCell("weights must be finite", 2, None, float("nan")),
    "labels must be there; row 1 of y has None": BadLabel("labels must be there", 1, None, None),
    "labels must be there; column 'y', row 1, has None": BadLabel("labels must be there", 1, "y", None),
    "row 0 has 5, which is no text": WrongType("", 0, None, 5, ", which is no text"),
    "column 'age' mixes types: it has 31.5, and in row 1 'old'": MixedTypes(1, "age", "old", 31.5),
    "No variance for column 'age' in class 'p'; use a prior": Degenerate("No variance", "p", "age", "use a prior"),
    "a rank of 2; shrink it": Degenerate("a rank of 2", None, None, "shrink it"),
    "some of these rows were never learned: class 2 would be left with less than nothing; nothing was forgotten": (
        NeverLearned(2, 7)
    ),
    "there is no column 'b'": TableError("there is no column 'b'"),
}  # fmt: skip


@pytest.mark.parametrize(("sentence", "error"), ERRORS.items(), ids=lambda value: type(value).__name__)
def test_sentences(sentence: str, error: TableError) -> None:
    assert str(error) == sentence
    assert isinstance(error, ValueError)
    assert isinstance(error, TypeError) == isinstance(error, WrongType)


@pytest.mark.parametrize("error", ERRORS.values(), ids=lambda error: type(error).__name__)
def test_errors_cross_processes(error: TableError) -> None:
    """As joblib asks for: with what was filled in later."""
    error.place = "t.csv, line 5"
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (type(error), str(error))
    error.place = ""


def test_every_error_has_its_sentence_here() -> None:
    own = {one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, Exception)}
    assert own == {type(error) for error in ERRORS.values()} | {EmptyColumns}


def test_columns_without_a_value_are_named() -> None:
    assert str(EmptyColumns(["a"])) == "column 'a' has no value present; the model leaves it out until rows have one"
    both = "columns 'a', 0 have no value present; the model leaves them out until rows have one"
    assert str(EmptyColumns(["a", 0])) == both


def test_a_place_stands_for_the_row() -> None:
    error = BadCell("Poisson needs counts", 3, "a", -1)
    error.place = "t.csv, line 5"
    assert str(error) == "t.csv, line 5: Poisson needs counts; column 'a' has -1"
    error.column = None
    assert str(error) == "t.csv, line 5: Poisson needs counts; the cell has -1"


def test_a_model_fills_in_the_column_and_the_class() -> None:
    with pytest.raises(Degenerate) as caught:
        NaiveBayes(families=Gaussian(prior=MaximumLikelihood())).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    assert (caught.value.column, caught.value.of_class) == (0, "b")
    model = NaiveBayes(families="categorical").fit([["x"], ["y"]], ["a", "b"])
    with pytest.raises(NeverLearned) as forgotten:
        model.forget([["x"]], ["b"])
    assert (forgotten.value.column, forgotten.value.of_class) == (0, "b")
