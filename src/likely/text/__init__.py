"""From texts to words and their counts."""

from likely.text.folders import folders
from likely.text.rows import Rows, Sequences
from likely.text.texts import Texts
from likely.text.tokens import Tokens, tokenize

__all__ = ["Rows", "Sequences", "Texts", "Tokens", "folders", "tokenize"]
