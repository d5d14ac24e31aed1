"""Items from pairs, queues and templates: what raters see, what is hidden, and how items are put into batches."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people.reviewed import ITEMS, new_queue

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.items.batches import evenly, in_batches
from nliprobe.people.items.of_pairs import Stratum, items_of, per_group
from nliprobe.people.items.of_queues import settle_items
from nliprobe.people.items.of_templates import AskedTemplate, bin_items
from nliprobe.people.records import Item
from nliprobe.people.review.files import read_queue
from nliprobe.people.tasks import TASKS
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

TABLE = Table("K2", (Row("Height", ("8,611 m",)), Row("Ranges", ("Karakoram",))), "Mountain")
PAIRS = [
    Pair(f"secret/{group}/{number}", TABLE, f"Hypothesis {group} {number}.", LabelSet.of(gold), group)
    for group, gold in (("t1", "E"), ("t2", "N"), ("t3", "C"))
    for number in range(4)
]
VERIFY = TASKS.get("verify")({})


def test_a_pair_is_shown_without_anything_that_tells_its_label() -> None:
    made = items_of(VERIFY, PAIRS)
    assert len(made.items) == len(PAIRS)
    assert made.left_out == {}
    first = made.items[0]
    assert first.hidden == {"pair_id": "secret/t1/0", "group": "t1", "table": "t1", "gold": "E"}
    assert first.stratum == "t1"
    # The name goes to raters, too, and so it is no id of a corpus.
    assert "secret" not in first.name + json.dumps(VERIFY.shown(first))
    assert [item.name for item in items_of(VERIFY, PAIRS).items] == [item.name for item in made.items]


@pytest.mark.parametrize(
    ("stratum", "expected"),
    [(Stratum.LABEL, {"E", "N", "C"}), (Stratum.CATEGORY, {"Mountain"}), (Stratum.NONE, {""})],
)
def test_strata_are_what_the_owner_wants(stratum: Stratum, expected: set[str]) -> None:
    assert {item.stratum for item in items_of(VERIFY, PAIRS, stratum=stratum).items} == expected
    text = Pair("x/1", "It rained.", "It did.", None, "g", facets=(Facet("capability", "negation"),))
    assert items_of(VERIFY, [text], stratum=Stratum.CATEGORY).items[0].stratum == "negation"


def test_attention_items_have_the_answer_that_is_known() -> None:
    made = items_of(VERIFY, PAIRS, attention=["secret/t2/1"])
    assert [(item.hidden["pair_id"], item.expected) for item in made.items if item.expected is not None] == [
        ("secret/t2/1", {"label": "N"})
    ]
    with pytest.raises(DataError, match=r"names 1 pairs that are not among the items: 'secret/t2/9'\. Did you mean"):
        items_of(VERIFY, PAIRS, attention=["secret/t2/9"])
    with pytest.raises(DataError, match="what is right about it is not known"):
        items_of(VERIFY, [replace(PAIRS[0], gold=None)], attention=["secret/t1/0"])
    with pytest.raises(DataError, match="what is right about it is not known"):
        items_of(TASKS.get("write")({}), PAIRS, attention=["secret/t1/0"])


def test_what_a_task_cannot_ask_is_counted_by_reason() -> None:
    text = Pair("x/1", "It rained.", "It did.", LabelSet.of("E"), "g")
    edits = TASKS.get("counterfactual")({})
    made = items_of(edits, [*PAIRS, text, replace(PAIRS[0], id="x/2", gold=None)])
    assert {str(item.hidden["gold"]): item.content["wanted"] for item in made.items} == {"E": "C", "C": "E"}
    assert made.left_out == {
        "it is neutral, and no label is wanted": 4,
        "the premise is a text, not a table": 1,
        "it has no single label to start from": 1,
    }
    wanted = items_of(TASKS.get("counterfactual")({"wanted": "N"}), PAIRS)
    assert Counter(str(item.hidden["gold"]) for item in wanted.items) == {"E": 4, "C": 4}
    assert wanted.left_out == {"it has the wanted label already": 4}
    assert items_of(TASKS.get("settle")({}), PAIRS).left_out == {"the task is not about pairs": 12}


def test_hypotheses_are_written_once_per_premise() -> None:
    made = items_of(TASKS.get("write")({}), [*PAIRS, replace(PAIRS[0], id="x/9", premise="It rained.")])
    assert [sorted(item.content) for item in made.items] == [["premise"], ["premise"]]


def test_two_pairs_with_one_id_are_an_error() -> None:
    with pytest.raises(DataError, match="'secret/t1/0' belongs to two pairs"):
        items_of(VERIFY, [PAIRS[0], replace(PAIRS[1], id="secret/t1/0")])


@pytest.mark.parametrize("premise", ["x " * 150_000, "a\0b"])
def test_a_pair_that_cannot_be_kept_is_named_as_its_file_names_it(premise: str) -> None:
    with pytest.raises(DataError, match=r"The pair 'mine/7' cannot be asked about\. .*expected"):
        items_of(VERIFY, [*PAIRS, Pair("mine/7", premise, "It is so.", LabelSet.of("E"), "")])


def test_predictions_get_their_explanation_and_hide_the_truth() -> None:
    predict = TASKS.get("predict")({})
    made = items_of(
        predict,
        PAIRS[:1],
        more={"secret/t1/0": {"explanation": [{"word": "high", "weight": 0.5}]}},
        hidden={"secret/t1/0": {"truth": "C", "stage": "B1"}},
    )
    [item] = made.items
    assert item.hidden["truth"] == "C"
    assert predict.shown(item)["explanation"] == [{"word": "high", "weight": 0.5}]
    assert "truth" not in predict.shown(item)


def test_real_sources_become_items_of_every_task_about_pairs() -> None:
    for source in ("builtin/tables-dev", "builtin/passages-dev", "builtin/sentences-dev", "checklist?n=1"):
        pairs = list(open_source(source).pairs())[:40]
        for name in ("verify", "judge", "evidence", "predict", "write"):
            made = items_of(TASKS.get(name)({}), pairs)
            assert made.items
            assert made.left_out == {}


def test_the_known_evidence_of_a_real_corpus_is_an_answer() -> None:
    pairs = list(open_source("builtin/passages-dev").pairs())
    marked = [pair.id for pair in pairs if pair.evidence is not None][:5]
    made = items_of(TASKS.get("evidence")({}), pairs, attention=marked)
    assert sum(item.expected is not None for item in made.items) == len(marked) == 5


def test_so_many_pairs_of_each_group_are_drawn() -> None:
    drawn = per_group(PAIRS, 2, seed=1)
    assert Counter(pair.group for pair in drawn) == {"t1": 2, "t2": 2, "t3": 2}
    assert per_group(list(PAIRS), 2, seed=1) == drawn
    assert len(per_group(PAIRS, 99)) == len(PAIRS)


def test_open_cases_of_a_queue_are_settled_blind_unless_the_owner_says_otherwise(tmp_path: Path) -> None:
    queue = read_queue(new_queue(tmp_path))
    settle = TASKS.get("settle")({})
    blind, seeing = settle_items(queue), settle_items(queue, blind=False)
    for item in [*blind, *seeing]:
        settle.check_item(item)
    assert len(blind) == len(ITEMS)
    assert not any("suggested" in settle.shown(item) for item in blind)
    assert [settle.shown(item).get("suggested") for item in seeing] == ["C", "C", "E", "EN"]
    assert blind[0].hidden["digest"] == ITEMS[0].digest
    assert blind[0].stratum == "number over-raised"


def test_templates_hide_the_bin_that_is_right() -> None:
    for name in ("bid", "pick"):
        task = TASKS.get(name)({})
        asked = AskedTemplate("numerical.twice", "{N} is twice {M}.", 0.81, tuple(PAIRS[:2]), {"E": 0.9}, "1")
        [item] = bin_items(task, [asked])
        assert item.hidden == {"template": "numerical.twice", "truth": "5", "stage": "1"}
        shown = task.shown(item)
        assert "numerical.twice" not in json.dumps(shown)
        assert len(shown["examples"]) == 2  # type: ignore[arg-type]


strata = st.lists(st.sampled_from("abcd"), min_size=1, max_size=40)


def items(letters: list[str]) -> list[Item]:
    return [Item(f"q{number}", {}, stratum=letter) for number, letter in enumerate(letters)]


@given(strata, st.integers(0, 3))
def test_every_beginning_is_as_even_as_it_can_be(letters: list[str], seed: int) -> None:
    drawn = evenly(items(letters), seed=seed)
    assert sorted(item.name for item in drawn) == sorted(item.name for item in items(letters))
    left = Counter(letters)
    seen: Counter[str] = Counter()
    for item in drawn:
        # Nobody is served twice while somebody who has items left is served less.
        open_ = [name for name in left if left[name] > seen[name]]
        assert seen[item.stratum] == min(seen[name] for name in open_)
        seen[item.stratum] += 1


@given(strata, st.integers(0, 10), st.integers(1, 10), st.randoms())
def test_batches_have_their_sizes_and_do_not_depend_on_the_order(
    letters: list[str], pilot: int, size: int, random: object
) -> None:
    every = items(letters)
    batched = in_batches(every, pilot=pilot, size=size, seed=3)
    sizes = [count for _, count in sorted(Counter(item.batch for item in batched).items())]
    rest = max(0, len(every) - pilot)
    expected = [min(pilot, len(every))] if pilot else []
    expected += [size] * (rest // size) + ([rest % size] if rest % size else [])
    assert sizes == expected
    random.shuffle(every)  # type: ignore[attr-defined]
    assert in_batches(every, pilot=pilot, size=size, seed=3) == batched


def test_attention_items_are_in_the_first_batch() -> None:
    every = [replace(item, batch=7) for item in items(list("aabb"))]
    every[3] = replace(every[3], expected={"label": "E"})
    batched = in_batches(every, pilot=1, size=1)
    assert [item.batch for item in batched] == [0, 0, 1, 2]
    assert [item.expected is not None for item in batched] == [True, False, False, False]
    assert {item.batch for item in in_batches(every)} == {0}
    for wrong in ({"pilot": -1}, {"size": 0}):
        with pytest.raises(UsageError, match="or more"):
            in_batches(every, **wrong)
