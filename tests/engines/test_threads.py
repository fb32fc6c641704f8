"""Rows in pieces, side by side, and added: the same whatever the machine."""

import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.engines import threads

PARTS = [slice(i, i + 1) for i in range(12)]


def run_python(script, likely_threads=None):
    """What a fresh interpreter prints for a script."""
    environment = {key: value for key, value in os.environ.items() if key != "LIKELY_THREADS"}
    if likely_threads is not None:
        environment["LIKELY_THREADS"] = likely_threads
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", textwrap.dedent(script)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(params=[1, 2])
def count(request, monkeypatch):
    """So many threads."""
    monkeypatch.setattr(threads, "count", lambda: request.param)
    return request.param


def slow_first(rows):
    """Later pieces are done before earlier ones."""
    time.sleep(0.002 * (12 - rows.start) / 12)
    return rows.start


# Pieces


@given(st.integers(0, 5000), st.integers(0, 1 << 22), st.integers(0, 1 << 26))
def test_pieces_cover_every_row_once_and_in_order(rows, row_bytes, fixed_bytes):
    parts = threads.pieces(rows, row_bytes, fixed_bytes)
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(rows))
    assert all(part.step is None for part in parts)


@given(st.integers(1, 10**9), st.integers(1, 1 << 22), st.integers(0, 1 << 26))
def test_a_piece_reads_as_much_as_it_should(rows, row_bytes, fixed_bytes):
    aim = max(8 << 20, 8 * fixed_bytes)
    rows = min(rows, 50 * (aim // row_bytes + 1))
    first, *others = threads.pieces(rows, row_bytes, fixed_bytes)
    size = first.stop - first.start
    assert size == 1 or size * row_bytes <= aim
    assert all(part.stop - part.start == size for part in others[:-1])
    fewest = -(-rows // max(1, aim // row_bytes))
    assert len(others) + 1 <= fewest
    assert size == -(-rows // fewest)


def test_no_rows_are_one_empty_piece():
    assert threads.pieces(0, 8) == [slice(0, 0)]


def test_pieces_depend_on_the_table_alone(monkeypatch):
    expected = threads.pieces(10_000_000, 400, 1000)
    for count in (1, 2, 64):
        monkeypatch.setattr(threads, "count", lambda count=count: count)
        assert threads.pieces(10_000_000, 400, 1000) == expected
    assert len(expected) > 100


# Work


def test_results_come_in_the_order_of_the_pieces(count):
    assert list(threads.each(slow_first, PARTS)) == list(range(12))


def test_total_adds_in_order(count):
    def work(rows):
        slow_first(rows)
        return f"{rows.start} "

    assert threads.total(work, PARTS) == "0 1 2 3 4 5 6 7 8 9 10 11 "


def test_batches_are_made_while_others_are_worked_on(count):
    made = []

    def batches():
        for i in range(50):
            made.append(i)
            yield i

    results = threads.stream(lambda i: 2 * i, batches())
    assert next(results) == 0
    assert len(made) <= 2 * count + 1
    assert list(results) == [2 * i for i in range(1, 50)]
    assert list(threads.stream(str, [])) == []


def test_an_error_in_a_batch_is_raised(count):
    with pytest.raises(ZeroDivisionError):
        list(threads.stream(lambda i: 1 // (i - 5), range(10)))


def test_total_of_one_piece_is_its_result(count):
    assert threads.total(lambda rows: rows.stop, [slice(0, 7)]) == 7


def test_every_piece_is_done_once(count):
    done = []
    threads.run(lambda rows: done.append(rows.start), PARTS)
    assert sorted(done) == list(range(12))


def test_one_piece_is_done_here(count):
    assert threads.total(lambda rows: [threading.current_thread()], [slice(0, 7)]) == [threading.current_thread()]


def test_pieces_are_done_side_by_side():
    script = """
        import threading
        from likely.engines import threads
        meeting = threading.Barrier(3, timeout=30)
        threads.run(lambda rows: meeting.wait() and None, [slice(i, i + 1) for i in range(3)])
        print("met")
    """
    assert run_python(script, "3") == "met"


# Errors


class Broken(Exception):
    """Raised by a piece."""


def broken(rows):
    if rows.start == 5:
        raise Broken("piece 5")
    return rows.start


@pytest.mark.parametrize("call", [threads.total, threads.run, lambda work, parts: list(threads.each(work, parts))])
def test_an_error_in_a_piece_is_raised(count, call):
    with pytest.raises(Broken, match=r"^piece 5$"):
        call(broken, PARTS)
    assert threads.total(lambda rows: rows.start, PARTS) == 66


def test_the_first_of_several_errors_is_raised(count):
    def work(rows):
        slow_first(rows)
        raise Broken(f"piece {rows.start}")

    with pytest.raises(Broken, match=r"^piece 0$"):
        threads.run(work, PARTS)


def test_results_before_an_error_are_given(count):
    results = threads.each(broken, PARTS)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Broken):
        next(results)


# The number of threads


@pytest.mark.parametrize("number", [1, 2, 5])
def test_likely_threads_is_the_number(number):
    assert run_python("from likely.engines import threads; print(threads.count())", str(number)) == str(number)


@pytest.mark.parametrize("unset", [None, "0"])
def test_without_it_every_core_that_may_be_used(unset):
    script = "from likely.engines import threads; print(threads.count())"
    assert run_python(script, unset) == str(len(os.sched_getaffinity(0)))


def test_one_thread_is_the_caller_itself():
    script = """
        import threading
        from likely.engines import threads
        names = []
        threads.run(lambda rows: names.append(threading.current_thread().name), [slice(i, i + 1) for i in range(9)])
        print(*set(names))
    """
    assert run_python(script, "1") == "MainThread"


def test_no_more_threads_than_the_number():
    script = """
        import threading, time
        from likely.engines import threads
        names = set()
        def work(rows):
            names.add(threading.current_thread().name)
            time.sleep(0.005)
        threads.run(work, [slice(i, i + 1) for i in range(40)])
        print(len(names))
    """
    assert run_python(script, "3") == "3"


MODEL = """
    import multiprocessing, sys
    import numpy as np
    from likely.data import Sample, read
    from likely.models.naive_bayes import NaiveBayesModel

    rng = np.random.default_rng(0)
    table, y = read(rng.normal(1e3, 1, (150_000, 20))), rng.integers(0, 3, 150_000).astype(np.int32)

    def scores():
        model = NaiveBayesModel("gaussian").learn(Sample(table, y, np.arange(3)))
        return model.score(table)[::999].tobytes().hex()
"""


def test_sums_are_the_same_to_the_bit_with_any_number_of_threads():
    script = textwrap.dedent(MODEL) + "print(scores())"
    assert run_python(script, "1") == run_python(script, "3")


# Forks


FORK = """
    import multiprocessing
    from likely.engines import threads

    PARTS = [slice(i, i + 1) for i in range(20)]

    def add():
        return threads.total(lambda rows: rows.start, PARTS)

    def child(queue):
        queue.put(add())

    before = add()
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    process.join(30)
    if process.is_alive():
        process.kill()
        raise SystemExit("the child hangs")
    print(before, queue.get(), add())
"""


@pytest.mark.parametrize("number", ["1", "3"])
def test_a_child_after_a_fork_has_threads_of_its_own(number):
    assert run_python(FORK, number) == "190 190 190"


def test_a_model_learns_in_a_child_after_a_fork():
    fork = """
        here = scores()
        context = multiprocessing.get_context("fork")
        queue = context.SimpleQueue()
        process = context.Process(target=lambda: queue.put(scores() == here))
        process.start()
        process.join(30)
        if process.is_alive():
            process.kill()
            sys.exit("the child hangs")
        print(queue.get())
    """
    assert run_python(textwrap.dedent(MODEL) + textwrap.dedent(fork), "2") == "True"


def test_arrays_are_added_in_order(count):
    parts = [np.array([0.1]), np.array([1e16]), np.array([-1e16]), np.array([0.3])]
    expected = ((parts[0] + parts[1]) + parts[2]) + parts[3]
    assert threads.total(lambda rows: parts[rows.start], [slice(i, i + 1) for i in range(4)]) == expected


def test_blas_has_one_thread_meanwhile_and_all_of_its_own_again_whoever_ends_first(request):
    from threadpoolctl import threadpool_info, threadpool_limits

    def numbers():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    with threads.blas_alone():
        pass  # scipy's is loaded too
    request.addfinalizer(threadpool_limits(2, "blas").restore_original_limits)
    before, entered, may_end = numbers(), threading.Event(), threading.Event()

    def other():
        with threads.blas_alone():
            entered.set()
            may_end.wait()

    beside = threading.Thread(target=other)
    with threads.blas_alone(), threads.blas_alone():
        beside.start()
        entered.wait()
        assert set(numbers()) == {1}
    assert numbers() == before
    may_end.set()
    beside.join()
    assert numbers() == before
    with pytest.raises(ZeroDivisionError), threads.blas_alone():
        numbers()[1 // 0]
    with threads.blas_alone():
        assert set(numbers()) == {1}
    with threads.blas_alone(1e12):
        assert numbers() == before


def test_a_thread_that_works_alone_asks_no_other(monkeypatch):
    monkeypatch.setattr(threads, "count", lambda: 2)
    own = threading.current_thread().name
    with threads.alone():
        names = list(threads.each(lambda part: threading.current_thread().name, PARTS))
        with threads.alone():
            pass
        assert threads._alone()
    assert set(names) == {own}
    assert not threads._alone()
