"""Exports rules as a Sieve script (RFC 5228), which a mail server can run: for senders and lists whose mail you file
into one folder."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from likely.mail.header import TOKEN_CHARS
from likely.mail.history import History
from likely.printing import safe

LIST, SENDER = "list-id", "from"


@dataclass(frozen=True)
class Rule:
    field: str
    """LIST or SENDER."""
    value: str
    folder: str
    right: int
    """How many of the `messages` with this value are in the folder."""
    messages: int


def rules_of(history: History, least: int, precision: float) -> list[Rule]:
    """Rules for values that at least `least` messages have, with a share of `precision` or more of them in one folder.
    A sender is judged only by mail that no rule for a list covers."""
    lists, senders = _lists(history), [entry.sender.lower() for entry in history.entries]
    found = list(_decided(LIST, lists, history.folders, least, precision))
    listed = {rule.value for rule in found}
    rest = [sender if name not in listed else "" for sender, name in zip(senders, lists, strict=True)]
    return found + list(_decided(SENDER, rest, history.folders, least, precision))


def _lists(history: History) -> list[str]:
    """The mailing list of each message; "" if there is none."""
    start = f" {LIST}:"
    return [
        f" {marks}".partition(start)[2].partition(" ")[0]
        for batch in history.mail[:]["marks"].chunks
        for marks in batch.to_pylist()
    ]


def _decided(field: str, values: list[str], folders: list[str], least: int, precision: float) -> Iterator[Rule]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for value, folder in zip(values, folders, strict=True):
        if value and len(value) + len(field) + 1 < TOKEN_CHARS:  # a longer value may have been cut
            counts[value][folder] += 1
    for value, by_folder in sorted(counts.items()):
        ((folder, right),) = by_folder.most_common(1)
        if by_folder.total() >= least and right >= precision * by_folder.total():
            yield Rule(field, value, folder, right, by_folder.total())


def script(rules: Iterable[Rule], name_of: Callable[[str], str] = str) -> str:
    """A Sieve script. `name_of` gives the server's name of a folder."""
    groups: dict[tuple[str, str], list[Rule]] = defaultdict(list)
    for rule in rules:
        groups[rule.field, rule.folder].append(rule)
    lines = ['require ["fileinto"];']
    for number, ((field, folder), group) in enumerate(groups.items()):
        right, messages = sum(rule.right for rule in group), sum(rule.messages for rule in group)
        values = ",\n    ".join(_quoted(rule.value if field == SENDER else f"<{rule.value}>") for rule in group)
        test = 'address :is "From"' if field == SENDER else 'header :contains "List-Id"'
        lines += [
            f"# {safe(folder)}: {right:,} of the {messages:,} messages that you have filed",
            f"{'elsif' if number else 'if'} {test} [\n    {values}\n] {{",
            f"    fileinto {_quoted(name_of(folder))};",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
