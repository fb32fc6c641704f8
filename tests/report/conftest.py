import csv
import random

import pandas as pd
import pytest

from likely import NaiveBayes
from likely.datasets import ANIMALS
from likely.report.classifiers import found_in

EVIL = "<script>document.title='run'</script>"
COLUMNS = [EVIL, "\"quoted\" & 'single'", "x" * 300, "列の名前", "عمود", "👩‍👩‍👧 emoji", "$\\frac{1}{2}$",
           "line\nbreak", "</svg><img src=x onerror=document.title=1>", "{{ 7*7 }}"]  # fmt: skip
CLASSES = [EVIL, '"><b>', "класс", "ع", "😀" * 30, "\u202eabc"]


@pytest.fixture(scope="session")
def animals():
    table = pd.read_csv(ANIMALS)
    return table.drop(columns="animal"), table["animal"]


@pytest.fixture(scope="session")
def fitted(animals):
    return NaiveBayes().fit(*animals)


@pytest.fixture(scope="session")
def found(fitted, animals):
    return found_in(fitted, *animals)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """A table whose names and cells try to be something else."""
    path, draw = tmp_path_factory.mktemp("hostile") / "evil.csv", random.Random(0)
    with path.open("w", newline="") as file:
        write = csv.writer(file).writerow
        write([*COLUMNS, "cls"])
        for _ in range(200):
            k = draw.randrange(len(CLASSES))
            write([
                draw.gauss(2 * k, 1), draw.choice(CLASSES), draw.random() if draw.random() > 0.2 else "",
                draw.choice(["a", "</td>", "b"][: 2 + k % 2]), draw.choice([True, False]), draw.randrange(k + 2),
                draw.gauss(0, 4 * k + 1), f"v{draw.randrange(k + 20)}", draw.randrange(2), draw.expovariate(1),
                CLASSES[k],
            ])  # fmt: skip
    return path
