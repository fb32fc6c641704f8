"""No argument makes a kernel reach outside its buffers, or write to a copy."""

import numpy as np
import pytest

from likely import _native

from .kernels import call, good

OUTPUTS = {
    "place_columns": [2],
    "add_number_hashes": [3],
    "add_text_hashes": [5],
    "moments": [3, 4, 5],
    "scatter": [3, 4, 5],
    "totals": [4, 5],
    "csr_totals": [6],
    "csr_scores": [5],
    "logistic_pass": [7, 8],
    "dense_product": [3],
    "weighted_products": [3],
    "softmax_products": [7],
    "logistic_residuals": [0],
    "logistic_curvature": [5],
    "csr_product": [5],
    "csr_transposed_product": [5],
    "csr_forms": [4],
    "fit_margins": [8, 9, 10],
    "score_gaussian": [4],
    "score_gaussian_by": [5],
    "score_linear": [6],
    "left_out_gaussian": [7],
    "left_out_gaussian_cells": [7],
    "score_left_out_gaussian": [8],
    "left_out_cells": [7],
    "score_left_out_cells": [9],
    "put_own_scores": [4],
    "left_out_bernoulli": [7],
    "left_out_poisson": [7],
    "left_out_exponential": [7],
    "left_out_exponential_cells": [7],
    "score_left_out_exponential": [8],
    "weighing_pass": [4, 5],
    "distances": [5, 6, 7],
    "left_out_factored": [10, 11],
    "count_cells": [4],
    "count_joint": [6],
    "score_networks": [11],
    "look_up_factors": [6],
    "score_cells": [3],
    "bin_cells": [3],
    "join_bins": [3],
    "encode_numbers": [3],
    "encode_text": [5],
    "tokenize": [],
    "words_of": [],
    "tally_texts": [],
    "rows_of_texts": [],
    "score_texts": [15],
    "score_texts_left_out": [14, 15],
    "score_texts_replayed": [7, 8],
    "step_texts": [6, 7],
    "odds_left_out": [13, 14],
    "rare_odds_left_out": [13, 14],
    "tokens_of_texts": [],
    "rows_of_tokens": [],
    "tally_rows": [],
    "from_lines": [],
    "add_tallies": [],
    "best": [2],
    "normalise": [0],
}


ARRAYS = [
    (name, at) for name, arguments in good().items() for at, a in enumerate(arguments) if isinstance(a, np.ndarray)
]


EVERY_OUTPUT = [(name, at) for name, places in OUTPUTS.items() for at in places]


def test_every_kernel_is_here():
    """All that can be called but for the classes, held by test_vocabulary, test_text, test_texts_replayed and
    test_mail_message."""
    public = {name: getattr(_native, name) for name in dir(_native) if not name.startswith("_")}
    kernels = [name for name, value in public.items() if callable(value) and not isinstance(value, type)]
    assert sorted(good()) == sorted(OUTPUTS) == kernels


@pytest.mark.parametrize("name", good())
def test_arguments_that_fit(name):
    call(name)


FREE = [
    # More classes or columns than the rows have, more bytes or bits than are needed, any number of rows in place, one
    # matrix for all classes.
    ("fit_margins", 9, 1, 1),
    ("csr_totals", 6, 0, 1),
    ("csr_totals", 6, 1, 1),
    ("csr_scores", 4, 0, 1),
    ("csr_product", 3, 0, 1),
    ("csr_transposed_product", 5, 0, 1),
    ("softmax_products", 2, 1, -1),
    ("softmax_products", 2, 1, 1),
    ("softmax_products", 7, 0, -1),
    ("join_bins", 0, 0, 1),
    ("join_bins", 0, 0, -1),
    ("join_bins", 2, 0, 1),
    ("join_bins", 2, 0, -1),
    ("distances", 2, 0, -1),
    ("count_cells", 4, 0, 1),
    ("count_joint", 6, 0, 1),
    ("look_up_factors", 5, 1, 1),
    ("score_networks", 11, 1, 1),
    ("left_out_cells", 4, 0, 1),
    ("put_own_scores", 4, 1, 1),
    ("score_texts_left_out", 14, 1, 1),
    ("step_texts", 6, 0, 1),
    ("odds_left_out", 13, 2, 1),
    ("rare_odds_left_out", 13, 2, 1),
    ("encode_text", 1, 0, 1),
    ("encode_text", 2, 0, 1),
    ("add_text_hashes", 1, 0, 1),
    ("add_text_hashes", 2, 0, 1),
    ("words_of", 0, 0, -1),
    ("words_of", 1, 0, 1),
    ("normalise", 0, 0, -1),
    ("normalise", 0, 0, 1),
]


