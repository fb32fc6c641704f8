"""Names that are not just letters: as columns, classes and cells of a small table."""

import numpy as np
import pandas as pd

LONG = "name " * 2000
KINDS = {
    "markup": ["</svg><b>", "<script>&\"'", "{{ 7 * 7 }}<i>", "<!--", "]]>&amp;"],
    "mathematics": ["$x_1^2$ {0} %s", "$\\frac", "$\\alpha_i$", "a$b", "\\unknown{"],
    "control characters": ["\x1b[31mred", "a\x00b", "\x07", "two\nlines\r", "\x9bcsi"],
    "turned writing": ["\u202eabc", "\u2066left", "عمود\u202d", "\u200fmark", "\u061cletter"],
    "10,000 characters": [f"{LONG}{at}" for at in range(5)],
    "underscores": ["_hidden", "__", "_x_", "_child0", "_nolegend_"],
    "nothing": ["", " ", "\t", "\u00a0", "\u2003"],
}
"""Names of three columns and of two classes; the third column has the first three as cells."""


def table(names: list[str], seed: int, shift: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 200)
    cells = np.array(names[:3], object)[(rng.integers(0, 3, 200) + y) % 3]
    columns = {names[0]: rng.normal(y) + shift, names[1]: rng.exponential(1 + y), names[2]: cells}
    return pd.DataFrame(columns), np.array(names[3:], object)[y]
