"""A filer with an account that it can learn, for the tests of all that it does."""

from likely.mail.filer import Filer

from .letters import WORDS, mixed

ENOUGH = 180
"""Messages after which it is sure of letters like these."""


def filled(place, count=ENOUGH):
    for folder in WORDS:
        place.create(folder)
        place.put(folder, *(raw for of, raw in mixed(count) if of == folder))
    return place


def again(filer, rules=None):
    """Another process, later."""
    return Filer(filer.account, filer.database, rules or filer.rules)


def moved_by_owner(filer, key, source, to):
    filer.account.move(source, key, to)


def known(filer):
    return dict(zip(filer.model.learned.classes, filer.model.learned.rows.table[:, 0].tolist(), strict=True))
