"""Codes of categories as a dictionary would give them."""


def dict_codes(cells, known=None):
    """The codes of a column and what they stand for: a dict filled cell by cell, or the known labels."""
    places = {} if known is None else {label: at for at, label in enumerate(known)}
    codes = []
    for cell in cells:
        if cell is None or cell != cell:
            codes.append(-1)
        elif known is None:
            codes.append(places.setdefault(cell, len(places)))
        else:
            codes.append(places.get(cell, len(places)))
    return codes, list(places)
