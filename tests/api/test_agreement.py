"""The agreement document: what is left out, ties, and what does not matter."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.schemas import validate

from nliprobe.analysis.agreement import measure
from nliprobe.api.agreement import SCHEMA
from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.labels import LabelSet
from nliprobe.task.ratings import Rating, Ratings


def ratings(*lines: str, named: bool = True) -> Ratings:
    """Items written as ``gold:labels``, a letter a rater; ``-`` is no gold."""
    found: list[Rating] = []
    items: dict[str, LabelSet | None] = {}
    for number, line in enumerate(lines):
        gold, _, labels = line.partition(":")
        items[str(number)] = None if gold == "-" else LabelSet.of(gold)
        for place, label in enumerate(labels):
            found.append(Rating(str(number), f"r{place}", LabelSet.of(label), items[str(number)]))
    return Ratings("test", tuple(found), items, named=named)


lines = st.lists(
    st.builds("{}:{}".format, st.sampled_from("ENC-"), st.text("ENC", max_size=6)), min_size=1, max_size=15
).filter(lambda rows: any(len(row) > 2 for row in rows))


def test_agreement_by_hand() -> None:
    found = measure(ratings("E:EEE", "N:NNC", "C:EEC", "-:CCC", "N:ENC"))
    assert found["majority"]["right"] == 4
    assert (found["accuracy"]["right"], found["accuracy"]["n"]) == (2, 4)
    assert found["exact"] == [
        {"votes": 2, "items": 2, "with_gold": 2, "right": 1},
        {"votes": 3, "items": 2, "with_gold": 1, "right": 1},
    ]
    assert found["no_majority"] == 1
    assert found["individual"]["majority"] == {"right": 10, "n": 12, "value": 10 / 12}
    assert found["individual"]["gold"] == {"right": 7, "n": 12, "value": 7 / 12}
    # Majority and gold: E-E, N-N, E-C. Chance: (2*1 + 1*1 + 0*1) / 9.
    assert found["cohen_kappa"] == pytest.approx((2 / 3 - 3 / 9) / (1 - 3 / 9))
    assert [row["rater"] for row in found["by_rater"]] == ["r0", "r1", "r2"]
    assert found["by_rater"][2]["majority"]["right"] == 2
    assert found["notes"] == ["1 item without a gold label."]


def test_the_first_ratings_count_and_the_rest_is_reported() -> None:
    found = measure(ratings("E:EECC", "N:N", "C:CCC"), first=2)
    assert found["ratings"] == 5
    assert found["ratings_per_item"] == {"1": 1, "2": 2}
    assert found["left_out"] == {"repeated": 0, "unanswered": 0, "beyond_first": 3}
    assert found["short"] == {"expected": 2, "items": 1}
    assert found["accuracy"]["value"] == 1
    assert found["notes"] == [
        "1 item with fewer than 2 ratings.",
        "3 ratings beyond the first 2 of their item left out.",
    ]


def test_ties_are_drawn_only_where_a_majority_may_be_tied() -> None:
    tied = ratings(*["E:EENNC"] * 200)
    assert measure(tied)["ties"] == {"items": 200, "drawn": 0}
    drawn = measure(tied, at_least=2, seed=3)
    assert drawn["ties"] == {"items": 200, "drawn": 200}
    assert drawn["notes"] == ["200 ties between leading labels decided by seed 3."]
    assert 70 < drawn["accuracy"]["right"] < 130
    assert measure(tied, at_least=2, seed=3) == drawn
    rights = {measure(tied, at_least=2, seed=seed)["accuracy"]["right"] for seed in range(5)}
    assert len(rights) > 1


def test_unnamed_raters_are_not_listed() -> None:
    found = measure(ratings("E:EEN", named=False))
    assert found["raters"] is None
    assert found["by_rater"] == []


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(DataError, match="holds no answer"):
        measure(ratings("E:"))
    with pytest.raises(UsageError, match="No majority can have 3 votes where only 2"):
        measure(ratings("E:EEE"), first=2, at_least=3)
    with pytest.raises(UsageError, match="should be 1 or more"):
        measure(ratings("E:EEE"), first=0)


@given(lines, st.integers(1, 4) | st.none(), st.integers(1, 4) | st.none(), st.integers())
def test_documents_follow_the_schema_and_the_order_of_items_does_not_matter(
    rows: list[str], first: int | None, at_least: int | None, seed: int
) -> None:
    if first is not None and at_least is not None:
        at_least = min(first, at_least)
    given_ = ratings(*rows)
    found = measure(given_, first=first, at_least=at_least, seed=seed)
    validate("agreement", {"schema": SCHEMA, "seed": seed, "files": [found]})
    order = list(given_.items)
    random.Random(seed).shuffle(order)
    shuffled = replace(
        given_,
        items={item: given_.items[item] for item in order},
        ratings=tuple(sorted(given_.ratings, key=lambda rating: order.index(rating.item))),
    )
    other = measure(shuffled, first=first, at_least=at_least, seed=seed)
    for statistic in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha"):
        assert other[statistic] == pytest.approx(found[statistic])
    for exact in ("accuracy", "majority", "exact", "no_majority", "ties", "individual", "short"):
        assert other[exact] == found[exact]
