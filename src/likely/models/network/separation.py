"""d-separation: which variables of a graph are independent whatever the probabilities are."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations


def separated(
    parents: Mapping[Hashable, Sequence[Hashable]], a: Hashable, b: Hashable, given: Iterable[Hashable]
) -> bool:
    """Whether every path between a and b is blocked by what is given: whether none is left between them in the moral
    graph of all three and their ancestors."""
    known = set(given)
    if a in known or b in known:
        return True
    kept: set[Hashable] = set()
    waiting = [a, b, *known]
    while waiting:
        node = waiting.pop()
        if node not in kept:
            kept.add(node)
            waiting += parents[node]
    near: dict[Hashable, set[Hashable]] = {node: set() for node in kept}
    for node in kept:
        for one, other in combinations([node, *parents[node]], 2):
            near[one].add(other)
            near[other].add(one)
    reached, waiting = {a}, [a]
    while waiting:
        for node in near[waiting.pop()] - known - reached:
            reached.add(node)
            waiting.append(node)
    return b not in reached
