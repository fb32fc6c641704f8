"""What the tests of the command line share."""

from pathlib import Path

import pytest

from .animals import ANIMALS, halves
from .command import installed, likely, worked
from .mailbox import Mailbox


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Path, Path]:
    return halves(tmp_path)


@pytest.fixture(scope="session")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled table learned as it is by default."""
    path = tmp_path_factory.mktemp("fitted") / "m.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", path))
    return path


@pytest.fixture(scope="session")
def logistic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A logistic regression of it, calibrated."""
    path = tmp_path_factory.mktemp("logistic") / "m.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", path, "--model", "logistic", "--calibrate"))
    return path


@pytest.fixture(scope="session")
def blend(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blend of naive Bayes and logistic regression, calibrated."""
    path = tmp_path_factory.mktemp("blend") / "m.likely"
    told = worked(likely("fit", ANIMALS, "-t", "animal", "-o", path, "--model", "blend", "--calibrate"))
    assert told.startswith(f"{path}: blend of 122 rows, 6 columns and 3 classes\n")
    return path


@pytest.fixture
def mailbox(tmp_path: Path) -> Mailbox:
    return Mailbox(tmp_path)


@pytest.fixture
def filed(mailbox: Mailbox) -> Mailbox:
    """After the clear one was moved."""
    mailbox.run("learn")
    mailbox.run("file", "--move", "--precision", "0.9")
    return mailbox


@pytest.fixture(scope="session")
def demo() -> str:
    """What the demo prints in a pipe, 80 characters wide."""
    return worked(installed("demo", COLUMNS="80"))
