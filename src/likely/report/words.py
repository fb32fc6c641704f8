"""Draws the words that are the strongest evidence for a class."""

from typing import Any, NamedTuple

import numpy as np

from likely.models.naive_bayes import NaiveBayesModel
from likely.report.colours import CLASSES
from likely.report.names import short
from likely.report.picture import Picture, bars_alone, sheet, style
from likely.statistics import Tallies

WORDS = 8
"""How many words of a class have a bar."""
LOOKED_AT = 400
"""How many words of a class are evaluated: those whose count exceeds the average over all classes most."""


class Word(NamedTuple):
    word: str
    times: float
    """How often it is counted in the class."""
    odds: float
    """What each occurrence adds to the log-odds of the class against the others."""


def informative_words(model: NaiveBayesModel, column: Any, k: int) -> list[Word]:
    """The words that contribute most to class k: by their count times what each occurrence adds."""
    block, _ = model.block_of(column)
    parameters = block.parameters.of_all
    tallies: Tallies = parameters.tallies
    if tallies.words is None or not len(tallies.words) or tallies.classes < 2:
        return []
    own = np.zeros(len(tallies.starts) - 1)
    pairs = tallies.at == k
    own[np.repeat(np.arange(len(own)), np.diff(tallies.starts))[pairs]] = tallies.totals[pairs]
    share = tallies.of_classes()[k] / max(float(tallies.totals.sum()), 1e-300)
    more = own - tallies.of_words() * share
    found = []
    for number in np.argsort(-more, kind="stable")[:LOOKED_AT].tolist():
        adds = parameters.of(number)
        odds = float(adds[k] - np.delete(adds, k).mean())
        if own[number] > 0 and 0 < odds < np.inf:
            found.append(Word(tallies.words[number], float(own[number]), odds))
    return sorted(found, key=lambda word: -word.times * word.odds)[:WORDS]


def words_like(model: NaiveBayesModel, column: Any, k: int, search: str = "") -> list[Word]:
    """The words of class k that contain `search`, those that contribute most first; without it, the informative
    words."""
    if not search:
        return informative_words(model, column, k)
    block, _ = model.block_of(column)
    parameters = block.parameters.of_all
    tallies: Tallies = parameters.tallies
    wanted, found = search.lower(), []
    for number, word in enumerate(tallies.words or ()):
        if wanted in word.lower():
            pairs = slice(tallies.starts[number], tallies.starts[number + 1])
            times = float(tallies.totals[pairs][tallies.at[pairs] == k].sum())
            adds = parameters.of(number)
            if times > 0 and len(adds) > 1:
                found.append(Word(word, times, float(adds[k] - np.delete(adds, k).mean())))
    return sorted(found, key=lambda word: -word.times * word.odds)


@style()
def draw_words(model: NaiveBayesModel, column: Any, k: int, place: int = 0) -> Picture:
    """The words of class k, in the colour number `place`."""
    found = sorted(informative_words(model, column, k), key=lambda word: -word.odds)
    label = short(model.classes[k])
    figure = sheet(50 + 17 * max(len(found), 1))
    axes = figure.subplots()
    axes.set_title(label)
    at = np.arange(len(found))
    axes.barh(at, [word.odds for word in found], 0.7, color=CLASSES[place], alpha=0.85)
    for row, word in enumerate(found):
        axes.annotate(
            f"{word.odds:.1f}", (word.odds, row), (3, 0), textcoords="offset points", va="center", fontsize=9.5
        )
    axes.set_yticks(at, [short(word.word) for word in found])
    axes.margins(x=0.14)
    bars_alone(axes)
    listed = ", ".join(f"{short(word.word)} {word.odds:.1f}" for word in found)
    return Picture(
        figure, f"Words that are evidence for {label}, with what each adds to its log-odds: {listed or 'none'}"
    )
