"""Made-up texts for which one model is better than another."""

import numpy as np

MANY = 12


def together(number, seed=0):
    """Many words that come together and are right seven times in ten, and one word that is right nine times in ten:
    naive Bayes takes the many for as much evidence."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, number)
    common, single = (np.where(rng.random(number) < share, y, 1 - y) for share in (0.7, 0.9))
    many = [" ".join(f"c{k}w{j}" for j in range(MANY)) for k in range(2)]
    texts = [f"{many[k]} single{s} n{row}" for row, (k, s) in enumerate(zip(common, single, strict=True))]
    return texts, np.array(["ham", "spam"])[y]


def alone(number, seed=0):
    """Words that come independently of each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, number)
    words = rng.integers(0, 30, (number, 10)) + 6 * y[:, None]
    return [" ".join(f"w{word}" for word in row) for row in words], np.array(["ham", "spam"])[y]
