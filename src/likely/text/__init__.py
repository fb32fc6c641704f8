"""From texts to words and their counts."""

from likely.text.bags import Bags, Sequences
from likely.text.folders import folders
from likely.text.texts import Texts
from likely.text.tokens import Tokens, tokenize

__all__ = ["Bags", "Sequences", "Texts", "Tokens", "folders", "tokenize"]
