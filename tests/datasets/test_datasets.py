"""The tables that come with Likely."""

import sys

import pytest

from likely import datasets


def test_all_is_exact():
    public = {name for name in vars(datasets) if not name.startswith("_")}
    assert set(datasets.__all__) == public - {"Any", "Path", "Random", "TYPE_CHECKING", "LISTENS", "ABOVE", "pd"}


def test_animals():
    table = datasets.animals()
    assert table.shape == (122, 7)
    assert table["animal"].value_counts().to_dict() == {"hyena": 46, "lion": 42, "warthog": 34}
    assert table.isna().any().any()


def test_the_mailbox_has_two_folders():
    assert sorted(path.stem for path in datasets.MAILBOX.glob("*.mbox")) == ["fun", "study"]


def test_the_lion_table_is_that_of_the_notes():
    assert datasets.lions().values.tolist() == [[1, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1]]


def test_arrivals_have_the_rate_three_and_a_half():
    assert datasets.arrivals()["people"].mean() == 3.5


def test_the_survey_is_sampled_from_its_probabilities():
    table = datasets.radio(100_000, seed=3)
    for income, shares in datasets.LISTENS.items():
        mine = table[table["income"] == income]
        for network, p in zip("ABC", shares, strict=True):
            assert mine[network].mean() == pytest.approx(p, abs=5 * (p * (1 - p) / len(mine)) ** 0.5)
    assert datasets.radio(5).equals(datasets.radio(5))
    assert not datasets.radio(50, seed=2).equals(datasets.radio(50))


def test_without_pandas_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"^the tables of likely.datasets are pandas frames: pip install pandas$"):
        datasets.animals()
