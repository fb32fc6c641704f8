"""The card that the pictures of the README are drawn on: two panels side by side, for light and dark pages."""

import sys
from pathlib import Path

WIDTH, HEIGHT, GAP = 380, 210, 40  # of a panel, and between the two

STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 12px; fill: #57606a }
  .title { font-size: 16px; font-weight: 600 }
  .card { fill: #ffffff }
  .axis { stroke: #8c959f; stroke-width: 1; fill: none }
  .bar { opacity: 0.22 }
  .line { fill: none; stroke-width: 2.2; stroke-linejoin: round }
  .fill0 { fill: #0969da } .line0 { stroke: #0969da }
  .fill1 { fill: #bc4c00 } .line1 { stroke: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9da7b3 } .card { fill: #0d1117 } .axis { stroke: #6e7681 }
    .bar { opacity: 0.3 }
    .fill0 { fill: #58a6ff } .line0 { stroke: #58a6ff }
    .fill1 { fill: #f0883e } .line1 { stroke: #f0883e }
  }
"""


def card(title: str, style: str, width: int, legend: str, panels: list[str]) -> str:
    height = HEIGHT + 134
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img">\n<title>{title}</title>\n<style>{style}</style>\n'
        f'<rect class="card" width="{width}" height="{height}" rx="8"/>\n{legend}\n' + "\n".join(panels) + "\n</svg>\n"
    )


def write(name: str, picture: str) -> None:
    """Into docs, or into the file that the command names."""
    to = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs" / name
    to.write_text(picture)
    print(f"wrote {to.name}")
