"""What the words of a few texts add to the scores of the classes, of a model that has just been loaded."""

from collections.abc import Callable
from functools import cached_property

from likely.families.family import Array
from likely.families.word_scores import WordScores
from likely.statistics import Tallies
from likely.text import Texts, Tokens

FEW_BYTES = 1 << 20
"""Of texts at a time, and for so many TIMES: beyond either, to work out the scores of all words takes less time."""
TIMES = 8


class FewTexts:
    """The scores of all words, worked out when many texts come; until then those of the words that are asked for.

    Of a model of 1M words and 20 classes, the file is read and a text answered in 51 ms; with the scores of all words,
    in 401 (`python -m bench --only stored`).
    """

    def __init__(self, tallies: Tallies, scores: Callable[[Tallies, int, Array], WordScores]) -> None:
        self.tallies, self.scores = tallies, scores
        self.asked = 0

    @cached_property
    def of_all(self) -> WordScores:
        return self.scores(self.tallies, *self.whole)

    @cached_property
    def whole(self) -> tuple[int, Array]:
        """The number of all words, and how many tokens each class has in all."""
        return len(self.tallies.starts) - 1, self.tallies.of_classes()

    def of_texts(self, how: Tokens, texts: Texts) -> WordScores:
        """Scores that are those of all words where these texts are read."""
        words = self.tallies.words
        self.asked += 1
        if words is None or words.tabled or self.asked > TIMES or texts.sizes().sum() > FEW_BYTES:
            return self.of_all
        found, *_ = how.rows(texts, None)
        return self.scores(self.tallies.of_numbers(found, words.numbers(found)), *self.whole)
