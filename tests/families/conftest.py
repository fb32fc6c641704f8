"""What tests of families share."""

import pytest

from likely.families import Text


@pytest.fixture(scope="module")
def untuned():
    """Models take the pseudo-count and the scale of texts as their family has them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "tuned", lambda self, *_: self)
        yield
