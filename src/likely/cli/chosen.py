"""What is to be learned, as options say it."""

from typing import Any

import click

from likely.cli.options import Reading
from likely.families import MultivariateGaussian, Text
from likely.models.choose import as_family
from likely.models.gaussian import Gaussian
from likely.models.naive_bayes import NaiveBayes

Models = dict[str, Any]

LOGISTIC = "logistic regression"


def unlearned(kind: str, families: dict[str, Any], ordered: bool = False) -> Models:
    """The models of a kind, by their names; of "auto", all that there are. Rows may be in the order in which they came,
    which matters to logistic regression alone."""
    found: Models = {}
    if kind in ("naive-bayes", "auto"):
        found["naive Bayes"] = NaiveBayes(families or "auto")
    if kind in ("gaussian", "auto"):
        found["Gaussian classifier"] = Gaussian(MultivariateGaussian())
    if kind in ("logistic", "auto"):
        from likely.models.logistic.regression import LogisticRegression

        # Drawn to naive Bayes as far as rows left out ask for: mean error and log loss of 18 tables .133 and .305, by
        # naive Bayes .153 and .356 (`python -m bench accuracy --only dial`).
        dial = LogisticRegression("auto", shrink_to="naive_bayes", families=families or None, ordered=ordered)
        found[LOGISTIC] = dial
    return found


def families_of(source: str, reading: Reading) -> dict[str, Any]:
    """Of the columns of which something was said, or is known from what the data are."""
    named: dict[str, Any] = dict.fromkeys(reading.texts, Text())
    for part in reading.families.split(",") if reading.families else ():
        column, equals, family = part.rpartition("=")
        if not equals:
            raise click.BadParameter(f"{part!r} is not COLUMN=FAMILY.", param_hint="'--families'")
        try:
            named[column.strip()] = as_family(family.strip().replace("-", "_"))
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--families'") from None
    if source == "mail":
        from likely.mail import READ_AS

        return {**READ_AS, **named}
    return {"text": Text(), **named} if source == "texts" else named
