"""Exports a model as an ONNX graph, with an input for each column, and the class and the probabilities as outputs."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array
from likely.data.table import is_number
from likely.export.scoring import IMPOSSIBLE, Scoring
from likely.families.formula import Cell, Lookup, Polynomial, Product, Term
from likely.models.calibration import LEAST, Calibration

if TYPE_CHECKING:
    import onnx

OPSET, ML_OPSET, IR = 17, 3, 8
"""Versions of 2022 and earlier, so that older runtimes can run the graph."""


def graph(scoring: Scoring) -> bytes:
    """The ONNX model as bytes. Each input has shape rows x 1: float64 for numbers, with NaN for missing; texts for
    categories, with the empty text for missing, unless it is a category. Outputs are `label` and `probabilities`."""
    if scoring.calibration is not None and scoring.calibration.curves:
        raise ValueError("an isotonic calibration can't be exported to ONNX; calibrate with 'temperature'")
    for j in scoring.columns:
        if not isinstance(scoring.names[j], str):
            raise ValueError(
                f"ONNX needs names for its inputs, but the model has column {scoring.names[j]!r}; name the columns"
            )
    try:
        import onnx
    except ImportError:
        raise ImportError("ONNX needs the package onnx: pip install 'likely[onnx]'") from None
    made: bytes = _Graph(scoring, onnx).model().SerializeToString()
    return made


_EMPTY: dict[str, Any] = {"keys_strings": [""], "values_int64s": [0], "default_int64": 1}
"""A map of texts: 0 for the empty text, 1 for others."""


class _Graph:
    def __init__(self, scoring: Scoring, onnx: Any) -> None:
        self.scoring, self.onnx, self.helper = scoring, onnx, onnx.helper
        self.nodes, self.constants = list[Any](), list[Any]()

    def model(self) -> "onnx.ModelProto":
        helper, types, classes = self.helper, self.onnx.TensorProto, self.scoring.classes
        scores = [self._constant(self.scoring.start[None, :]), *map(self._term, self.scoring.terms)]
        p = self._probabilities(self._op("Sum", *scores))
        self._op("Identity", p, output="probabilities")
        self._op("Gather", self._constant(classes), self._op("ArgMax", p, axis=1, keepdims=0), output="label", axis=0)
        inputs = [
            helper.make_tensor_value_info(str(self.scoring.names[j]), self._type(j), ["rows", 1])
            for j in self.scoring.columns
        ]
        label = {"O": types.STRING, "U": types.STRING, "T": types.STRING, "b": types.BOOL}.get(classes.dtype.kind)
        label = label or (types.DOUBLE if classes.dtype.kind == "f" else types.INT64)
        outputs = [
            helper.make_tensor_value_info("label", label, ["rows"]),
            helper.make_tensor_value_info("probabilities", types.DOUBLE, ["rows", len(classes)]),
        ]
        made = helper.make_graph(self.nodes, "likely", inputs, outputs, self.constants)
        imports = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        model: onnx.ModelProto = helper.make_model(made, opset_imports=imports, ir_version=IR, producer_name="likely")
        return model

    def _type(self, column: int) -> int:
        types = self.onnx.TensorProto
        return int(types.STRING if self.scoring.kinds[column] == "category" else types.DOUBLE)

    # Terms, each rows x classes

    def _term(self, term: Term) -> str:
        if isinstance(term, Product):
            return self._product(term)
        return self._lookup(term) if isinstance(term, Lookup) else self._polynomial(term)

    def _product(self, term: Product) -> str:
        sides = ((term.cell, term.centre), (term.other, term.other_centre))
        t, u = (self._op("Sub", self._number(cell)[0], self._constant(centre[None, :])) for cell, centre in sides)
        return self._op("Mul", self._op("Mul", t, u), self._constant(term.weight[None, :]))

    def _polynomial(self, term: Polynomial) -> str:
        t, missing = self._number(term.cell)
        apart = self._op("Sub", t, self._constant(term.centre[None, :]))
        line = self._op("Mul", apart, self._constant(term.weight[None, :]))
        curve = self._op("Mul", self._op("Mul", apart, apart), self._constant(term.square[None, :]))
        found = self._op("Sum", self._constant(term.constant[None, :]), line, curve)
        return found if term.cell.required else self._op("Where", missing, self._constant(np.zeros((1, 1))), found)

    def _lookup(self, term: Lookup) -> str:
        """Looks up the scores by position; those of a missing cell come last."""
        cell, size = term.cell, term.scores.shape[1]
        table = self._constant(np.vstack([term.scores.T, np.zeros(len(term.scores))]))
        if cell.reading == "category" and self._type(cell.column) == self.onnx.TensorProto.STRING:
            values = cell.by.tolist()
            keys, positions = values, list(range(len(values)))
            if "" not in values:
                keys, positions = [*values, ""], [*positions, size]
            name = str(self.scoring.names[cell.column])
            options = {"keys_strings": keys, "values_int64s": positions, "default_int64": size - 1}
            code = self._op("LabelEncoder", name, domain="ai.onnx.ml", **options)
        else:
            at, missing = self._number(cell)
            code = self._op("Cast", self._op("Where", missing, self._constant(np.array([[float(size)]])), at), to=7)
        rows = self._op("Reshape", code, self._constant(np.array([-1], np.int64)))
        return self._op("Gather", table, rows, axis=0)

    def _number(self, cell: Cell) -> tuple[str, str]:
        """The names of two outputs: the number read from a cell, and whether the cell is missing."""
        x = str(self.scoring.names[cell.column])
        if self._type(cell.column) == self.onnx.TensorProto.STRING:  # of a text, only whether it is missing is used
            missing = self._op("Equal", self._op("LabelEncoder", x, domain="ai.onnx.ml", **_EMPTY), self._whole(0))
            return self._double(missing), self._constant(np.array([[False]]))
        if is_number(self.scoring.missing):
            marked = self._op("Equal", x, self._constant(np.array([[float(self.scoring.missing)]])))
            x = self._op("Where", marked, self._constant(np.array([[np.nan]])), x)
        if cell.lenient:
            possible = self._op("GreaterOrEqual", x, self._constant(np.array([[cell.low]])))
            x = self._op("Where", possible, x, self._constant(np.array([[np.nan]])))
        missing = self._op("IsNaN", x)
        if cell.reading == "missing":
            return self._double(missing), self._constant(np.array([[False]]))
        return self._read(cell, x), missing

    def _read(self, cell: Cell, x: str) -> str:
        if cell.reading == "log":
            return self._op("Log", x)
        if cell.reading in ("cos", "sin"):
            # Runtimes have no cosine for float64. float32 is precise to 2e-7 for an angle within one period.
            turns = self._op("Div", x, self._constant(np.array([[float(cell.by)]])))
            angle = self._op("Sub", turns, self._op("Floor", turns))
            short = self._op("Cast", self._op("Mul", angle, self._constant(np.array([[2 * np.pi]]))), to=1)
            return self._op("Cast", self._op(cell.reading.capitalize(), short), to=11)
        if cell.reading == "above":
            return self._double(self._op("Greater", x, self._constant(np.array([[float(cell.by)]]))))
        if cell.reading == "bin":
            if not len(cell.by):
                return self._op("Mul", x, self._constant(np.zeros((1, 1))))
            return self._summed(self._double(self._op("GreaterOrEqual", x, self._constant(cell.by[None, :]))))
        if cell.reading == "category":
            return self._position(np.asarray(cell.by, np.float64), x)
        return x

    def _position(self, values: Array, x: str) -> str:
        """The position of a number among these values, or after them if it is not there."""
        equal = self._double(self._op("Equal", x, self._constant(values[None, :])))
        before = self._op("Mul", equal, self._constant((np.arange(len(values)) - float(len(values)))[None, :]))
        return self._op("Add", self._summed(before), self._constant(np.array([[float(len(values))]])))

    # Probabilities

    def _probabilities(self, scores: str) -> str:
        if self.scoring.may_be_impossible:
            most = self._op("ReduceMax", scores, axes=[1], keepdims=1)
            none = self._op("Less", most, self._constant(np.array([[IMPOSSIBLE / 1e20]])))
            scores = self._op("Where", none, self._constant(self.scoring.prior[None, :]), scores)
        if self.scoring.calibration is not None:
            scores = self._calibrated(scores, self.scoring.calibration)
        return self._op("Softmax", scores, axis=1)

    def _calibrated(self, scores: str, map_: Calibration) -> str:
        logs = self._op("Max", self._op("LogSoftmax", scores, axis=1), self._constant(np.array([[LEAST / map_.scale]])))
        scaled = self._op("Mul", logs, self._constant(np.array([[map_.scale]])))
        return self._op("Add", scaled, self._constant(map_.offset[None, :]))

    # Nodes

    def _op(self, kind: str, *inputs: str, output: str = "", **options: Any) -> str:
        name = output or f"likely {len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [name], **options))
        return name

    def _constant(self, value: NDArray[Any]) -> str:
        name = f"likely constant {len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _whole(self, value: int) -> str:
        return self._constant(np.array([[value]], np.int64))

    def _double(self, bits: str) -> str:
        return self._op("Cast", bits, to=11)

    def _summed(self, parts: str) -> str:
        return self._op("ReduceSum", parts, self._constant(np.array([1], np.int64)), keepdims=1)
