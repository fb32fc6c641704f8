"""A figure, drawn by matplotlib: as SVG for a page, or in a file."""

import io
import os
import re
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from likely.report.colours import INK, LINE, PAPER, QUIET, in_the_dark
from likely.report.names import displayed
from likely.store import replacing

WIDTH = 320.0
"""The width of most figures, in typographic points: it is that of a phone, so that they need not be scaled down
there."""

LONGEST = 1000
"""The longest description of a figure, in characters; it contains names."""

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"
FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"

STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and uses the reader's fonts, so any script works
    "svg.hashsalt": "likely",
    "pdf.fonttype": 42,
    "text.parse_math": False,  # a name with dollar signs is no formula
    "text.color": INK,
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.titlesize": 11.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": 10.5,
    "axes.labelcolor": QUIET,
    "axes.edgecolor": LINE,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": "cycler(color=['#24292f'])",
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "figure.constrained_layout.h_pad": 0.09,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "legend.handlelength": 1.6,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "image.interpolation": "bilinear",
}

KINDS = {".svg": "svg", ".png": "png", ".pdf": "pdf"}


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure. `says` describes it in words. It shows itself in a notebook.

    See Also
    --------
    draw_boundary : makes one.
    draw_curves : makes one.
    """

    figure: Figure
    says: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "says", displayed(self.says, LONGEST))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure as .svg, .png or .pdf, by the ending of the name. The file is complete, or not written. The
        same figure gives the same bytes."""
        written = self._as(kind_of(path))
        with replacing(path) as file:
            file.write(written)

    def svg(self, name: str = "picture") -> str:
        """The figure as SVG for a page. `name` must be unique in the page. On a dark page the colours are adapted."""
        return ElementTree.tostring(self._tree(name, PAPER), "unicode")

    def _repr_html_(self) -> str:
        return self._as("svg").decode()

    def _as(self, kind: str) -> bytes:
        if kind == "svg":
            tree = self._tree("picture", None)
            rules = ElementTree.Element("style")
            rules.text = f"@media screen and (prefers-color-scheme: dark) {{ {in_the_dark()} }}"
            tree.insert(1, rules)
            return ElementTree.tostring(tree, "unicode").encode() + b"\n"
        nothing = {"png": {"Software": None}, "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}
        return _saved(self.figure, kind, dpi=200, metadata=nothing[kind])

    def _tree(self, name: str, without: str | None) -> ElementTree.Element:
        drawn = _saved(
            self.figure, "svg", dpi=60, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
        tree = ElementTree.fromstring(drawn)
        _tidy(tree, name, without)
        title = ElementTree.Element("title")
        title.text = self.says
        tree.insert(0, title)
        tree.set("role", "img")
        tree.set("aria-label", self.says)
        return tree


def kind_of(path: str | os.PathLike[str]) -> str:
    """The format of a file, from the ending of its name."""
    ending = Path(path).suffix.lower()
    if ending not in KINDS:
        kind = ending or "a file without ending"
        raise ValueError(f"{os.fspath(path)}: a figure is written to .svg, .png or .pdf, not to {kind}")
    return KINDS[ending]


@contextmanager
def style() -> Iterator[None]:
    """The style in which all figures are drawn and saved: a context manager or decorator."""
    with rc_context(STYLE), warnings.catch_warnings():
        # The reader's fonts may have letters that the font used for measuring lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        warnings.filterwarnings("ignore", "Matplotlib currently does not support .* natively")
        yield


def sheet(height: float, width: float = WIDTH) -> Figure:
    """An empty figure with a size in typographic points."""
    return Figure(figsize=(width / 72, height / 72), layout="constrained")


def verbatim(axes: Axes) -> Axes:
    """Axes whose texts are no formulas, even if they have dollar signs. In `style` this is the default."""
    for text in (*axes.findobj(Text), *axes.get_xticklabels(), *axes.get_yticklabels()):
        text.set_parse_math(False)
    return axes


def bars_alone(axes: Axes) -> None:
    """Axes for horizontal bars with their values: no x axis, and the first bar on top."""
    axes.margins(y=0.02)
    axes.invert_yaxis()
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(length=0)


@style()
def _saved(figure: Figure, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=kind, **options)
    return file.getvalue()


def _tidy(tree: ElementTree.Element, name: str, without: str | None) -> None:
    """Cleans the SVG: moves fonts and colours from `style` to attributes, so that a page can change them; keeps only
    identifiers that are used, with a prefix that is unique in the page; rounds numbers to a hundredth of a point.
    `without` is the background to remove, because the page has one."""
    for parent in list(tree.iter()):
        for child in list(parent):
            background = child.tag == f"{SVG}path" and f"fill: {without}" in child.get("style", "")
            if child.tag in (f"{SVG}metadata", f"{SVG}style") or (background and parent.get("id", "") == "patch_1"):
                parent.remove(child)
    used = {found for element in tree.iter() for found in _links(element)}
    for element in tree.iter():
        element.tag = element.tag.removeprefix(SVG)  # HTML has no namespace prefixes
        element.tail = None
        if not (element.text or "").strip():
            element.text = None
        _as_attributes(element)
        if (link := element.attrib.pop(XLINK, None)) is not None:
            element.set("href", f"#{name}-{link[1:]}" if link.startswith("#") else "".join(link.split()))
        if (clip := element.get("clip-path")) is not None:
            element.set("clip-path", f"url(#{name}-{clip[5:-1]})")
        own = element.attrib.pop("id", None)
        if own in used:
            element.set("id", f"{name}-{own}")
        for key in ("d", "x", "y", "width", "height", "transform"):
            if key in element.attrib:
                element.set(key, _rounded(element.attrib[key]))
    tree.set("width", tree.get("width", "").removesuffix("pt"))
    tree.set("height", tree.get("height", "").removesuffix("pt"))
    tree.set("font-family", FONTS)
    tree.set("xmlns", SVG[1:-1])


def _links(element: ElementTree.Element) -> Iterator[str]:
    yield element.get(XLINK, "").removeprefix("#")
    yield element.get("clip-path", "").removeprefix("url(#").removesuffix(")")


def _as_attributes(element: ElementTree.Element) -> None:
    """Turns a style into attributes; the shorthand "font" has no attribute."""
    for part in element.attrib.pop("style", "").split(";"):
        key, _, value = part.strip().partition(": ")
        if key == "font":
            element.set("style", part)
        elif key and key != "font-family":
            element.set(key, value.removesuffix("px") if key == "font-size" else value)


def _rounded(numbers: str) -> str:
    short = re.sub(r"-?\d+\.\d+", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), numbers)
    return " ".join(short.split())
