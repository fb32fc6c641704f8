"""Mail: messages, and the places that hold them."""

from likely.mail.mailbox import Item, messages
from likely.mail.message import Message, parse

__all__ = ["Item", "Message", "messages", "parse"]