SHAPES = [
    (name, at, axis, change)
    for name, at in ARRAYS
    for axis in range(good()[name][at].ndim)
    for change in (-1, 1)
    if (name, at, axis, change) not in FREE
]


@pytest.mark.parametrize(("name", "at", "axis", "change"), SHAPES)
def test_a_shape_that_does_not_fit(name, at, axis, change):
    array = good()[name][at]
    shape = list(array.shape)
    shape[axis] += change
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.zeros(shape, array.dtype))


@pytest.mark.parametrize(("name", "at", "axis", "change"), FREE)
def test_a_shape_that_may_differ(name, at, axis, change):
    array = good()[name][at]
    shape = list(array.shape)
    shape[axis] += change
    call(name, at, np.ones(shape, array.dtype))


@pytest.mark.parametrize(("name", "at"), ARRAYS)
def test_an_axis_too_many_or_too_few(name, at):
    array = good()[name][at]
    for wrong in (array[..., None], array[0], np.array(0, array.dtype)):
        with pytest.raises((ValueError, TypeError)):
            call(name, at, wrong)


@pytest.mark.parametrize(("name", "at"), ARRAYS)
@pytest.mark.parametrize("wrong", ["text", {}, 3.5, object()], ids=["text", "dict", "number", "object"])
def test_what_is_no_array(name, at, wrong):
    with pytest.raises((ValueError, TypeError)):
        call(name, at, wrong)


@pytest.mark.parametrize(("name", "at"), [(name, at) for name, at in ARRAYS if good()[name][at].ndim >= 2])
@pytest.mark.parametrize("dtype", ["c16", "O", "U3", "M8[s]", "V8"])
def test_a_type_that_is_no_number(name, at, dtype):
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.zeros(good()[name][at].shape, dtype))


@pytest.mark.parametrize("name", [name for name, at in ARRAYS if at == 0 and good()[name][at].shape == (2, 3)])
@pytest.mark.parametrize("dtype", ["f2", "g", ">f8", ">i4"])
def test_a_type_of_number_that_the_kernels_do_not_read(name, dtype):
    with pytest.raises((ValueError, TypeError)):
        call(name, 0, np.ones((2, 3), dtype))


@pytest.mark.parametrize(("name", "at"), EVERY_OUTPUT)
def test_an_output_of_another_type_is_refused(name, at):
    """Or else it would be converted, and what is written there lost."""
    array = good()[name][at]
    with pytest.raises((ValueError, TypeError)):
        call(name, at, array.astype(np.float32 if array.dtype == np.float64 else np.int16))


@pytest.mark.parametrize(("name", "at"), EVERY_OUTPUT)
def test_an_output_that_is_not_contiguous_is_refused(name, at):
    array = good()[name][at]
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.repeat(array, 2, axis=-1)[..., ::2])


@pytest.mark.parametrize(("name", "at"), EVERY_OUTPUT)
def test_an_output_that_is_read_only_is_refused(name, at):
    array = good()[name][at].copy()
    array.flags.writeable = False
    with pytest.raises((ValueError, TypeError)):
        call(name, at, array)


TABLES = [
    (name, at)
    for name, at in ARRAYS
    if at > 0 and good()[name][at].ndim >= 2 and (name, at) not in [*EVERY_OUTPUT, ("encode_numbers", 1)]
]


@pytest.mark.parametrize(("name", "at"), TABLES)
def test_parameters_in_columns_are_refused(name, at):
    """Or else they would be read as if in rows."""
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.asfortranarray(good()[name][at]))


WEIGHTED = [
    ("logistic_pass", 2),
    ("softmax_products", 3),
    *((name, 1) for name in ("logistic_residuals", "logistic_curvature")),
]
LATER = {"odds_left_out": 8, "rare_odds_left_out": 8, "tally_rows": 5}
WEIGHTED += [
    (name, {"csr_totals": 3, "tally_texts": 3, "score_texts_left_out": 9, **LATER}.get(name, 1))
    for name in (
        *("moments", "scatter", "totals", "csr_totals", "left_out_gaussian", "score_left_out_gaussian"),
        *(
            "left_out_gaussian_cells",
            "left_out_cells",
            "score_left_out_cells",
            "left_out_bernoulli",
            "left_out_poisson",
            "left_out_exponential",
            "left_out_exponential_cells",
            "score_left_out_exponential",
        ),
        *("left_out_factored", "count_cells", "count_joint", "tally_texts", "score_texts_left_out", *LATER),
    )
]
OF_CLASSES = [*WEIGHTED, ("distances", 3), ("put_own_scores", 2), ("score_gaussian_by", 1), ("look_up_factors", 1)]
OF_CLASSES += [("score_networks", 8)]


