"""Exports a model as one SELECT that returns the class of each row and its probabilities."""

from collections.abc import Callable, Sequence

from likely.data.table import is_number
from likely.export.scoring import IMPOSSIBLE, Scoring
from likely.families.formula import Cell, Lookup, Polynomial, Product
from likely.models.calibration import LEAST, Steps
from likely.sql.dialects import Dialect
from likely.sql.expressions import good, number, reading, searched, total

LOWEST = -700.0
"""For smaller numbers, exp is written as 0, because PostgreSQL raises an error on underflow."""


def select(scoring: Scoring, dialect: Dialect, table: str, keep: Sequence[str] | None = None) -> str:
    """The SELECT over a table, which may be SCHEMA.TABLE. It returns the columns to `keep` (by default those that the
    model reads), then `prediction`, `probability`, and `p(...)` of each class. These are NULL for a row with a cell
    that the model can't read, such as infinity, and for a row without a required cell."""
    return _Query(scoring, dialect, table, keep).sql


class _Query:
    """The query is built in stages. Each stage is a subquery that adds columns to those of the stage before."""

    def __init__(self, scoring: Scoring, dialect: Dialect, table: str, keep: Sequence[str] | None) -> None:
        self.scoring, self.dialect = scoring, dialect
        self.source = ".".join(map(dialect.identifier, table.split("."))) + " AS t"
        self.stages = list[str]()
        names = [scoring.names[j] for j in scoring.columns] if keep is None else list(keep)
        self._read(names)
        scores = self._scores()
        p = self._softmax(scores)
        if scoring.calibration is not None:
            p = self._calibrated(scores)
        self.sql = self._answers(names, p)

    def _stage(self, columns: Sequence[str]) -> list[str]:
        """Adds a stage with these columns, and returns their names for the next stage."""
        stage = f"likely_{len(self.stages)}"
        names = [f"{stage}_{i}" for i in range(len(columns))]
        added = ",\n    ".join(f"{column} AS {name}" for column, name in zip(columns, names, strict=True))
        carried = "t.*,\n    " if self.stages else ""
        self.stages.append(f"{stage} AS (\n  SELECT {carried}{added}\n  FROM {self.source}{self.dialect.fence}\n)")
        self.source = f"{stage} AS t"
        return [f"t.{name}" for name in names]

    # Scores

    def _read(self, names: Sequence[str]) -> None:
        """Adds the columns to keep, the columns that are read (as they are, and as numbers), and the values read from
        them."""
        columns = self.scoring.columns
        terms = self.terms = [term for term in self.scoring.terms if not isinstance(term, Product)]
        kept = [f"t.{self.dialect.identifier(name)}" for name in names]
        raw = [self._raw(j) for j in columns]
        texts = [self._text(j) for j in columns]
        found = self._stage([*kept, *raw, *texts])
        self.kept = found[: len(kept)]
        numbers = dict(zip(columns, found[len(kept) :], strict=False))
        values = dict(zip(columns, found[len(kept) + len(raw) :], strict=True))
        x = [self._possible(term.cell, (values if term.cell.reading == "category" else numbers)) for term in terms]
        found = self._stage(x)
        bad = [
            f"NOT ({condition})" for term, one in zip(terms, found, strict=True) if (condition := self._good(term, one))
        ]
        bad += [f"{one} IS NULL" for term, one in zip(terms, found, strict=True) if term.cell.required]
        cells = [reading(self.dialect, term.cell, one) for term, one in zip(terms, found, strict=True)]
        *self.cells, self.bad = self._stage([*cells, f"CASE WHEN {' OR '.join(bad) or '1 = 0'} THEN 1 END"])

    def _column(self, j: int) -> str:
        column = f"t.{self.dialect.identifier(self.scoring.names[j])}"
        missing, is_text = self.scoring.missing, self.scoring.kinds[j] == "category"
        if isinstance(missing, str) if is_text else is_number(missing):
            return f"NULLIF({column}, {self.dialect.value(missing)})"
        return column

    def _raw(self, j: int) -> str:
        """A column as a number, if it has numbers."""
        kind = self.scoring.kinds[j]
        return self._column(j) if kind not in ("bool", "int", "float") else number(self.dialect, self._column(j), kind)

    def _text(self, j: int) -> str:
        """A column in the type of its known categories."""
        values = next(
            (t.cell.by for t in self.scoring.terms if t.cell.column == j and t.cell.reading == "category"), None
        )
        if values is None:
            return "NULL"
        if values.dtype.kind == "f":
            return self._raw(j)
        return self.dialect.text.format(self._column(j)) if values.dtype.kind in "OUT" else self._column(j)

    def _possible(self, cell: Cell, columns: dict[int, str]) -> str:
        x = columns[cell.column]
        return f"CASE WHEN {x} >= {self.dialect.number(cell.low)} THEN {x} END" if cell.lenient else x

    def _good(self, term: Polynomial | Lookup, x: str) -> str:
        return "" if term.cell.reading in ("category", "missing") else good(self.dialect, term.cell, x)

    def _scores(self) -> list[str]:
        scoring = self.scoring
        terms = list(zip(self.terms, self.cells, strict=True))
        required = {term.cell.column: x for term, x in terms if term.cell.required}
        products = [
            (term, required[term.cell.column], required[term.other.column])
            for term in scoring.terms
            if isinstance(term, Product)
        ]
        sums = [
            total(
                [
                    self.dialect.number(start),
                    *(self._term(term, x, k) for term, x in terms),
                    *(self._product(term, x, other, k) for term, x, other in products),
                ]
            )
            for k, start in enumerate(scoring.start.tolist())
        ]
        scores = self._stage([f"CASE WHEN {self.bad} IS NULL THEN {one} END" for one in sums])
        if not scoring.may_be_impossible:
            return scores
        (most,) = self._stage([self.dialect.most(scores)])
        least = self.dialect.number(IMPOSSIBLE / 1e20)
        priors = map(self.dialect.number, scoring.prior.tolist())
        return self._stage(
            [f"CASE WHEN {most} < {least} THEN {prior} ELSE {s} END" for s, prior in zip(scores, priors, strict=True)]
        )

    def _product(self, term: Product, x: str, other: str, k: int) -> str:
        weight, centre, other_centre = (
            self.dialect.number(float(part[k])) for part in (term.weight, term.centre, term.other_centre)
        )
        return f"{weight} * ({x} - {centre}) * ({other} - {other_centre})"

    def _term(self, term: Polynomial | Lookup, x: str, k: int) -> str:
        """What a term adds to the score of a class."""
        literal = self.dialect.number
        if isinstance(term, Lookup):
            edges = [str(at) for at in range(1, term.scores.shape[1])]
            found = searched(x, edges, lambda at: literal(term.scores[k, at]))
            return f"CASE WHEN {x} IS NULL THEN {literal(0.0)} ELSE {found} END"
        centre, constant, weight, square = (float(part[k]) for part in term[1:])
        apart = f"({x} - {literal(centre)})" if centre else x
        parts = [literal(constant)] if constant else []
        parts += [f"{literal(weight)} * {apart}"] if weight else []
        parts += [f"{literal(square)} * {apart} * {apart}"] if square else []
        return f"COALESCE({' + '.join(parts)}, {literal(0.0)})" if parts else literal(0.0)

    # Probabilities

    def _softmax(self, scores: Sequence[str]) -> list[str]:
        (self.most,) = self._stage([self.dialect.most(scores)])
        apart = self._stage([f"{score} - {self.most}" for score in scores])
        low, none = self.dialect.number(LOWEST), self.dialect.number(0.0)
        exps = self._stage([f"CASE WHEN {one} < {low} THEN {none} ELSE exp({one}) END" for one in apart])
        return self._shares(exps)

    def _shares(self, parts: Sequence[str]) -> list[str]:
        (self.whole,) = self._stage([total(parts)])
        return self._stage([f"{part} / {self.whole}" for part in parts])

    def _calibrated(self, scores: Sequence[str]) -> list[str]:
        """The same calibration as `likely.models.calibration.Calibration`."""
        map_, literal = self.scoring.calibration, self.dialect.number
        assert map_ is not None
        logs = self._stage([f"{score} - {self.most} - ln({self.whole})" for score in scores])
        least, scale = literal(LEAST / map_.scale), literal(map_.scale)
        bounded = [f"{scale} * CASE WHEN {log} < {least} THEN {least} ELSE {log} END" for log in logs]
        moved = self._stage([f"{one} + {literal(own)}" for one, own in zip(bounded, map_.offset.tolist(), strict=True)])
        p = self._softmax(moved)
        if not map_.curves:
            return p
        p = self._shares(self._stage([self._curve(curve, one) for curve, one in zip(map_.curves, p, strict=True)]))
        return p if map_.winner is None else self._with_winner(p, map_.winner)

    def _curve(self, curve: Steps, x: str) -> str:
        literal, knots, heights = self.dialect.number, curve.x, curve.y

        def piece(at: int) -> str:
            if at in (0, len(knots)):
                return literal(heights[min(at, len(knots) - 1)])
            slope = (heights[at] - heights[at - 1]) / (knots[at] - knots[at - 1])
            return f"{literal(heights[at - 1])} + {literal(slope)} * ({x} - {literal(knots[at - 1])})"

        return searched(x, [literal(knot) for knot in knots], piece)

    def _with_winner(self, p: Sequence[str], winner: Steps) -> list[str]:
        """Applies the curve for the largest probability to the first class that has it, and scales the others in
        proportion."""
        first, before = self._stage([_first(p, self.dialect.most(p), str), self.dialect.most(p)])
        (after,) = self._stage([self._curve(winner, before)])
        one, none = self.dialect.number(1.0), self.dialect.number(0.0)
        (rest,) = self._stage(
            [f"CASE WHEN {before} < {one} THEN ({one} - {after}) / ({one} - {before}) ELSE {none} END"]
        )
        found = [f"CASE WHEN {first} = {k} THEN {after} ELSE {each} * {rest} END" for k, each in enumerate(p)]
        return self._shares(self._stage(found))

    def _answers(self, names: Sequence[str], p: Sequence[str]) -> str:
        (most,) = self._stage([self.dialect.most(p)])
        labels = self.scoring.classes.tolist()
        answers = {
            "prediction": _first(p, most, lambda k: self.dialect.value(labels[k])),
            "probability": most,
            **{f"p({label})": one for label, one in zip(labels, p, strict=True)},
        }
        if taken := next((name for name in names if name in answers), None):
            raise ValueError(f"there is a column {taken!r} already; keep other columns, or rename it")
        columns = [*zip(self.kept, names, strict=True), *((one, name) for name, one in answers.items())]
        listed = ",\n  ".join(f"{one} AS {self.dialect.identifier(name)}" for one, name in columns)
        stages = ", ".join(self.stages)
        return f"WITH {stages}\nSELECT\n  {listed}\nFROM {self.source};\n"


def _first(p: Sequence[str], most: str, result: Callable[[int], str]) -> str:
    """The result for the first class with the largest probability."""
    return f"CASE {' '.join(f'WHEN {one} = {most} THEN {result(k)}' for k, one in enumerate(p))} END"
