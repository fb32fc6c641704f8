"""Problems for the kernels, what the answer is, and arguments of all of them."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from likely import _native

DTYPES = ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]


LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "strided": lambda x: np.repeat(np.repeat(x, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda x: np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
    "rows apart": lambda x: np.hstack([x, x])[:, : x.shape[1]],
}


SIZES = [0, 1, 2, 3, 31, 32, 33, 64, 255, 256, 257, 300]


CLASSES = range(1, 41)
# About the numbers of rows and columns that the kernels of matrices take at a time.
ROWS = sorted({1, 2, 700} | {n + more for n in (4, 12, 64, 96, 128, 192, 256, 264, 512) for more in (-1, 0, 1)})
COLUMNS = sorted({1, 2, 70} | {n + more for n in (4, 8, 12, 16, 24, 36, 48, 64) for more in (-1, 0, 1)})


def block(seed, rows, columns, dtype, layout="rows", low=-50, high=50, holes=0.1):
    """Random whole numbers, and NaN in that share of floats, of that type and layout."""
    rng = np.random.default_rng(seed)
    if dtype == "?":
        low, high = 0, 2
    x = rng.integers(max(low, 0) if dtype[0] == "u" else low, high, (rows, columns)).astype(dtype)
    if dtype[0] == "f":
        x[rng.random(x.shape) < holes] = np.nan
    return LAYOUTS[layout](x)


def codes_for(seed, rows, classes):
    return np.random.default_rng(seed + 1).integers(0, classes, rows).astype(np.int32)


def weights_for(seed, rows):
    return np.random.default_rng(seed + 2).choice([0.0, 0.5, 1.0, 2.0, 3.0], rows)


def present(x):
    return x == x


def shapes(rows, columns, classes):
    return st.tuples(
        st.integers(0, 2**32),
        rows,
        columns,
        st.sampled_from(DTYPES),
        st.sampled_from(sorted(LAYOUTS)),
        classes,
        st.booleans(),
    )


problems = shapes(st.sampled_from(SIZES), st.sampled_from([1, 2, 3, 7]), st.integers(1, 40))
problems_of_matrices = shapes(
    st.sampled_from(ROWS) | st.integers(1, 700), st.sampled_from(COLUMNS) | st.integers(1, 70), st.integers(1, 30)
)


def drawn(problem, low=-50, high=50, holes=0.1):
    seed, rows, columns, dtype, layout, classes, weighted = problem
    x = block(seed, rows, columns, dtype, layout, low, high, holes)
    return x, codes_for(seed, rows, classes), classes, weights_for(seed, rows) if weighted else None


def drawn_rows(problem):
    """The same, with a missing cell in one row in five."""
    return drawn(problem, holes=0.2 / problem[2])


def random_covariances(seed, number, columns):
    """Well away from singular, with variances from 1 to some 3."""
    a = np.random.default_rng(seed + 4).normal(size=(number, columns, columns))
    return np.eye(columns) + a @ np.swapaxes(a, 1, 2) / columns


def moments(x, y, classes, weight):
    n, mean, m2 = np.zeros((3, classes, x.shape[1]))
    return _native.moments(x, y, weight, n, mean, m2), n, mean, m2


def exact_moments(x, y, classes, weight):
    """By fractions, so that nothing rounds but the result."""
    n, mean, m2 = np.zeros((3, classes, x.shape[1]))
    for k in range(classes):
        for j in range(x.shape[1]):
            rows = [i for i in range(len(x)) if y[i] == k and present(x[i, j])]
            w = [Fraction(1 if weight is None else float(weight[i])) for i in rows]
            v = [Fraction(float(x[i, j])) for i in rows]
            n[k, j] = sum(w)
            if sum(w):
                centre = sum(a * b for a, b in zip(w, v, strict=True)) / sum(w)
                mean[k, j] = centre
                m2[k, j] = sum(a * (b - centre) ** 2 for a, b in zip(w, v, strict=True))
    return n, mean, m2


def joined(values, offset_type=np.int64):
    """Texts as Arrow keeps them, in a buffer that ends with the last."""
    encoded = [b"" if value is None else value.encode() for value in values]
    offsets = np.concatenate([[0], np.cumsum([len(e) for e in encoded])]).astype(offset_type)
    return offsets, np.array(list(b"".join(encoded)), np.uint8)


def numbered(words):
    """Words of the core, from str or bytes."""
    encoded = [word if isinstance(word, bytes) else word.encode("utf-8", "surrogatepass") for word in words]
    ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    return _native.words_of(ends, np.frombuffer(b"".join(encoded), np.uint8))


def bitmap(values, bit):
    """Which of them are there, from that bit on."""
    bits = np.zeros(bit + len(values), np.uint8)
    bits[bit:] = [value is not None for value in values]
    return np.packbits(bits, bitorder="little")


def reading(
    ngrams=(1, 1), lower=True, whole=False, characters=False, binary=False, sublinear=False, root=False, hashing=0
):
    return lower, whole, characters, *ngrams, binary, sublinear, root, hashing


def good():
    """Arguments of every kernel that fit: two rows, three columns, two classes."""
    x, y = np.ones((2, 3)), np.array([0, 1], np.int32)
    table, cube, marks = np.ones((2, 3)), np.ones((2, 3, 3)), np.zeros(2, np.uint8)
    codes, starts = np.zeros((3, 2), np.int32), np.array([0, 1, 2, 3])
    csr = np.array([0, 1, 2], np.int32), np.array([0, 2], np.int32), np.ones(2)
    offsets, bytes_ = joined(["a", "bc"])
    prior = (0.0, 1.0, 1.0, 1.0, False)
    texts, tally = _native.Texts(("ab", "cd")), (np.arange(3), y, np.ones(2))
    return {
        "place_columns": [[np.ones(2)] * 3, [None, np.ones(2, np.bool), None], table.copy()],
        "add_number_hashes": [np.ones(2), np.ones(2, np.bool), 7, np.zeros(2, np.uint64)],
        "add_text_hashes": [offsets, bytes_, bitmap(["a", "bc"], 0), 0, 7, np.zeros(2, np.uint64)],
        "moments": [x, y, np.ones(2), table.copy(), table.copy(), table.copy()],
        "scatter": [x, y, np.ones(2), np.ones(2), table.copy(), cube.copy()],
        "totals": [x, y, np.ones(2), _native.COUNT, table.copy(), table.copy()],
        "csr_totals": [*csr, y, np.ones(2), _native.COUNT, table.copy()],
        "csr_scores": [*csr, _native.COUNT, np.ones((3, 2)), np.zeros((2, 2))],
        "logistic_pass": [
            *(x, np.ones(3), y, np.ones(2), np.ones((2, 2)), np.ones((3, 2)), np.ones(2)),
            *(np.zeros((3, 2)), np.zeros(2)),
        ],
        "dense_product": [x, np.ones(3), np.ones((3, 4)), np.zeros((2, 4))],
        "weighted_products": [x, np.ones(3), np.ones(2), np.zeros((4, 4))],
        "softmax_products": [x, np.ones(3), np.zeros((2, 4)), y, np.ones(2), 2, 0, np.zeros((1, 4, 4))],
        "logistic_residuals": [np.zeros((2, 4)), y, np.ones(2), 2],
        "logistic_curvature": [np.zeros((2, 4)), y, np.ones(2), 2, np.ones((2, 4)), np.zeros((2, 4))],
        "csr_product": [*csr, np.ones((3, 4)), False, np.zeros((2, 4))],
        "csr_transposed_product": [*csr, np.ones((2, 4)), False, np.zeros((3, 4))],
        "csr_forms": [*csr, np.ones((4, 4)), np.zeros(2)],
        "fit_margins": [
            *(*csr, y, 0, np.ones(2), 0.1, 10, np.zeros((2, 2)), np.zeros((2, 4)), np.zeros(2, np.int64)),
        ],
        "score_gaussian": [x, table, table, table, np.zeros((2, 2))],
        "score_gaussian_by": [x, y, np.ones((2, 2, 3)), np.ones((2, 2, 3)), np.ones((2, 2, 3)), np.zeros((2, 2))],
        "score_linear": [x, _native.COUNT, table, table, table, np.ones(3), np.zeros((2, 2))],
        "left_out_gaussian": [x, y, np.ones(2), table, table, table, prior, np.zeros((2, 3))],
        "left_out_gaussian_cells": [x, y, np.ones(2), table, table, table, prior, np.zeros((2, 2, 3))],
        "score_left_out_gaussian": [x, y, np.ones(2), table, table, table, prior, np.ones(3), np.zeros((2, 2))],
        "left_out_cells": [codes, y, np.ones(2), starts, table, np.ones(3), np.ones(3), np.zeros((2, 3))],
        "score_left_out_cells": [
            *(codes, y, np.ones(2), starts, table, np.ones(3), np.ones(3)),
            *(np.ones(3), table, np.zeros((2, 2))),
        ],
        "put_own_scores": [x, np.ones(3), y, np.ones(2), np.zeros((2, 2))],
        "left_out_bernoulli": [x, y, np.ones(2), table, table, 1.0, 1.0, np.zeros((2, 3))],
        "left_out_poisson": [x, y, np.ones(2), table, table, 1.0, 1.0, np.zeros((2, 3))],
        "left_out_exponential": [x, y, np.ones(2), table, table, 1.0, 1.0, np.zeros((2, 3))],
        "left_out_exponential_cells": [x, y, np.ones(2), table, table, 1.0, 1.0, np.zeros((2, 2, 3))],
        "score_left_out_exponential": [x, y, np.ones(2), table, table, 1.0, 1.0, np.ones(3), np.zeros((2, 2))],
        "weighing_pass": [np.ones((2, 2, 3)), np.ones((2, 2)), np.ones(2), np.ones(3), np.zeros(3), np.zeros((3, 3))],
        "distances": [x, table, cube, y, np.ones((2, 2, 3)), np.zeros((2, 2)), np.zeros((2, 2)), marks.copy()],
        "left_out_factored": [
            *(x, y, np.ones(2), np.ones(2), table, cube, np.ones(2)),
            *(0.5, 0.5, False, np.zeros((2, 2)), marks.copy()),
        ],
        "count_cells": [codes, y, np.ones(2), starts, table.copy()],
        "count_joint": [
            *(codes, y, np.ones(2), np.ones(3, np.int64), np.array([0, 1, 2]), np.array([2, 3]), np.zeros((2, 6))),
        ],
        "score_networks": [
            *(codes, np.full(3, 2), np.array([0, 0, 1, 2]), np.array([1, 3, 4]), np.array([3]), np.zeros((15, 4))),
            *(np.ones(3), True, y, np.zeros((2, 3)), np.zeros((5, 4)), np.zeros((2, 2))),
        ],
        "look_up_factors": [
            *(codes, y, np.full(3, 2), np.array([0, 0, 1, 2]), np.array([1, 3, 4]), np.zeros((15, 2))),
            np.zeros((2, 3)),
        ],
        "score_cells": [codes, starts, table, np.zeros((2, 2))],
        "bin_cells": [x, np.ones(3), starts, np.zeros((3, 2), np.int32)],
        "join_bins": [np.ones((2, 8)), np.arange(10.0).reshape(2, 5), np.ones(2), np.zeros(2, np.int64)],
        "encode_numbers": [x, np.ones((2, 3), np.bool), [np.ones(1)] * 3, np.zeros((3, 2), np.int32)],
        "encode_text": [offsets, bytes_, np.array([3], np.uint8), 0, joined(["a"]), np.zeros(2, np.int32)],
        "tokenize": ["ab", True],
        "words_of": [np.array([1, 3]), bytes_],
        "tally_texts": [texts, 0, 2, y, np.ones(2), 2, reading(), numbered(["no"]), numbered(["ab"])],
        "rows_of_texts": [texts, 0, 2, reading(), numbered(["no"]), numbered(["ab"])],
        "score_texts": [
            *(texts, 0, 2, reading(), numbered(["no"]), numbered(["ab", "cd"]), *tally),
            *(np.ones(2), np.ones(2), np.ones(2), np.ones(2), None, False, np.zeros((2, 2))),
        ],
        "score_texts_left_out": [
            *(texts, 0, 2, reading(), numbered(["no"]), numbered(["ab", "cd"]), *tally),
            *(y, np.ones(2), (1.0, 1.0, 0.5), 1.0, False, np.zeros((2, 2)), np.zeros(2)),
        ],
        "score_texts_replayed": [
            *(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.ones(2), 2, y, np.ones(2), 0.5),
            *(np.zeros((2, 2)), np.zeros(2), _native.PastTexts(2)),
        ],
        "step_texts": [
            *(np.array([0, 1, 2]), np.array([0, 1], np.int32), np.ones(2), y, 0.5, 0.01),
            *(np.zeros((2, 2, 2), np.float32), np.zeros((2, 2))),
        ],
        "odds_left_out": [
            *(np.arange(3), y, np.ones(2), np.arange(2), True, *tally, y, np.ones(2)),
            *(np.array([0.5, 1.0]), 1.0, False, np.zeros((2, 2, 2)), np.zeros(2)),
        ],
        "rare_odds_left_out": [
            *(np.arange(3), y, np.ones(2), np.arange(2), 2.0, *tally, y, np.ones(2)),
            *(np.array([0.5, 1.0]), 1.0, False, np.zeros((2, 2, 2)), np.zeros(2)),
        ],
        "tokens_of_texts": [texts, 0, 2, reading(), numbered(["no"])],
        "rows_of_tokens": [np.arange(3), y, 2, reading((1, 2))],
        "tally_rows": [np.arange(3), y, np.ones(2), 2, True, y, np.ones(2), 2],
        "from_lines": [b"\nFrom ", 0, 6],
        "add_tallies": [*tally, *tally, np.arange(2), 2, 1.0],
        "best": [np.zeros((2, 2)), np.zeros(2), np.zeros(2, np.int64)],
        "normalise": [np.zeros((2, 2)), np.zeros(2), False],
    }


def call(name, at=None, value=None):
    arguments = good()[name]
    if at is not None:
        arguments[at] = value
    return getattr(_native, name)(*arguments)


TOKENS_THAT_DO_NOT_FIT = [
    (0, np.array([0, 2, 1])),
    (0, np.array([1, 1, 2])),
    (1, np.array([0, 2], np.int32)),
    (1, np.array([0, -1], np.int32)),
]
"""Starts of rows that are none, and tokens that are not there: of kernels that take these first."""
