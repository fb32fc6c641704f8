"""The native core, documented in native/*.hpp. Kernels write to the arrays that they are given."""

from collections.abc import Callable, Sequence
from typing import Any, overload

from numpy.typing import NDArray

FINITE: int
NON_NEGATIVE: int
COUNT: int
BINARY: int

_Array = NDArray[Any]

def place_columns(values: list[_Array], there: list[_Array | None], out: _Array) -> None: ...
def add_number_hashes(values: _Array, there: _Array | None, name: int, totals: _Array) -> None: ...
def add_text_hashes(
    offsets: _Array, bytes: _Array, valid: _Array | None, bit: int, name: int, totals: _Array
) -> None: ...
def moments(x: _Array, y: _Array, weight: _Array | None, n: _Array, mean: _Array, m2: _Array) -> int: ...
def scatter(x: _Array, y: _Array, weight: _Array | None, n: _Array, mean: _Array, out: _Array) -> int: ...
def distances(
    x: _Array,
    mean: _Array,
    whitening: _Array,
    y: _Array | None,
    towards: _Array | None,
    out: _Array,
    product: _Array | None,
    holes: _Array,
) -> int: ...
def left_out_factored(
    x: _Array,
    y: _Array,
    weight: _Array | None,
    n: _Array,
    mean: _Array,
    squares: _Array,
    rows: _Array,
    tied: float,
    kept: float,
    own: bool,
    out: _Array,
    rest: _Array,
) -> int: ...
def totals(x: _Array, y: _Array, weight: _Array | None, kind: int, total: _Array, seen: _Array) -> int: ...
def csr_totals(
    indptr: _Array, indices: _Array, values: _Array, y: _Array, weight: _Array | None, kind: int, total: _Array
) -> int: ...
def csr_scores(indptr: _Array, indices: _Array, values: _Array, kind: int, weights: _Array, out: _Array) -> int: ...
def score_gaussian(x: _Array, mean: _Array, rate: _Array, constant: _Array, out: _Array) -> int: ...
def score_gaussian_by(x: _Array, which: _Array, mean: _Array, rate: _Array, constant: _Array, out: _Array) -> int: ...
def left_out_gaussian(
    x: _Array,
    y: _Array,
    weight: _Array | None,
    n: _Array,
    mean: _Array,
    m2: _Array,
    prior: tuple[float, float, float, float, bool],
    out: _Array,
) -> int: ...
def left_out_gaussian_cells(
    x: _Array,
    y: _Array,
    weight: _Array | None,
    n: _Array,
    mean: _Array,
    m2: _Array,
    prior: tuple[float, float, float, float, bool],
    out: _Array,
) -> int: ...
def score_left_out_gaussian(
    x: _Array,
    y: _Array,
    weight: _Array | None,
    n: _Array,
    mean: _Array,
    m2: _Array,
    prior: tuple[float, float, float, float, bool],
    times: _Array | None,
    out: _Array,
) -> int: ...
def left_out_cells(
    codes: _Array,
    y: _Array,
    weight: _Array | None,
    starts: _Array,
    counts: _Array,
    pseudocounts: _Array,
    log_width: _Array,
    out: _Array,
) -> None: ...
def score_left_out_cells(
    codes: _Array,
    y: _Array,
    weight: _Array | None,
    starts: _Array,
    counts: _Array,
    pseudocounts: _Array,
    log_width: _Array,
    times: _Array | None,
    table: _Array,
    out: _Array,
) -> None: ...
def put_own_scores(logs: _Array, times: _Array | None, y: _Array, before: _Array, out: _Array) -> None: ...
def left_out_bernoulli(
    x: _Array, y: _Array, weight: _Array | None, total: _Array, seen: _Array, zeros: float, ones: float, out: _Array
) -> int: ...
def left_out_poisson(
    x: _Array, y: _Array, weight: _Array | None, total: _Array, seen: _Array, events: float, rows: float, out: _Array
) -> int: ...
def left_out_exponential(
    x: _Array, y: _Array, weight: _Array | None, total: _Array, seen: _Array, rows: float, waited: float, out: _Array
) -> int: ...
def left_out_exponential_cells(
    x: _Array, y: _Array, weight: _Array | None, total: _Array, seen: _Array, rows: float, waited: float, out: _Array
) -> int: ...
def score_left_out_exponential(
    x: _Array,
    y: _Array,
    weight: _Array | None,
    total: _Array,
    seen: _Array,
    rows: float,
    waited: float,
    times: _Array | None,
    out: _Array,
) -> int: ...
def weighing_pass(
    evidence: _Array, prior: _Array, weight: _Array | None, weights: _Array, gradient: _Array, curvature: _Array
) -> float: ...
def logistic_pass(
    x: _Array,
    shift: _Array | None,
    y: _Array,
    weight: _Array | None,
    offset: _Array | None,
    weights: _Array,
    bias: _Array,
    gradient: _Array,
    slope: _Array,
) -> tuple[int, float]: ...
def dense_product(x: _Array, shift: _Array | None, table: _Array, out: _Array) -> int: ...
def weighted_products(x: _Array, shift: _Array | None, weight: _Array, out: _Array) -> int: ...
def softmax_products(
    x: _Array,
    shift: _Array | None,
    residuals: _Array,
    y: _Array,
    weight: _Array | None,
    classes: int,
    first: int,
    out: _Array,
) -> int: ...
def logistic_residuals(scores: _Array, y: _Array, weight: _Array | None, classes: int) -> float: ...
def logistic_curvature(
    residuals: _Array, y: _Array, weight: _Array | None, classes: int, scores: _Array, out: _Array
) -> None: ...
def csr_product(indptr: _Array, indices: _Array, values: _Array, table: _Array, squared: bool, out: _Array) -> None: ...
def csr_transposed_product(
    indptr: _Array, indices: _Array, values: _Array, table: _Array, squared: bool, out: _Array
) -> None: ...
def csr_forms(indptr: _Array, indices: _Array, values: _Array, table: _Array, out: _Array) -> None: ...
def fit_margins(
    indptr: _Array,
    indices: _Array,
    values: _Array,
    y: _Array,
    first: int,
    cost: _Array,
    tol: float,
    most: int,
    dual: _Array,
    weights: _Array,
    passes: _Array,
) -> None: ...
def score_linear(
    x: _Array, kind: int, zero: _Array, one: _Array, slope: _Array, factorial: _Array | None, out: _Array
) -> int: ...
def count_cells(codes: _Array, y: _Array, weight: _Array | None, starts: _Array, table: _Array) -> None: ...
def count_joint(
    codes: _Array,
    y: _Array,
    weight: _Array | None,
    sizes: _Array,
    members: _Array,
    ends: _Array,
    table: _Array,
) -> None: ...
def score_networks(
    codes: _Array,
    sizes: _Array,
    members: _Array,
    ends: _Array,
    networks: _Array,
    table: _Array,
    times: _Array,
    exact: bool,
    y: _Array | None,
    own: _Array | None,
    backoff: _Array | None,
    out: _Array,
) -> None: ...
def look_up_factors(
    codes: _Array, y: _Array, sizes: _Array, members: _Array, ends: _Array, table: _Array, out: _Array
) -> None: ...
def score_cells(codes: _Array, starts: _Array, table: _Array, out: _Array) -> None: ...
def bin_cells(x: _Array, edges: _Array, starts: _Array, codes: _Array) -> int: ...
def join_bins(counts: _Array, edges: _Array, pseudocounts: _Array, steps: _Array) -> None: ...
def encode_numbers(x: _Array, valid: _Array | None, known: list[_Array] | None, codes: _Array) -> list[_Array]: ...
def encode_text(
    offsets: _Array,
    bytes: _Array,
    valid: _Array | None,
    bit: int,
    known: tuple[_Array, _Array] | None,
    codes: _Array,
) -> tuple[_Array, _Array]: ...
def tokenize(text: str, lower: bool) -> list[str]: ...

