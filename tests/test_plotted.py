"""Values that have a picture say where it is drawn."""

import sys

import pytest

from likely.plotted import Plotted
from likely.priors import Beta
from likely.validation import Curve, Result, Thresholds
from likely.validation.measures import Reliability


@pytest.mark.parametrize("kind", [Beta, Curve, Reliability, Result, Thresholds])
def test_has_a_picture(kind):
    assert issubclass(kind, Plotted)


def test_what_has_none_says_so():
    with pytest.raises(TypeError, match=r"^Plotted can't be plotted$"):
        Plotted().plot()


def test_without_matplotlib_a_sentence(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("likely.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'likely\[report\]'"):
        Beta(2, 3).plot()