@pytest.mark.parametrize(("name", "at"), OF_CLASSES)
@pytest.mark.parametrize("code", [-1, -(2**31), 2, 2**31 - 1])
def test_class_codes_out_of_range(name, at, code):
    with pytest.raises(ValueError, match=r"^a class code is out of range$"):
        call(name, at, np.array([0, code], np.int32))


@pytest.mark.parametrize(("name", "at"), OF_CLASSES)
def test_class_codes_are_not_cut_to_32_bits(name, at):
    with pytest.raises((ValueError, TypeError)):
        call(name, at, np.array([0, 2**32 + 1]))


@pytest.mark.parametrize(("name", "at"), WEIGHTED)
def test_weights_for_other_rows(name, at):
    for length in (0, 1, 3):
        with pytest.raises(ValueError, match=r"^one weight per row is needed$"):
            call(name, at + 1, np.ones(length))


@pytest.mark.parametrize("columns", [0, 1])
@pytest.mark.parametrize("rows", [0, 1])
def test_no_rows_and_no_columns(rows, columns):
    x, y, table = np.ones((rows, columns)), np.zeros(rows, np.int32), np.zeros((1, columns))
    starts, codes = np.arange(columns + 1), np.zeros((columns, rows), np.int32)
    assert _native.moments(x, y, None, table.copy(), table.copy(), table.copy()) == -1
    assert _native.totals(x, y, None, _native.COUNT, table.copy(), table.copy()) == -1
    assert _native.score_gaussian(x, table, table, table, np.zeros((rows, 1))) == -1
    n, cube, marks = np.ones(1), np.ones((1, columns, columns)), np.zeros(rows, np.uint8)
    scores = np.zeros((rows, 1))
    assert _native.scatter(x, y, None, n.copy(), table.copy(), cube.copy()) == -1
    assert _native.distances(x, table, cube, y, table[None], scores.copy(), scores.copy(), marks.copy()) == -1
    assert _native.left_out_factored(x, y, None, n, table, cube, n, 0.5, 0.5, False, scores, marks) == -1
    assert _native.bin_cells(x, np.ones(columns), starts, codes) == -1
    _native.count_cells(np.zeros_like(codes), y, None, starts, table.copy())
    _native.score_cells(np.zeros_like(codes), starts, table, np.zeros((rows, 1)))
    assert len(_native.encode_numbers(x, None, None, codes)) == columns
    csr = np.zeros(rows + 1, np.int32), np.zeros(0, np.int32), np.zeros(0)
    assert _native.csr_totals(*csr, y, None, _native.COUNT, table.copy()) == -1
    _native.csr_scores(*csr, _native.NON_NEGATIVE, np.zeros((columns, 1)), np.zeros((rows, 1)))


@pytest.mark.parametrize("given", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)])
def test_directions_need_classes_and_products(given):
    arguments = good()["distances"]
    for which, at in enumerate((3, 4, 6)):
        if which not in given:
            arguments[at] = None
    with pytest.raises(ValueError, match=r"^all three are needed, or none$"):
        _native.distances(*arguments)


@pytest.mark.parametrize("matrices", [0, 3])
def test_matrices_for_other_classes(matrices):
    with pytest.raises(ValueError, match=r"^one matrix for each class, or one for all, is needed$"):
        call("distances", 2, np.ones((matrices, 3, 3)))


NUMBERS = [("left_out_factored", at) for at in (7, 8, 9)] + [("score_texts_left_out", at) for at in (11, 12, 13)]
NUMBERS += [(name, at) for name in ("odds_left_out", "rare_odds_left_out") for at in (4, 11, 12)]
NUMBERS += [("tally_rows", at) for at in (3, 4, 7)]
NUMBERS += [(name, at) for name in ("left_out_bernoulli", "left_out_poisson", "left_out_exponential") for at in (5, 6)]


@pytest.mark.parametrize(("name", "at"), NUMBERS)
@pytest.mark.parametrize("wrong", ["text", None, [0.5]], ids=str)
def test_what_is_no_number(name, at, wrong):
    with pytest.raises(TypeError):
        call(name, at, wrong)
