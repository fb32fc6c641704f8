"""What is known for sure: limits that weights of a logistic regression or probabilities of naive Bayes must keep.

`Within` is for probabilities. The others are for weights, as in a scorecard, where a feature is named as `features_`
lists it: ("grade", "A") for the indicator of a value, and for a number its column alone. Weights are those of the
columns in their own units, of the log odds of the second of two classes.

    limits=[Between("age", low=0), Rising("grade", ["C", "B", "A"]), Equal("rent", "mortgage")]

Of more classes each has weights, and a limit says `of` which class it is. A constant added to a weight of every class
changes no probability, so limits are on weights that add up to nothing over the classes, as the penalty leaves them:
those of log p of a class less the mean of log p of all. A sum over classes is {class: coefficient}; of one class less
another it is the weight of the odds between the two, and is 0 where a feature does not separate the two.

    limits=[Rising("age", of="high"), Between("age", 0, 0, of={"mid": 1, "low": -1})]
"""

from likely.limits.probabilities import Within
from likely.limits.weights import Between, Equal, Falling, Feature, Limit, Rising, Row

__all__ = ["Between", "Equal", "Falling", "Feature", "Limit", "Rising", "Row", "Within"]
