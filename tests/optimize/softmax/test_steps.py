"""The length of a step."""

from likely.optimize.softmax.steps import halved


def test_a_step_is_halved_until_it_falls():
    assert halved(lambda t: ((4 * t - 1) ** 2, "there"), 1.0, 8.0) == (0.25, 0.0, "there")
    assert halved(lambda t: (1 + t, None), 1.0, 1.0) is None


def test_where_the_fall_is_lost_in_rounding_the_whole_step_is_taken():
    assert halved(lambda t: (1.0, None), 1.0, 1e-13) == (1.0, 1.0, None)
