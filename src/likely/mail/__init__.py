"""Reads mail: messages, and the mbox files, Maildirs and archives that hold them."""

from likely.mail.item import Item
from likely.mail.mailbox import messages
from likely.mail.message import Message, parse
from likely.mail.parsed import Parsed, parse_all
from likely.mail.table import READ_AS, table

__all__ = ["READ_AS", "Item", "Message", "Parsed", "messages", "parse", "parse_all", "table"]
