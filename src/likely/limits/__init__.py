"""Constraints that you know to hold: on the weights of a logistic regression, or on the probabilities of naive Bayes.

`Within` is for probabilities. The others are for weights, as in a scorecard. A feature is named as `features_` lists
it: ("grade", "A") for the indicator of a value, and only the column for a number. With two classes, weights are those
of the log odds of the second class, for columns in their original units.

    limits=[Between("age", low=0), Rising("grade", ["C", "B", "A"]), Equal("rent", "mortgage")]

With more classes each has its own weights, and `of` is the class that a limit is for. A constant added to a weight of
every class changes no probability, so limits are on weights that sum to 0 over the classes, as the penalty makes them:
the weights of log p of a class minus the mean of log p of all. {class: coefficient} is a sum over classes: one class
minus another gives the weight of the odds between the two, which is 0 if a feature does not separate them.

    limits=[Rising("age", of="high"), Between("age", 0, 0, of={"mid": 1, "low": -1})]
"""

from likely.limits.probabilities import Within
from likely.limits.weights import Between, Equal, Falling, Feature, Limit, Rising, Row

__all__ = ["Between", "Equal", "Falling", "Feature", "Limit", "Rising", "Row", "Within"]