_Reading = tuple[bool, bool, bool, int, int, bool, bool, bool, int]

class Words:
    def __len__(self) -> int: ...
    def buffers(self) -> tuple[_Array, _Array]: ...
    def joined(self, other: Words) -> tuple[Words, _Array]: ...
    def chosen(self, numbers: _Array) -> Words: ...
    def among(self, ends: _Array, bytes: _Array) -> _Array: ...
    def find(self, word: bytes) -> int: ...
    def word(self, at: int) -> str: ...

class Texts:
    @overload
    def __init__(self, texts: tuple[str | None, ...]) -> None: ...
    @overload
    def __init__(self, offsets: _Array, bytes: _Array, valid: _Array | None, bit: int) -> None: ...
    def __len__(self) -> int: ...
    def sizes(self) -> _Array: ...
    def there(self) -> _Array: ...

def words_of(ends: _Array, bytes: _Array) -> Words: ...
def tally_texts(
    texts: Texts,
    start: int,
    end: int,
    y: _Array,
    weight: _Array | None,
    classes: int,
    reading: _Reading,
    stop: Words | None,
    known: Words | None,
) -> tuple[Words, _Array, _Array, _Array]: ...
def rows_of_texts(
    texts: Texts, start: int, end: int, reading: _Reading, stop: Words | None, known: Words | None
) -> tuple[Words, _Array, _Array, _Array]: ...
def score_texts(
    texts: Texts,
    start: int,
    end: int,
    reading: _Reading,
    stop: Words | None,
    known: Words | None,
    starts: _Array,
    classes: _Array,
    extra: _Array,
    constant: _Array,
    each: _Array,
    common: _Array | None,
    prior: _Array | None,
    idf: _Array | None,
    strict: bool,
    out: _Array,
) -> None: ...
def score_texts_left_out(
    texts: Texts,
    start: int,
    end: int,
    reading: _Reading,
    stop: Words | None,
    known: Words | None,
    starts: _Array,
    classes: _Array,
    totals: _Array,
    y: _Array,
    weight: _Array | None,
    event: tuple[float, float, float],
    minimum: float,
    fixed: bool,
    out: _Array,
    lengths: _Array,
) -> None: ...

