"""Small invented tables, and the examples of the lecture notes that Likely grew from, as pandas frames."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ANIMALS", "MAILBOX", "animals", "arrivals", "lions", "radio"]

ANIMALS = Path(__file__).with_name("animals.csv")
"""122 animals that a camera trap might have seen, invented: hyenas, lions (some of them cubs) and warthogs."""
MAILBOX = Path(__file__).with_name("mailbox")
"""60 messages to a student, invented: 30 in the folder "study", one of them misfiled, and 30 in "fun"."""

LISTENS = {"below": (0.60, 0.30, 0.20), "above": (0.25, 0.35, 0.55)}
"""For each income, the probabilities that a person listens to the networks A, B and C."""
ABOVE = 0.4
"""The probability of an income above the average."""


def animals() -> "pd.DataFrame":
    """122 invented animals that a camera trap might have seen, with columns of several kinds and missing cells.

    Returns
    -------
    pandas.DataFrame
        122 rows. The columns are has_fur, shoulder_cm, teeth_mm, legs, sightings, habitat and animal.

    See Also
    --------
    lions : three animals, as in the lecture notes.

    Examples
    --------
    >>> from likely.datasets import animals
    >>> animals()["animal"].value_counts().to_dict()
    {'hyena': 46, 'lion': 42, 'warthog': 34}
    """
    return _pandas().read_csv(ANIMALS)


def arrivals() -> "pd.DataFrame":
    """How many people arrived in each of ten hours: the example of a Poisson rate.

    Returns
    -------
    pandas.DataFrame
        10 rows. The column is people.

    See Also
    --------
    likely.families.Poisson : the family of counts.

    Examples
    --------
    >>> from likely.datasets import arrivals
    >>> float(arrivals()["people"].mean())  # the maximum likelihood estimate of the rate
    3.5
    """
    return _pandas().DataFrame({"people": [3, 5, 2, 4, 4, 1, 6, 3, 2, 5]})


def lions() -> "pd.DataFrame":
    """The lion table: three animals, three attributes, and whether each is a lion.

    Returns
    -------
    pandas.DataFrame
        3 rows. The columns are fur, teeth, scary and lion.

    See Also
    --------
    animals : 122 animals with several kinds of columns.

    Examples
    --------
    >>> from likely.datasets import lions
    >>> lions()["lion"].tolist()
    [0, 0, 1]
    """
    return _pandas().DataFrame({"fur": [1, 0, 1], "teeth": [0, 1, 1], "scary": [0, 1, 1], "lion": [0, 0, 1]})


def radio(people: int = 1000, seed: int = 1) -> "pd.DataFrame":
    """The radio survey: whether each person listens to the networks A, B and C, and whether their `income` is above or
    below the average. Sampled from the probabilities `LISTENS` and `ABOVE`.

    Parameters
    ----------
    people : int, default 1000
        The number of rows.
    seed : int, default 1
        The seed of the random numbers.

    Returns
    -------
    pandas.DataFrame
        The columns are A, B, C and income.

    See Also
    --------
    likely.families.Bernoulli : the family of bits.

    Examples
    --------
    >>> from likely.datasets import radio
    >>> radio(500).shape
    (500, 4)
    """
    random = Random(seed)
    income = ["above" if random.random() < ABOVE else "below" for _ in range(people)]
    listens = [[int(random.random() < p) for p in LISTENS[of]] for of in income]
    return _pandas().DataFrame(listens, columns=["A", "B", "C"]).assign(income=income)


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("the tables of likely.datasets are pandas frames: pip install pandas") from None
    return pd
