"""Whether a filer keeps its promise on made accounts: confidence is too high, and people change how they file."""

from collections.abc import Iterator

import numpy as np

from bench.promise import BELOW, PROMISED
from bench.table import Row
from likely.mail.confidence import Guesses, foretold
from likely.mail.folder_records import FolderRecords
from likely.mail.promise import filed

ACCOUNTS = 300
ENOUGH = 200
"""Messages filed: of fewer, one wrong guess is over half a point."""


def made_accounts() -> Iterator[Row]:
    """The shares of accounts, of those that filed `ENOUGH` messages, that fell short of the promise by over a point."""
    rng = np.random.default_rng(0)
    guessed = [_account(rng) for _ in range(ACCOUNTS)]
    sure = [foretold(guesses) for guesses in guessed]
    for wanted in PROMISED:
        moved = [filed(one, guesses.right, wanted) for one, guesses in zip(sure, guessed, strict=True)]
        came = np.array([g.right[own].mean() for own, g in zip(moved, guessed, strict=True) if own.sum() >= ENOUGH])
        yield Row(
            f"{len(came)} made accounts: broken",
            f"{np.mean(came < wanted - BELOW):.0%}, {np.mean([own.mean() for own in moved]):.1%} filed",
            "promised",
            f"{wanted:.0%}",
            1.0,
            None,
            f"by over two points {np.mean(came < wanted - 2 * BELOW):.0%}; at worst {100 * (came.min() - wanted):+.1f}",
        )


def _account(rng: np.random.Generator) -> Guesses:
    """1,000 to 3,000 guesses of 5 to 120 folders. Log odds claim up to three times of what they are worth, more in some
    folders than in others. At some times, guesses of some folders suddenly turn out worse, and claim even more."""
    folders, count = int(np.exp(rng.uniform(np.log(5), np.log(120)))), int(rng.integers(1000, 3000))
    use = rng.dirichlet(np.full(folders, 0.5)) + 1e-3
    use /= use.sum()
    named = rng.choice(folders, count, p=use)
    worth, stretch = rng.normal(rng.uniform(0, 3), 1, folders), rng.uniform(1, 3)
    excess = rng.normal(0, 0.7, folders)
    true, claimed = np.empty(count), np.empty(count)
    start = 0
    for end in [*np.sort(rng.integers(0, count, rng.poisson(1.5))), count]:
        own = named[start:end]
        true[start:end] = worth[own] + rng.normal(0, 2, end - start)
        claimed[start:end] = stretch * true[start:end] + excess[own] + rng.normal(0, 1, end - start)
        changed = rng.random(folders) < rng.random()
        worth = worth - changed * rng.exponential(1.5, folders)
        excess = excess + changed * stretch * rng.exponential(1.2, folders)
        start = end
    right = rng.random(count) < 1 / (1 + np.exp(-true))
    put = np.where(right, named, rng.choice(folders, count, p=use))
    standing, _ = FolderRecords().following(named.tolist(), put.tolist(), right)
    seen, learned = np.empty(count), np.zeros(folders)
    for at, (guess, folder) in enumerate(zip(named, put, strict=True)):
        seen[at] = learned[guess]
        learned[folder] += 1
    return Guesses(claimed, seen, *standing, right)
