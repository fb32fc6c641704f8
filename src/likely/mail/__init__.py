"""Mail: messages, and the places that hold them."""

from likely.mail.mailbox import Item, messages
from likely.mail.message import Message, parse
from likely.mail.parsed import Parsed, parse_all
from likely.mail.table import READ_AS, table

__all__ = ["READ_AS", "Item", "Message", "Parsed", "messages", "parse", "parse_all", "table"]
