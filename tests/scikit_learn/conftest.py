"""Fixtures that scikit-learn's own tests take."""

from typing import Any

import numpy as np
import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thread_unsafe: as scikit-learn marks its tests")


@pytest.fixture
def global_random_seed() -> int:
    return 42


@pytest.fixture
def global_dtype() -> Any:
    return np.float64


@pytest.fixture
def enable_metadata_routing() -> bool:
    return False
