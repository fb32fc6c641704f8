"""The radio survey: 1,000 people, three networks, and who earns more than the average.

Each person says of networks A, B and C whether they listen (1) or not (0), and whether their income is above the
average (1) or below (0). Naive Bayes by maximum likelihood needs 1 + 2d numbers for d networks; the full joint
distribution would need 2^(d+1) - 1.
"""

from itertools import product

import numpy as np

from likely import NaiveBayes
from likely.datasets import ABOVE, radio
from likely.datasets import LISTENS as SHARES
from likely.families import Bernoulli
from likely.priors import MaximumLikelihood

NETWORKS = ("A", "B", "C")
LISTENS = (SHARES["below"], SHARES["above"])
"""The probabilities the survey is sampled from: p(network | income)."""

people = radio(1000)
X, y = people[list(NETWORKS)].to_numpy(), (people["income"] == "above").to_numpy().astype(int)
nb = NaiveBayes(families=Bernoulli(prior=MaximumLikelihood())).fit(X, y)
described = nb.describe()

print("Estimated from 1,000 people, and what they were drawn from")
print(f"p(above) = {described.prior[1]:.3f}  ({ABOVE})")
for (column, _, p), network in zip(described.lines, NETWORKS, strict=True):
    drawn_from = [LISTENS[income][column] for income in (0, 1)]
    print(
        f"p({network} | below) = {p[0]:.3f}  ({drawn_from[0]})    p({network} | above) = {p[1]:.3f}  ({drawn_from[1]})"
    )

# Maximum likelihood is the share of those counted.
assert described.prior[1] == (y == 1).mean()
for column, _, p in described.lines:
    np.testing.assert_allclose(p, [X[y == income, column].mean() for income in (0, 1)], rtol=1e-15)
    # 1,000 people fix a share to within 0.1 with room to spare: four standard errors are 0.1 at most for 400 people.
    np.testing.assert_allclose(p, [LISTENS[income][column] for income in (0, 1)], atol=0.1)

d = len(NETWORKS)
assert described.free_parameters == 1 + 2 * d == 7
assert described.joint_parameters == 2 ** (d + 1) - 1 == 15
print(f"\n{described.free_parameters} parameters; the full joint distribution has {described.joint_parameters}")

# The same answers by hand, for each of the eight ways to listen: p(y) times the product of p(x | y), normalised.
everyone = np.array(list(product((0, 1), repeat=d)))
p = np.array([values for _, _, values in described.lines])  # networks x incomes
joint = described.prior * np.prod(np.where(everyone[:, :, None] == 1, p, 1 - p), axis=1)
np.testing.assert_allclose(nb.predict_proba(everyone), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12)

print("\nA B C  p(above)   of those asked")
for listens, chance in zip(everyone, nb.predict_proba(everyone)[:, 1], strict=True):
    same = (listens == X).all(axis=1)
    print(*listens, f"  {chance:.3f}      {y[same].mean():.3f} of {same.sum()}")

wrong = (nb.predict(X) != y).mean()
print(f"\nTraining error {wrong:.3f}; always saying 'below' is wrong for {described.prior[1]:.3f}")
assert wrong < described.prior[1]
