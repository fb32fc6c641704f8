"""Old names work for a while, with a warning, and no longer than promised."""

import inspect
import re
import warnings
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator, clone

import likely
from likely.deprecated import removal, renamed

SOURCE = Path(likely.__file__).parent


@renamed("0.2.0", ordered="time_ordered")
def fit(rows, *, time_ordered=False):
    """As a function of ours."""
    return rows, time_ordered


def test_the_old_name_works_and_warns_where_it_is_called():
    with pytest.warns(FutureWarning) as caught:
        assert fit(3, ordered=True) == (3, True)
    assert str(caught[0].message) == ("'ordered' was renamed to 'time_ordered' in Likely 0.2.0; 0.4.0 will not know it")
    assert caught[0].filename == __file__


def test_the_new_name_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fit(3, time_ordered=True) == (3, True)


def test_both_names_are_refused():
    with pytest.raises(TypeError, match=r"^'ordered' is the old name of 'time_ordered', and both are given$"):
        fit(3, ordered=True, time_ordered=False)


def test_help_shows_the_new_signature():
    assert list(inspect.signature(fit).parameters) == ["rows", "time_ordered"]
    assert fit.__doc__ == "As a function of ours."


def test_an_estimator_keeps_its_parameters():
    class Renamed(BaseEstimator):
        @renamed("0.2.0", strength="penalty")
        def __init__(self, penalty=1.0):
            self.penalty = penalty

    with pytest.warns(FutureWarning):
        old = Renamed(strength=3.0)
    assert clone(old).get_params() == {"penalty": 3.0}


def parsed(version):
    return tuple(int(part) for part in version.split("."))


def test_no_old_name_is_kept_longer_than_promised():
    now = parsed(likely.__version__)
    for path in SOURCE.rglob("*.py"):
        for since in re.findall(r'^ *@renamed\("([\d.]+)"', path.read_text(), re.MULTILINE):
            assert parsed(removal(since)) > now, f"{path.name}: remove what was renamed in {since}"
