"""The picture of the trade: it is well formed, the same each time, and shows the figures."""

import xml.etree.ElementTree as ElementTree

import pytest

from likely.mail.prove import prove
from likely.mail.trade import BOTTOM, LEFT, RIGHT, TOP, picture
from likely.printing import percent

from .test_prove import history

SVG = "{http://www.w3.org/2000/svg}"


def test_each_trade_is_a_dot_where_it_belongs():
    proof = prove(history(600, wrong=0.1), 0.9)
    drawn = ElementTree.fromstring(picture(proof))
    dots = drawn.findall(f"{SVG}circle")
    filed = [trade for trade in proof.trades if trade.precision is not None]
    assert len(dots) == len(filed)
    for dot, trade in zip(dots, filed, strict=True):
        assert float(dot.get("cx")) == pytest.approx(LEFT + (RIGHT - LEFT) * trade.coverage, abs=0.06)
        assert TOP <= float(dot.get("cy")) <= BOTTOM
        assert f"{percent(trade.wanted)} asked for: {percent(trade.coverage, 0)} filed" in dot.find(f"{SVG}title").text
    heights = [float(dot.get("cy")) for dot in dots]
    assert sorted(heights) == [height for _, height in sorted(zip([-t.precision for t in filed], heights, strict=True))]
    assert [dot.get("class") for dot in dots].count("own") == 1
    line = [tuple(map(float, point.split(","))) for point in drawn.find(f"{SVG}polyline").get("points").split()]
    assert line[-1][0] == RIGHT
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in line)
    assert picture(proof) == picture(prove(history(600, wrong=0.1), 0.9))


def test_where_nothing_is_sure_enough():
    drawn = picture(prove(history(60), 0.99))
    assert "at 99.0 % asked for, none is filed" in drawn
    assert ElementTree.fromstring(drawn).find(f"{SVG}circle") is None
