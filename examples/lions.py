"""The lion table: three animals, three attributes, and a lion cub that nobody has seen.

          fur  long teeth  scary  lion
animal 1    1           0      0     0
animal 2    0           1      1     0
animal 3    1           1      1     1
"""

from fractions import Fraction
from math import exp, isclose, log

import pyarrow as pa

from likely import NaiveBayes
from likely.families import Bernoulli
from likely.priors import Laplace, MaximumLikelihood, MEstimate, Prior

ANIMALS = pa.table({"fur": [1, 0, 1], "teeth": [0, 1, 1], "scary": [0, 1, 1]})
LION = [0, 0, 1]
CUB = pa.table({"fur": [1], "teeth": [1], "scary": [0]})


def fitted(prior: Prior) -> NaiveBayes:
    return NaiveBayes(families=Bernoulli(prior=prior)).fit(ANIMALS, LION)


def theta(nb: NaiveBayes) -> dict[str, list[Fraction]]:
    """p(attribute = 1 | not a lion) and p(attribute = 1 | lion), as the fractions they are."""
    return {
        column: [Fraction(float(p)).limit_denominator(100) for p in values] for column, _, values in nb.describe().lines
    }


def cub_is_lion(nb: NaiveBayes) -> Fraction:
    return Fraction(float(nb.predict_proba(CUB)[0, 1])).limit_denominator(1000)


print("Maximum likelihood")
nb = fitted(MaximumLikelihood())
print(nb.describe())
assert theta(nb) == {column: [Fraction(1, 2), Fraction(1)] for column in ("fur", "teeth", "scary")}
assert all(isclose(p, q) for p, q in zip(nb.describe().prior, (2 / 3, 1 / 3), strict=True))

# One factor of each class prior per animal, six of 1/2 from those that are no lions, and ones from the lion.
likelihood = Fraction(1, 2) ** 6 * Fraction(2, 3) ** 2 * Fraction(1, 3)
assert likelihood == Fraction(1, 432)
assert isclose(nb.log_likelihood(ANIMALS, LION), log(likelihood))
print(f"likelihood of the table {exp(nb.log_likelihood(ANIMALS, LION)):.6f} = {likelihood}")

print("\nA cub has fur and long teeth but is not scary.")
# No lion was ever less than scary, so the cub cannot be one, whatever its fur and teeth say.
assert cub_is_lion(nb) == 0
assert nb.predict_joint_log_proba(CUB)[0, 1] == float("-inf")
print("maximum likelihood        p(lion) = 0")

# m-estimate, m = 1 and p = 1/2: (count + 1/2) / (animals + 1).
nb = fitted(MEstimate(m=1, p=0.5))
assert theta(nb) == {column: [Fraction(1, 2), Fraction(3, 4)] for column in ("fur", "teeth", "scary")}
lion, other = Fraction(1, 3) * Fraction(3, 4) * Fraction(3, 4) * Fraction(1, 4), Fraction(2, 3) * Fraction(1, 2) ** 3
assert cub_is_lion(nb) == lion / (lion + other) == Fraction(9, 25)
print(f"m-estimate, m=1, p=1/2    p(lion) = {cub_is_lion(nb)}")

# Laplace: one more animal of each value, (count + 1) / (animals + 2).
nb = fitted(Laplace())
assert theta(nb) == {column: [Fraction(1, 2), Fraction(2, 3)] for column in ("fur", "teeth", "scary")}
lion = Fraction(1, 3) * Fraction(2, 3) * Fraction(2, 3) * Fraction(1, 3)
assert cub_is_lion(nb) == lion / (lion + other) == Fraction(16, 43)
print(f"Laplace                   p(lion) = {cub_is_lion(nb)}")

# Laplace is the m-estimate with m = 2 values and p = 1/2 for each.
assert theta(fitted(MEstimate(m=2, p=0.5))) == theta(nb)

print("\nWhy, with Laplace")
print(nb.explain(CUB)[0])
