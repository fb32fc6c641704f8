from likely.desk.curve import HEIGHT, POINTS, WIDTH, curve


def test_one_point_is_no_curve() -> None:
    assert curve([]) is None
    assert curve([(10, 1, 5), (11, 0, 0)]) is None


def test_it_goes_from_the_first_to_the_last_within_the_picture() -> None:
    found = curve([(n, 50 // n, 10) for n in range(5, 1000)])
    assert found is not None
    points = [tuple(map(float, point.split(","))) for point in found.line.split()]
    assert len(points) <= POINTS + 1
    assert found.most == 999
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert points[0][1] < points[-1][1]
