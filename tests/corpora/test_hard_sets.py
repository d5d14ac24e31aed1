"""Released hard subsets are recognised by ids, or by texts where ids say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.task.test_views import Listed

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.corpora.hard_sets import RELEASED, MatchedBy, find_hard_pairs, open_if_here, released_hard_set
from nliprobe.task.pair import Pair
from nliprobe.task.same_texts import same_texts
from nliprobe.task.sources import Limited, open_source
from nliprobe.task.table import table_from_mapping

PAIRS = [Pair(f"c/test/{k}", f"Premise ({k}), it isn't.", f"Hypothesis {k}.") for k in range(40)]


def test_ids_decide_if_hypotheses_agree() -> None:
    hard = Listed([Pair(f"h/test/{k}", "another premise", f"hypothesis {k} .") for k in range(0, 44, 2)], "h/test")
    matched = find_hard_pairs(PAIRS, "c/test", hard)
    assert matched.by is MatchedBy.ID
    assert matched.ids == {f"c/test/{k}" for k in range(0, 40, 2)}
    assert (matched.size, matched.unmatched) == (22, 2)


def test_texts_decide_where_ids_are_others_or_agree_by_accident() -> None:
    lines = [
        Pair(f"h/test/{k}", f"premise -LRB- {30 + k} -RRB- , it is n't .", f"Hypothesis {30 + k} .") for k in range(12)
    ]
    matched = find_hard_pairs(PAIRS, "c/test", Listed(lines, "h/test"))
    assert matched.by is MatchedBy.TEXTS
    assert matched.ids == {f"c/test/{k}" for k in range(30, 40)}
    assert matched.unmatched == 2


def test_a_subset_of_something_else_is_refused() -> None:
    with pytest.raises(DataError, match=r"h/test is not a part of c/test: none of its 1 pairs"):
        find_hard_pairs(PAIRS, "c/test", Listed([Pair("h/test/1", "x", "y")], "h/test"))


def test_tables_and_texts_without_letters_are_told_apart() -> None:
    one, two = (table_from_mapping({"title": ["T"], "k": [value]}) for value in "ab")
    assert same_texts(Pair("1", one, "h")) != same_texts(Pair("1", two, "h"))
    assert same_texts(Pair("1", "p", "🙂")) != same_texts(Pair("1", "p", "🙁"))


def test_released_subsets_are_known_by_corpus(tmp_path: Path) -> None:
    assert released_hard_set(Limited(Listed(PAIRS, "snli/test"), 3)) == "snli-hard/test"
    assert released_hard_set(Listed(PAIRS, "c/test")) == ""
    assert open_if_here("snli-hard/test", tmp_path) is None


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("snli/test", MatchedBy.ID),
        ("multinli/dev-matched", MatchedBy.TEXTS),
        ("multinli/dev-mismatched", MatchedBy.TEXTS),
    ],
)
def test_all_released_pairs_are_found(data: Path, name: str, by: MatchedBy) -> None:
    try:
        whole, hard = open_source(name, data), open_source(RELEASED[name], data)
    except NotFoundError as error:
        pytest.skip(str(error))
    matched = find_hard_pairs(list(whole.pairs()), name, hard)
    assert (matched.by, matched.unmatched) == (by, 0)
    assert abs(len(matched.ids) - matched.size) <= 1  # one pair of either MultiNLI part comes twice
