"""A picture of the README: two Gaussians in two columns, with one covariance for both and with one for each.

python examples/boundaries.py [file]        writes docs/boundaries.svg, or the file

The dots are the data, the shading p(y | x), the ellipses lie one and two Mahalanobis distances from the means, and the
line is where both classes are equally probable: straight for the tied covariance, a curve for the full one. The error
under each is by leave-one-out. The data are invented: two breeds of dog whose height and pitch vary together, in one of
them the other way round.
"""

import struct
import zlib
from base64 import b64encode

import numpy as np
from card import GAP, HEIGHT, STYLE, WIDTH, card, write

from likely import GaussianClassifier

BREEDS = {"terrier": ((34, 700), ((30, -420), (-420, 9000))), "hound": ((52, 520), ((60, 560), (560, 14000)))}
"""Height of the shoulder in cm and pitch of the bark in Hz: means, and covariances."""
ROWS = 120
LOW, HIGH = np.array([15.0, 150.0]), np.array([80.0, 1000.0])
SHADES = (9, 105, 218), (188, 76, 0)


def dogs(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    drawn = [rng.multivariate_normal(mean, covariance, ROWS) for mean, covariance in BREEDS.values()]
    return np.concatenate(drawn), np.repeat(list(BREEDS), ROWS)


def panel(left: float, title: str, model: GaussianClassifier, x: np.ndarray, y: np.ndarray) -> str:
    model.fit(x, y)
    codes = np.searchsorted(model.classes_, y)
    error = (model.loo_scores(x, y).argmax(axis=1) != codes).mean()

    def place(points: np.ndarray) -> np.ndarray:
        share = (points - LOW) / (HIGH - LOW)
        return np.column_stack([left + WIDTH * share[:, 0], 60 + HEIGHT * (1 - share[:, 1])])

    def line(points: np.ndarray, kind: str) -> str:
        return f'<polyline class="{kind}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in place(points))}"/>'

    parts = [
        f'<text x="{left}" y="40" class="title">{title}</text>',
        f'<clipPath id="{title}"><rect x="{left}" y="60" width="{WIDTH}" height="{HEIGHT}"/></clipPath>',
        f'<g clip-path="url(#{title})">',
        f'<image x="{left}" y="60" width="{WIDTH}" height="{HEIGHT}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{b64encode(shading(model)).decode()}"/>',
    ]
    for k, mean, covariance in zip(range(2), model.means_, model.covariances_, strict=True):
        at = place(x[codes == k])
        parts += [f'<circle class="fill{k}" cx="{a:.1f}" cy="{b:.1f}" r="2.2"/>' for a, b in at]
        turn = np.linspace(0, 2 * np.pi, 90)
        circle = np.column_stack([np.cos(turn), np.sin(turn)]) @ np.linalg.cholesky(covariance).T
        parts += [line(mean + distance * circle, f"ellipse line{k}") for distance in (1, 2)]
    window = tuple(zip(LOW, HIGH, strict=True))
    parts += [line(curve, "boundary") for curve in model.boundary(window=window)]
    parts.append(f'</g><rect class="axis" x="{left}" y="60" width="{WIDTH}" height="{HEIGHT}"/>')
    for tick in (20, 40, 60):
        across, down = place(np.array([[tick, LOW[1]]]))[0]
        parts.append(f'<text class="small" x="{across:.1f}" y="{down + 18:.1f}" text-anchor="middle">{tick}</text>')
    for tick in (300, 600, 900):
        across, down = place(np.array([[LOW[0], tick]]))[0]
        parts.append(f'<text class="small" x="{across - 6:.1f}" y="{down + 4:.1f}" text-anchor="end">{tick}</text>')
    parts.append(
        f'<text class="small" x="{left + WIDTH}" y="{HEIGHT + 78}" text-anchor="end">height, cm</text>'
        f'<text class="small" x="{left - 30}" y="54">pitch, Hz</text>'
        f'<text x="{left}" y="{HEIGHT + 108}">leave-one-out error {error:.1%}</text>'
    )
    return "\n".join(parts)


def shading(model: GaussianClassifier, across: int = 96, down: int = 64) -> bytes:
    """p(y | x) as a PNG: the colour of the more probable class, stronger with its probability."""
    share = np.stack(np.meshgrid((np.arange(across) + 0.5) / across, 1 - (np.arange(down) + 0.5) / down), axis=-1)
    first = model.predict_proba(LOW + share.reshape(-1, 2) * (HIGH - LOW))[:, 0]
    pixels = np.empty((len(first), 4), np.uint8)
    pixels[:, :3] = np.where(first[:, None] > 0.5, *SHADES)
    pixels[:, 3] = 90 * np.abs(2 * first - 1)
    lines = np.insert(pixels.reshape(down, -1), 0, 0, axis=1)  # each line begins with its filter: none

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", across, down, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + chunk(b"IEND", b"")
    )


def picture() -> str:
    x, y = dogs(seed=3)
    width = 2 * WIDTH + 3 * GAP + 40
    panels = [
        panel(GAP + 20 + at * (WIDTH + GAP + 20), title, GaussianClassifier(title, shrinkage=0.0), x, y)
        for at, title in enumerate(("tied", "full"))
    ]
    legend = "".join(
        f'<circle class="fill{k}" cx="{width - GAP - 170 + 90 * k}" cy="35" r="5"/>'
        f'<text x="{width - GAP - 158 + 90 * k}" y="40">{name}</text>'
        for k, name in enumerate(sorted(BREEDS))
    )
    more = ".ellipse { fill: none; stroke-width: 1.6 } .boundary { fill: none; stroke: #24292f; stroke-width: 2.4 }"
    dark = "@media (prefers-color-scheme: dark) { .boundary { stroke: #e6edf3 } }"
    title = "Two Gaussians with a linear and a quadratic boundary"
    return card(title, f"{STYLE} {more} {dark}", width, legend, panels)


if __name__ == "__main__":
    write("boundaries.svg", picture())
