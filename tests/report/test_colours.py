import pytest

from likely.report.colours import CLASSES, DARK, DASHES, INK, LINE, MARKS, OTHERS, PAPER, QUIET, in_the_dark


def luminance(colour):
    """As WCAG 2 has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [INK, QUIET])
def test_words_can_be_read_on_light_and_dark(colour):
    assert contrast(colour, PAPER) >= 4.5
    assert contrast(DARK[colour], DARK[PAPER]) >= 4.5


@pytest.mark.parametrize("colour", [*CLASSES, OTHERS])
def test_lines_can_be_seen_on_light_and_dark(colour):
    assert contrast(colour, PAPER) >= 3
    assert contrast(DARK[colour], DARK[PAPER]) >= 3


def test_each_colour_has_one_for_the_dark_and_each_class_its_mark():
    assert set(DARK) == {INK, QUIET, LINE, PAPER, OTHERS, *CLASSES}
    assert len({*DARK.values()}) == len(DARK)
    assert len({*MARKS}) == len({*DASHES}) == len(CLASSES)
    for light, dark in DARK.items():
        assert f'[stroke="{light}"] {{ stroke: {dark} }}' in in_the_dark()
