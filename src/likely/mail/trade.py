"""The trade-off between coverage (how much is filed) and precision (how much of it is right), as an SVG figure for
light and dark pages."""

from math import floor

from likely.mail.prove import Proof
from likely.printing import percent

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 610, 70, 330

LEGEND = "line: highest confidence first; dots: thresholds from earlier mail alone; dashed: the precision asked for"

STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 12px; fill: #57606a }
  .title { font-size: 16px; font-weight: 600 }
  .card { fill: #ffffff }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .asked { stroke: #bc4c00; stroke-width: 1.2; stroke-dasharray: 5 4 }
  .curve { fill: none; stroke: #0969da; stroke-width: 2.2; stroke-linejoin: round }
  .dot { fill: #ffffff; stroke: #0969da; stroke-width: 1.8 }
  .own { fill: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .card { fill: #0d1117 } .grid { stroke: #3d444d }
    .asked { stroke: #f0883e } .curve { stroke: #58a6ff } .dot { fill: #0d1117; stroke: #58a6ff } .own { fill: #f0883e }
  }
"""


def picture(proof: Proof) -> str:
    """The figure as SVG. The line is filing by confidence, highest first; each dot is a precision asked for, with
    thresholds chosen by earlier mail alone."""
    dots = [(trade.wanted, trade.coverage, trade.precision) for trade in proof.trades if trade.precision is not None]
    heights = [point.precision for point in proof.curve] + [precision for _, _, precision in dots]
    least = min([0.9, proof.wanted - 0.01, floor(min(heights, default=0.9) * 20) / 20])

    def x(coverage: float) -> float:
        return LEFT + (RIGHT - LEFT) * coverage

    def y(precision: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (precision - least) / (1 - least)

    parts = [f'<rect class="card" width="{WIDTH}" height="{HEIGHT}" rx="8"/>']
    parts += [_text(LEFT, 32, "How much would have been filed, and how much of it correctly", "title")]
    parts += [_text(LEFT, 52, _caption(proof), "small")]
    marks = [least + (1 - least) * step / 5 for step in range(6)]
    parts += [f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{y(at):.1f}" y2="{y(at):.1f}"/>' for at in marks]
    decimals = 0 if all(abs(100 * at - round(100 * at)) < 1e-6 for at in marks) else 1
    parts += [_text(LEFT - 8, y(at) + 4, percent(at, decimals), "small", "end") for at in marks]
    parts += [_text(x(at / 5), BOTTOM + 20, percent(at / 5, 0), "small", "middle") for at in range(6)]
    parts += [_text((LEFT + RIGHT) / 2, BOTTOM + 44, "share of all messages that is filed", "small", "middle")]
    asked = y(proof.wanted)
    parts += [f'<line class="asked" x1="{LEFT}" x2="{RIGHT}" y1="{asked:.1f}" y2="{asked:.1f}"/>']
    line = " ".join(f"{x(point.coverage):.1f},{y(point.precision):.1f}" for point in proof.curve)
    parts += [f'<polyline class="curve" points="{line}"/>']
    for wanted, coverage, precision in dots:
        kind, size = ("own", 6) if wanted == proof.wanted else ("dot", 4)
        name = f"{percent(wanted)} asked for: {percent(coverage, 0)} filed, {percent(precision)} of it correctly"
        at = f'cx="{x(coverage):.1f}" cy="{y(precision):.1f}"'
        parts += [f'<circle class="{kind}" {at} r="{size}"><title>{name}</title></circle>']
    parts += [_text(LEFT, HEIGHT - 8, LEGEND, "small")]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img">\n<title>{_caption(proof)}</title>\n<style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _caption(proof: Proof) -> str:
    of = f"{proof.messages:,} messages in {proof.folders} folders"
    if proof.precision is None:
        return f"{of}; at {percent(proof.wanted)} asked for, none is filed"
    filed = f"{percent(proof.coverage, 0)} is filed, {percent(proof.precision)} of it correctly"
    return f"{of}; at {percent(proof.wanted)} asked for, {filed}"


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{text}</text>'
