"""From texts to words and their counts."""

from likely.text.tokens import Tokens, tokenize

__all__ = ["Tokens", "tokenize"]
