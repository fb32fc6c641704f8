"""The rate of a Poisson distribution by maximum likelihood: the mean of the counts.

The log likelihood of counts z_1 ... z_n is the sum of z_i log r - r - log z_i!. Its derivative, the score function, is
sum(z) / r - n: zero at r = sum(z) / n, and falling there, so that is a maximum.
"""

from math import isclose, lgamma, log

import numpy as np

from likely import NaiveBayes
from likely.families import Poisson
from likely.priors import Gamma, MaximumLikelihood

ARRIVALS = np.array([3, 5, 2, 4, 4, 1, 6, 3, 2, 5])
"""People who arrived in each of ten hours."""


def log_likelihood(rate: float) -> float:
    return sum(z * log(rate) - rate - lgamma(z + 1) for z in ARRIVALS.tolist())


def score(rate: float) -> float:
    return float(ARRIVALS.sum()) / rate - len(ARRIVALS)


X, y = ARRIVALS[:, None], np.zeros(len(ARRIVALS), int)  # one column, one class
nb = NaiveBayes(families=Poisson(prior=MaximumLikelihood())).fit(X, y)
((_, _, (rate,)),) = nb.describe().lines
print(f"rate {rate} = {ARRIVALS.sum()} arrivals / {len(ARRIVALS)} hours")
assert rate == ARRIVALS.mean() == 3.5

print(
    f"score at the rate {score(rate)}; a little below {score(rate - 0.1):+.3f}, a little above {score(rate + 0.1):+.3f}"
)
assert score(rate) == 0
assert score(rate - 0.1) > 0 > score(rate + 0.1)

# The model's likelihood of the table is the formula's, and no other rate does better.
assert isclose(nb.log_likelihood(X, y), log_likelihood(rate))
assert all(log_likelihood(rate) > log_likelihood(other) for other in (1.0, 3.4, 3.6, 7.0))
print(f"log likelihood {nb.log_likelihood(X, y):.4f}")
print(f"at rate 3 only {log_likelihood(3):.4f}, at rate 4 only {log_likelihood(4):.4f}")

# A Gamma(2, 1) prior is two arrivals in one more hour.
nb = NaiveBayes(families=Poisson(prior=Gamma(2, 1))).fit(X, y)
((_, _, (rate,)),) = nb.describe().lines
assert isclose(rate, (35 + 2) / (10 + 1))
posterior = nb.parameter_posterior(0)
assert (posterior.a.tolist(), posterior.b.tolist()) == ([37], [11])
print(f"with a Gamma(2, 1) prior the rate is Gamma({posterior.a[0]:g}, {posterior.b[0]:g}), on average {rate:.4f}")
