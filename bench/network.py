"""Bayes networks: error and log loss on real tables, posteriors compared with pgmpy, and speed."""

import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bench.data import TABLES, check, table
from bench.folds import folds
from bench.table import Row, milliseconds
from bench.timing import best
from likely import BayesNetwork, NaiveBayes
from likely.statistics.joint import JointCells, pairs

ROWS, COLUMNS, CLASSES = 1_000_000, 20, 10


def networks() -> Iterator[Row]:
    """The 18 tables, 5 random folds each, of the structure that leave-one-out log loss chooses, vs. naive Bayes."""
    check()
    found = []
    for name in TABLES:
        x, y = table(name)
        y = np.unique(y, return_inverse=True)[1]
        ours, naive = folds(lambda x: BayesNetwork(), x, y), folds(lambda x: NaiveBayes(), x, y)
        found.append([ours[:2], naive[:2]])
        for at, what in enumerate(("error", "log loss")):
            shown = f"{ours[at]:.3f} ± {ours[at + 2]:.3f}", "NaiveBayes()", f"{naive[at]:.3f} ± {naive[at + 2]:.3f}"
            yield Row(f"{name}, {what}", *shown, (naive[at] + 1e-9) / (ours[at] + 1e-9))
    means = np.mean(found, axis=0)
    for at, what in enumerate(("error", "log loss")):
        target = 0.140 if what == "error" else means[1, at]
        shown = f"{means[0, at]:.4f}", "NaiveBayes()", f"{means[1, at]:.4f}"
        yield Row(f"mean of all, {what}", *shown, target / means[0, at], 1)


def shells() -> Iterator[Row]:
    """Ten numbers whose classes are shells around one centre, 5 folds: densities and bins, by leave-one-out, vs. naive
    Bayes and bins alone."""
    from sklearn.datasets import make_gaussian_quantiles

    x, y = make_gaussian_quantiles(n_samples=2000, n_features=10, n_classes=3, random_state=0)
    makes = (BayesNetwork, NaiveBayes, lambda: BayesNetwork(bins=8))
    ours, naive, cut = (folds(lambda x, make=make: make(), pd.DataFrame(x), y) for make in makes)
    for at, what in enumerate(("error", "log loss")):
        beside = f"{naive[at]:.3f}, {cut[at]:.3f}"
        yield Row(f"shells, {what}", f"{ours[at]:.3f}", "NaiveBayes(), bins alone", beside, naive[at] / ours[at])


def pgmpy() -> Iterator[Row]:
    """pgmpy reads the networks as BIF, every structure and each graph of AODE. The largest difference of posteriors of
    50 rows, a third of whose cells are missing, from those of `query` and, where that is exact, from what is predicted;
    of the tables of columns without parents from its own estimate of the same rows; and how often d-separation differs,
    of all pairs of variables and all sets that can be given."""
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    rng = np.random.default_rng(0)
    y = rng.integers(3, size=400)
    a = (y + rng.integers(2, size=400)) % 3
    b, c = (a + rng.integers(2, size=400)) % 3, (a * y + rng.integers(2, size=400)) % 3
    x = pd.DataFrame({name: [f"{name}{v}" for v in values] for name, values in (("a", a), ("b", b), ("c", c))})
    labels = np.array(["u", "v", "w"])[y]
    some = x[:50].mask(rng.random((50, 3)) < 1 / 3)
    for structure in ("naive", "tan", "kdb", "aode", (("a", "b"), ("a", "c"), ("b", "c"))):
        model = BayesNetwork(structure).fit(x, labels)
        name = structure if isinstance(structure, str) else "edges"
        graphs = model.network.graphs if structure == "aode" else {"": model.network}
        worst, differ, off = 0.0, 0, 0.0
        for graph in graphs.values():
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "network.bif"
                path.write_text(graph.to_bif())
                theirs = BIFReader(str(path)).get_model()
            infer = VariableElimination(theirs)
            for row in range(len(some)):
                evidence = {of: str(v) for of, v in some.iloc[row].items() if v == v and of in graph.parents}
                found = infer.query(["class"], evidence=evidence, show_progress=False)
                states = found.state_names["class"]
                p = np.array([found.values[states.index(label)] for label in model.classes_])
                expected = [list(graph.query(evidence).values())]
                if structure in ("naive", "tan"):
                    expected.append(model.predict_proba(some.iloc[[row]])[0])
                worst = max(worst, *(float(np.abs(p - each).max()) for each in expected))
            nodes = list(graph.parents)
            for one, other in combinations(nodes, 2):
                rest = [node for node in nodes if node not in (one, other)]
                for given in (set(of) for size in range(len(rest) + 1) for of in combinations(rest, size)):
                    differ += theirs.is_dconnected(one, other, given) == graph.independent(one, other, given)
            off = max(off, _off(graph, x.assign(**{"class": labels})))
        yield Row(f"posteriors of {name}", f"{worst:.1e}", "pgmpy", "1e-9", 1e-9 / max(worst, 1e-16), 1)
        yield Row(f"estimates of {name}", f"{off:.1e}", "pgmpy", "1e-9", 1e-9 / max(off, 1e-16), 1)
        yield Row(f"d-separation of {name}", f"{differ} differ", "pgmpy", "0", 1.0 - (differ > 0), 1)


