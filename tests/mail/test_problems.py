from likely.mail.problems import PROBLEMS, Problems


def test_a_problem_is_told_once_and_in_order():
    problems = Problems()
    for sentence in ("b", "a", "b"):
        problems.add(sentence)
    assert list(problems.told) == ["b", "a"]


def test_there_are_not_too_many():
    problems = Problems()
    for number in range(1000):
        problems.add(str(number))
    assert list(problems.told) == [str(number) for number in range(PROBLEMS)]
