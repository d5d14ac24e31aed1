from __future__ import annotations

import gc

from nliprobe.base.identity import kept_by_identity


def test_results_are_kept_for_the_same_object_only() -> None:
    asked: list[list[int]] = []

    @kept_by_identity(2)
    def total(numbers: list[int]) -> int:
        """Add numbers."""
        asked.append(numbers)
        return sum(numbers)

    first, equal = [1, 2], [1, 2]
    assert [total(first), total(first), total(equal), total(equal)] == [3, 3, 3, 3]
    assert len(asked) == 2
    assert total.__doc__ == "Add numbers."


def test_an_identity_is_never_used_again_while_its_result_is_kept() -> None:
    @kept_by_identity(4)
    def total(numbers: list[int]) -> int:
        return sum(numbers)

    for number in range(1000):
        assert total([number]) == number
        if number % 400 == 0:  # collecting all that a worker has loaded takes more than a second
            gc.collect()