def _off(graph: Any, rows: Any) -> float:
    """The largest difference of the tables of columns that depend on the class alone from pgmpy's of the same rows,
    with a pseudo-count for each value and for one that was never seen."""
    from pgmpy.estimators import BayesianEstimator
    from pgmpy.models import DiscreteBayesianNetwork

    alone = [node for node, of in graph.parents.items() if of == ("class",)]
    states = {node: list(map(str, graph.states[node])) for node in ("class", *alone)}
    found = BayesianEstimator(
        DiscreteBayesianNetwork([("class", node) for node in alone]), rows[["class", *alone]], state_names=states
    )
    worst = 0.0
    for node in alone:
        table = found.estimate_cpd(node, prior_type="K2")
        order = [table.state_names["class"].index(label) for label in states["class"]]
        values = [table.state_names[node].index(value) for value in states[node]]
        worst = max(worst, float(np.abs(table.get_values()[values][:, order].T - graph.tables[node]).max()))
    return worst


def joint_counts() -> Iterator[Row]:
    """All pairs of 50 columns of 10 values, 1M rows and 10 classes, vs. the limit: one addition a row and pair into a
    table in the first-level cache, as fast as the same four pairs of 65,536 rows are counted over and over."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 10, (50, ROWS)).astype(np.int32)
    y = rng.integers(0, CLASSES, ROWS).astype(np.int32)
    every, few = JointCells((10,) * 50, pairs(range(50))), JointCells((10,) * 5, ((0, 1), (0, 2), (0, 3), (0, 4)))
    some = np.ascontiguousarray(codes[:5, : 1 << 16])
    of_some = y[: 1 << 16]

    def in_cache() -> None:
        for _ in range(10):
            few.count(some, of_some, CLASSES)

    ours, limit = best(lambda: every.count(codes, y, CLASSES), in_cache, seconds=6)
    limit *= len(every.cliques) / 4 * ROWS / (1 << 16) / 10
    yield Row("50 columns, all pairs", milliseconds(ours), "in cache", milliseconds(limit), limit / ours, 1 / 3)


def _numbers() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, ROWS)
    x = rng.normal(size=(ROWS, COLUMNS)) + 0.3 * y[:, None] * rng.normal(size=COLUMNS)
    x[:, 1::2] += 0.5 * x[:, ::2]
    return x, y


def network_fit() -> Iterator[Row]:
    """TAN of 1M x 20 numbers and 10 classes: fit, vs. naive Bayes; leave-one-out, vs. fit and predict."""
    x, y = _numbers()
    tan, naive = BayesNetwork("tan"), NaiveBayes()
    ours, theirs = best(lambda: tan.fit(x, y), lambda: naive.fit(x, y), seconds=5)
    yield Row("TAN 1M x 20, fit", milliseconds(ours), "NaiveBayes", milliseconds(theirs), theirs / ours, 0.1)
    left, predict = best(lambda: tan.loo_scores(x, y), lambda: tan.predict(x), seconds=5)
    both = milliseconds(ours + predict)
    yield Row("TAN 1M x 20, leave-one-out", milliseconds(left), "fit + predict", both, (ours + predict) / left, 1 / 3)


def network_aode() -> Iterator[Row]:
    """AODE of 1M x 20 and 10 classes: predict, vs. the same tables looked up by numpy, for a hundredth of the rows, and
    by loops of Python, as AODE is mostly written, for 50 rows."""
    x, y = _numbers()
    model = BayesNetwork("aode").fit(x, y)
    block = model.model_.network_block
    some = x[: ROWS // 100]

    def looked_up() -> Any:
        codes = np.ascontiguousarray(block.read(model._read(some)).T)
        tables, factors = block.parameters.tables, block.family.structure.factors
        scores = np.zeros((COLUMNS, codes.shape[1], CLASSES))
        for f, factor in enumerate(factors):
            at = *(codes[j] + 1 for j in factor[:-1]), codes[factor[-1]]
            scores[f // COLUMNS] += np.log(tables[f][:, *at]).T
        return (np.logaddexp.reduce(scores, axis=0) + model.model_.log_prior()).argmax(axis=1)

    tables = [table.tolist() for table in block.parameters.tables]
    prior = np.exp(model.model_.log_prior()).tolist()

    def looped() -> list[int]:
        found = []
        for row in block.read(model._read(x[:50])).tolist():
            scores = []
            for k in range(CLASSES):
                total = 0.0
                for parent in range(COLUMNS):
                    p = prior[k]
                    for f in range(parent * COLUMNS, (parent + 1) * COLUMNS):
                        *given, j = block.family.structure.factors[f]
                        p *= tables[f][k][row[given[0]] + 1][row[j]] if given else tables[f][k][row[j]]
                    total += p
                scores.append(total)
            found.append(scores.index(max(scores)))
        return found

    assert np.array_equal(model.classes_[looked_up()], model.predict(some))
    assert np.array_equal(model.classes_[looped()], model.predict(x[:50]))
    ours, theirs, loops = best(lambda: model.predict(x), looked_up, looped, seconds=5)
    for peer, taken, target in (("numpy", theirs * 100, None), ("loops of Python", loops * ROWS / 50, 10)):
        yield Row("AODE 1M x 20, predict", milliseconds(ours), peer, milliseconds(taken), taken / ours, target)
