"""A picture of the README: one skewed column of two classes, read as Gaussian and as Histogram.

python examples/families.py [file]        writes docs/families.svg, or the file

The bars are the data, the lines the densities p(x | y) that Likely fitted to them, and the band below shows the
predicted class of each value. The error under each is by leave-one-out. The data are invented, and skewed on purpose:
of seven pairs of medians and spreads tried, this is one of those on which the two families differ most.
"""

from itertools import pairwise
from math import exp
from random import Random

import numpy as np
from card import GAP, HEIGHT, STYLE, WIDTH, card, write

from likely.data import Sample, encode_target, read
from likely.families import Family, Gaussian, Histogram
from likely.models.naive_bayes import NaiveBayesModel

CALLS = {"sales": (1.5, 0.9), "support": (5.0, 0.5)}
"""Minutes until a call is answered: median, and standard deviation of the logarithm."""
ROWS = 1000
LOW, HIGH, TOP = -3.0, 14.0, 0.46  # of the axes: minutes, and density
BAR = 0.5


def calls(seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = Random(seed)
    x = [[median * exp(random.gauss(0, spread))] for median, spread in CALLS.values() for _ in range(ROWS)]
    return np.array(x), np.repeat(list(CALLS), ROWS)


def panel(left: float, family: Family, x: np.ndarray, labels: np.ndarray) -> str:
    classes, y = encode_target(labels)
    sample = Sample(read(x), y, classes)
    model = NaiveBayesModel(family).fit(sample)
    error = (model.loo_scores(sample).argmax(axis=1) != y).mean()

    # Beyond the data a histogram says nothing; a Gaussian has tails on both sides.
    ends = (LOW, HIGH) if isinstance(family, Gaussian) else (max(LOW, x.min()), min(HIGH, x.max()))
    minutes = np.arange(ends[0], ends[1], 0.05)
    scores = model.score(read(minutes[:, None]))
    density = np.exp(scores - model.log_prior())

    def across(value: float) -> float:
        return left + WIDTH * (value - LOW) / (HIGH - LOW)

    def up(value: float) -> float:
        return 60 + HEIGHT * (1 - min(value, TOP) / TOP)

    parts = [f'<text x="{left}" y="40" class="title">{type(family).__name__}</text>']
    for k in range(len(classes)):
        shares, edges = np.histogram(x[y == k], np.arange(0, HIGH + BAR, BAR))
        for share, edge in zip(shares / ROWS / BAR, edges[:-1], strict=True):
            parts.append(
                f'<rect class="bar fill{k}" x="{across(edge):.1f}" y="{up(share):.1f}" '
                f'width="{WIDTH * BAR / (HIGH - LOW) - 1:.1f}" height="{up(0) - up(share):.1f}"/>'
            )
    for k in range(len(classes)):
        points = " ".join(f"{across(a):.1f},{up(b):.1f}" for a, b in zip(minutes, density[:, k], strict=True))
        parts.append(f'<polyline class="line line{k}" points="{points}"/>')

    best = scores.argmax(axis=1)
    turns = [0, *(np.flatnonzero(np.diff(best)) + 1), len(best) - 1]  # where the answer changes, and both ends
    for start, stop in pairwise(turns):
        parts.append(
            f'<rect class="fill{best[start]}" x="{across(minutes[start]):.1f}" y="{up(0) + 5:.1f}" '
            f'width="{across(minutes[stop]) - across(minutes[start]):.1f}" height="7"/>'
        )
    parts.append(f'<line class="axis" x1="{left}" y1="{up(0):.1f}" x2="{left + WIDTH}" y2="{up(0):.1f}"/>')
    for tick in (0, 5, 10):
        parts.append(
            f'<text class="small" x="{across(tick):.1f}" y="{up(0) + 28:.1f}" text-anchor="middle">{tick}</text>'
        )
    parts.append(
        f'<text class="small" x="{left + WIDTH}" y="{up(0) + 28:.1f}" text-anchor="end">minutes</text>'
        f'<text x="{left}" y="{up(0) + 54:.1f}">leave-one-out error {error:.1%}</text>'
    )
    return "\n".join(parts)


def picture() -> str:
    x, labels = calls(seed=1)
    width = 2 * WIDTH + 3 * GAP
    panels = [panel(GAP + at * (WIDTH + GAP), family, x, labels) for at, family in enumerate((Gaussian(), Histogram()))]
    legend = "".join(
        f'<rect class="fill{k}" x="{width - GAP - 170 + 90 * k}" y="30" width="11" height="11" rx="2"/>'
        f'<text x="{width - GAP - 154 + 90 * k}" y="40">{name}</text>'
        for k, name in enumerate(CALLS)
    )
    return card("A skewed column read as Gaussian and as Histogram", STYLE, width, legend, panels)


if __name__ == "__main__":
    write("families.svg", picture())