class PastTexts:
    def __init__(self, classes: int) -> None: ...

def score_texts_replayed(
    starts: _Array,
    tokens: _Array,
    times: _Array,
    size: int,
    y: _Array,
    growth: _Array,
    pseudocount: float,
    out: _Array,
    lengths: _Array,
    past: PastTexts,
) -> None: ...
def step_texts(
    starts: _Array,
    tokens: _Array,
    times: _Array,
    y: _Array,
    rate: float,
    least: float,
    weights: _Array,
    scores: _Array,
) -> None: ...
def odds_left_out(
    rows: _Array,
    ids: _Array,
    counts: _Array,
    which: _Array,
    root: bool,
    starts: _Array,
    classes: _Array,
    totals: _Array,
    y: _Array,
    weight: _Array | None,
    pseudocounts: _Array,
    minimum: float,
    fixed: bool,
    out: _Array,
    lengths: _Array,
) -> None: ...
def rare_odds_left_out(
    rows: _Array,
    ids: _Array,
    counts: _Array,
    which: _Array,
    texts: float,
    starts: _Array,
    classes: _Array,
    totals: _Array,
    y: _Array,
    weight: _Array | None,
    pseudocounts: _Array,
    minimum: float,
    fixed: bool,
    out: _Array,
    lengths: _Array,
) -> None: ...
def tokens_of_texts(
    texts: Texts, start: int, end: int, reading: _Reading, stop: Words | None
) -> tuple[Words, _Array, _Array]: ...
def rows_of_tokens(
    starts: _Array, tokens: _Array, size: int, reading: _Reading
) -> tuple[int, _Array, _Array, _Array]: ...
def tally_rows(
    starts: _Array,
    ids: _Array,
    counts: _Array,
    size: int,
    root: bool,
    y: _Array,
    weight: _Array | None,
    classes: int,
) -> tuple[_Array, _Array, _Array]: ...
def add_tallies(
    starts: _Array,
    classes: _Array,
    totals: _Array,
    other_starts: _Array,
    other_classes: _Array,
    other_totals: _Array,
    at: _Array,
    size: int,
    sign: float,
) -> tuple[_Array, _Array, _Array, int, int]: ...

class Mail:
    def __len__(self) -> int: ...
    def row(self, at: int) -> tuple[str, str, str, str, str, str, str]: ...
    def buffers(self, column: int) -> tuple[_Array, _Array]: ...

class MailReader:
    def __init__(
        self,
        most: tuple[int, ...],
        fields: Sequence[tuple[str, str]],
        decode: Callable[[bytes, str], tuple[str | None, str]],
        without_leaks: Callable[[str], str],
    ) -> None: ...
    def read(self, raws: list[bytes]) -> Mail: ...

def from_lines(window: bytes, start: int, end: int) -> list[int]: ...
def best(scores: _Array, prior: _Array, codes: _Array) -> None: ...
def normalise(scores: _Array, prior: _Array, log: bool) -> None: ...
