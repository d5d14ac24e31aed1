"""Pairs that carry a program: every probe of rows gives the label after the edit, and it follows from logic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.probes.executables import KEYS, executable, executables, program, table

from nliprobe.base.errors import DataError
from nliprobe.probes._exact import NEARLY, OTHER_KEY, OTHER_LABEL, UNREADABLE, UNREADABLE_AFTER, renamed_program
from nliprobe.probes._texts import Change
from nliprobe.probes.relation_check import check_moves, edit_kinds
from nliprobe.probes.suite import Suite, build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.exceptions import EXCEPTIONS, Verdict, judge_move
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool, Source
from nliprobe.task.sources import Limited, open_source
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables import operations
from nliprobe.templates.tables.execute import execute
from nliprobe.testing._probes import RULES, Probing
from nliprobe.testing._rules import hold

ROW_PROBES = (
    "rows.delete",
    "rows.delete?which=relevant",
    "rows.delete?which=irrelevant",
    "rows.delete?which=all-relevant",
    "rows.delete?blind=true",
    "rows.insert?n=3",
    "rows.update?n=3",
    "rows.permute?n=2",
    "rows.compose?n=2&ops=insert%2Bdelete",
    "rows.compose?n=2&ops=insert%2Binsert%2Bdelete",
    "rows.compose?n=2&ops=update%2Bdelete",
    "rows.compose?n=2&ops=insert%2Bupdate",
    "rows.compose?n=2&ops=insert%2Bupdate%2Bdelete%2Bpermute",
    "rows.compose?n=2&ops=delete%2Bdelete",
    "rows.compose?n=2&ops=insert%2Bdelete-relevant",
    "rows.compose?n=2&ops=insert%2Bdelete-irrelevant",
    "rows.compose?n=2&ops=update%2Bdelete-relevant",
)
ALBUM = Table(
    "Tin Weather",
    (
        Row("Released", ("29 March 1979",)),
        Row("Genre", ("rock", "pop")),
        Row("Length", ("46:06",)),
        Row("Producer", ("Ada Morn",)),
    ),
    "Album",
)
OTHER = Table(
    "Slow Harbour",
    (Row("Genre", ("jazz", "folk")), Row("Label", ("Kestrel",)), Row("Length", ("30:00",)), Row("Tracks", ("9",))),
    "Album",
)
POOL = Pool({"Tin Weather": ALBUM, "Slow Harbour": OTHER})


def items(spec: str, pair: Pair, pool: Pool = POOL, seed: int = 0) -> list[Case | Skip]:
    return list(build_probe(spec, seed).cases(pair, pool))


def cases(spec: str, pair: Pair, pool: Pool = POOL, seed: int = 0) -> list[Case]:
    return [item for item in items(spec, pair, pool, seed) if isinstance(item, Case)]


def every_case(tables: int, each: int) -> Iterator[Case | Skip]:
    pairs, pool = executables(tables, each)
    for spec in ROW_PROBES:
        probe = build_probe(spec)
        for pair in pairs:
            yield from probe.cases(pair, pool)


def test_each_case_has_the_label_that_its_program_gives() -> None:
    seen: Counter[str] = Counter()
    for case in every_case(20, 4):
        if isinstance(case, Skip):
            continue
        assert isinstance(case.premise, Table)
        assert case.source.program is not None
        assert str(case.gold) == execute(case.source.program, case.premise).label
        assert (case.expects, case.certainty) == (None, Certainty.CERTAIN)
        seen[case.probe] += 1
    assert set(seen) == {build_probe(spec).spec for spec in ROW_PROBES}


def test_deleting_a_row_that_decides_leaves_the_question_open() -> None:
    pair = executable("p", ALBUM, 'year("Released") < 1981 and "rock" in items("Genre")')
    assert [str(case.gold) for case in cases("rows.delete", pair)] == ["N", "N", "E", "E"]
    false = executable("p", ALBUM, 'year("Released") < 1971 and "rock" in items("Genre")')
    # The other row still contradicts: the relation alone would say that both become neutral.
    assert [str(case.gold) for case in cases("rows.delete", false)] == ["N", "C", "C", "C"]


def test_without_a_program_nothing_changes() -> None:
    """Ids, edits, relations and certainties are those of the same pair without its program."""
    pairs, pool = executables(12, 3)
    for spec in ROW_PROBES:
        probe = build_probe(spec)
        for pair in pairs:
            plain = [item for item in probe.cases(replace(pair, program=None), pool) if isinstance(item, Case)]
            exact = {item.id: item for item in probe.cases(pair, pool) if isinstance(item, Case)}
            assert all(item.expects is not None and item.gold is None for item in plain)
            for item in plain:
                if item.id in exact:
                    assert (exact[item.id].edits, exact[item.id].premise) == (item.edits, item.premise)
            assert {item.id for item in plain} >= set(exact)


@given(st.integers(0, 10**6))
def test_permuting_rows_never_changes_the_label(seed: int) -> None:
    random = Random(seed)
    pair = executable("p", table("Tin Weather", random), program(random))
    for case in cases("rows.permute?n=3", pair, Pool({}), seed):
        assert case.gold == pair.gold


@given(st.integers(0, 10**6))
def test_deleting_an_unread_row_never_changes_the_label(seed: int) -> None:
    random = Random(seed)
    pair = executable("p", table("Tin Weather", random), program(random))
    for case in cases("rows.delete?which=irrelevant", pair, Pool({}), seed):
        assert case.gold == pair.gold


@given(st.integers(0, 10**6))
def test_deleting_and_inserting_the_same_row_restores_the_label(seed: int) -> None:
    random = Random(seed)
    pair = executable("p", table("Tin Weather", random), program(random))
    for case in cases("rows.delete", pair, Pool({}), seed):
        assert isinstance(case.premise, Table)
        assert isinstance(pair.premise, Table)
        place = case.edits[0].unit
        assert place is not None
        # The row comes from a table of another group that says the same under this key, and nothing else.
        donor = Table("Slow Harbour", (pair.premise.rows[place],), "Album")
        assert pair.program is not None
        less = executable("q", case.premise, pair.program)
        for again in cases("rows.insert", less, Pool({"Slow Harbour": donor}), seed):
            assert again.gold == pair.gold


def test_every_move_is_allowed_or_a_named_exception() -> None:
    checked = check_moves(every_case(len(KEYS) * 7, 10))
    assert checked.n >= 20_000
    assert not checked.prohibited, [
        (case.source.program, case.source.premise, case.edits) for case in checked.prohibited[:3]
    ]
    assert set(checked.exceptions) == {item.name for item in EXCEPTIONS}


def test_moves_over_the_tables_of_the_library_are_allowed_or_named() -> None:
    source = open_source("tables?total=500&seed=7")
    pairs, pool = list(source.pairs()), Pool.of(source)
    checked = check_moves(case for spec in ROW_PROBES for pair in pairs for case in build_probe(spec).cases(pair, pool))
    assert checked.n >= 20_000
    assert not checked.prohibited, [(case.source.program, case.edits) for case in checked.prohibited[:3]]
    assert {"still contradicted", "still supported", "update restores"} <= set(checked.exceptions)


EXCEPTIONAL = {
    # A list is complete, so another value can make true what it did not name.
    "update restores": ('"jazz" in items("Genre")', "rows.update?n=20", "C", "E"),
    # Nothing is known of the label, so the list alone cannot decide after the update.
    "open part": ('"jazz" in items("Genre") and number("Tracks") > 5', "rows.update?n=20", "C", "N"),
    "still contradicted": ('year("Released") > 1990 and "jazz" in items("Genre")', "rows.delete", "C", "C"),
    "still supported": ('year("Released") < 1990 or "rock" in items("Genre")', "rows.delete", "E", "E"),
    "inserted row decides": (
        'year("Released") < 1990 or number("Tracks") > 5',
        "rows.compose?n=30&ops=insert%2Bdelete-relevant",
        "E",
        "E",
    ),
}


@pytest.mark.parametrize("name", EXCEPTIONAL)
def test_each_exception_has_an_example(name: str) -> None:
    text, spec, before, after = EXCEPTIONAL[name]
    pair = executable("p", ALBUM, text)
    assert str(pair.gold) == before
    moved = [case for case in cases(spec, pair) if str(case.gold) == after]
    explained = [case for case in moved if check_moves([case]).exceptions == {name: 1}]
    assert explained
    assert check_moves(explained).exceptions == {name: len(explained)}


def test_the_check_finds_a_prohibited_move() -> None:
    pair = executable("p", ALBUM, 'year("Released") < 1981')
    wrong = [case._replace(gold=LabelSet.of("C")) for case in cases("rows.permute", pair)]
    checked = check_moves(wrong)
    assert (checked.allowed, checked.exceptions, checked.prohibited) == (0, {}, tuple(wrong))
    assert judge_move(edit_kinds(wrong[0].edits, pair.evidence), "E", "C").verdict is Verdict.PROHIBITED


def test_a_cell_that_the_program_cannot_read_gives_a_reason() -> None:
    broken = Table("Slow Harbour", (Row("Tracks", ("unknown to us",)),), "Album")
    pair = executable("p", ALBUM, 'number("Tracks") > 5')
    assert items("rows.insert", pair, Pool({"a": ALBUM, "b": broken})) == [Skip("rows.insert", UNREADABLE_AFTER)]
    unreadable = replace(pair, premise=broken)
    assert items("rows.permute", unreadable) == [Skip("rows.permute", UNREADABLE)]


@pytest.mark.parametrize(
    ("key", "spelling"), [("Tracks", "Track(s)"), ("Studio", "STUDIOS"), ("Release date", "Released")]
)
def test_a_row_under_another_spelling_of_its_key_is_never_taken_for_missing(key: str, spelling: str) -> None:
    table = Table("Tin Weather", (Row("Length", ("46:06",)),), "Album")
    spelt = Table("Slow Harbour", (Row(spelling, ("1979",)),), "Album")
    pair = executable("p", table, f'number("{key}") > 5')
    assert items("rows.insert", pair, Pool({"b": spelt})) == [Skip("rows.insert", OTHER_KEY)]


def test_a_new_value_that_is_nearly_the_one_asked_for_gives_a_reason() -> None:
    band = Table("Blue Tide", (Row("Origin", ("Velm",)),), "Band")
    pair = executable("p", band, '"guitar" in items("Instruments")')

    def inserted(*values: str) -> list[Case | Skip]:
        return items("rows.insert", pair, Pool({"b": Table("Red", (Row("Instruments", values),), "Band")}))

    assert inserted("bass guitar", "drums") == [Skip("rows.insert", NEARLY)]
    for values, label in ((("bass guitar", "Guitar"), "E"), (("drums", "piano"), "C")):
        (case,) = inserted(*values)
        assert isinstance(case, Case)
        assert str(case.gold) == label


def test_a_program_that_contradicts_the_gold_label_gives_a_reason() -> None:
    pair = replace(executable("p", ALBUM, 'year("Released") < 1981'), gold=LabelSet.of("N"))
    assert items("rows.delete", pair) == [Skip("rows.delete", OTHER_LABEL)]
    assert items("counterfactual.retitle", replace(pair, hypothesis="Tin Weather is old.")) == [
        Skip("counterfactual.retitle", OTHER_LABEL)
    ]


def test_a_program_that_is_none_is_an_error() -> None:
    pair = replace(executable("p", ALBUM, 'year("Released") < 1981'), program="year(")
    with pytest.raises(DataError, match="cannot be read"):
        items("rows.delete", pair)


EPONYMOUS = Table(
    "Blue Tide",
    (Row("Artist", ("Blue Tide",)), Row("Released", ("1979",)), Row("Studio", ("Blue Tide Hall",))),
    "Album",
)
DESTINATION = Table(
    "Red Lantern", (Row("Artist", ("Cato Lind",)), Row("Released", ("1999",)), Row("Tracks", ("9",))), "Album"
)
TITLES = Pool({"a": EPONYMOUS, "b": DESTINATION})


@pytest.mark.parametrize("probe", ["counterfactual.retitle", "counterfactual.relocate"])
def test_values_that_are_the_title_follow_it(probe: str) -> None:
    pair = executable("p", EPONYMOUS, '"Blue Tide" in items("Artist")', "Blue Tide is an album by Blue Tide.")
    (case,) = cases(probe, pair, TITLES)
    assert (case.hypothesis, str(case.gold)) == ("Red Lantern is an album by Red Lantern.", "E")
    assert (case.expects, case.certainty) == (None, Certainty.CERTAIN)


@pytest.mark.parametrize("probe", ["counterfactual.retitle", "counterfactual.relocate"])
def test_a_false_statement_stays_false_and_a_program_may_read_the_title(probe: str) -> None:
    false = executable("p", EPONYMOUS, 'year("Released") > 1990', "Blue Tide was released after 1990.")
    (case,) = cases(probe, false, TITLES)
    assert str(case.gold) == "C"
    own = executable("p", EPONYMOUS, 'title() in items("Artist")', "Blue Tide is named after its artist.")
    (case,) = cases(probe, own, TITLES)
    assert str(case.gold) == "E"


def test_a_row_of_the_new_table_may_decide_what_was_open() -> None:
    pair = executable(
        "p", EPONYMOUS, 'year("Released") < 1990 and number("Tracks") > 5', "Blue Tide is old and has many tracks."
    )
    assert str(pair.gold) == "N"
    (moved,) = cases("counterfactual.relocate", pair, TITLES)
    assert str(moved.gold) == "E"
    (retitled,) = cases("counterfactual.retitle", pair, TITLES)
    assert str(retitled.gold) == "N"


def test_values_of_which_a_part_is_the_title_follow_the_hypothesis_or_are_left_out() -> None:
    text = '"Blue Tide Hall" in items("Studio")'
    whole = [Change(0, 9, "Red Lantern"), Change(26, 35, "Red Lantern")]
    hypothesis = "Blue Tide was recorded at Blue Tide Hall."

    def rename(value: str) -> str:
        return value.replace("Blue Tide", "Red Lantern")

    after = "Red Lantern was recorded at Red Lantern Hall."
    assert renamed_program(text, rename, hypothesis, whole, after) == '"Red Lantern Hall" in items("Studio")'
    part = "Red Lantern was recorded at Blue Tide Hall."
    assert renamed_program(text, rename, hypothesis, whole[:1], part) is None
    # A value that stays in the cells must stay in the hypothesis.
    assert renamed_program(text, lambda value: value, hypothesis, whole, after) is None
    assert renamed_program(text, lambda value: value, hypothesis, whole[:1], part) == text
    # Keys, units and days are no values, whatever the title is.
    dated = 'number("Blue Tide", "km") > 5 and date("Released") < day("1979-03")'
    assert renamed_program(dated, rename, hypothesis, whole, after) == f"({dated.replace(' and ', ') and (')})"


class Programs:
    """A source whose pairs carry programs."""

    name = "made"
    partition: Partition = THREE_WAY

    def digest(self) -> str:
        return "digest"

    def pairs(self) -> Iterator[Pair]:
        yield executable("p", ALBUM, 'year("Released") < 1981')


def test_the_version_of_programs_is_in_the_hash_where_programs_occur(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Suite.build([Programs()], ["rows.delete"])
    assert plain.description["corpora"] == [{"name": "made", "digest": "digest", "partition": "E|N|C"}]

    class Declared(Source):
        executable = True
        name = Programs.name
        partition = Programs.partition
        digest = Programs.digest
        pairs = Programs.pairs

        def files(self) -> list[Path]:
            return []

    declared = [Declared(), Limited(Declared(), 5)]
    hashes = {Suite.build([source], ["rows.delete"]).hash for source in declared}
    monkeypatch.setattr(operations, "VERSION", operations.VERSION + 1)
    later = {Suite.build([source], ["rows.delete"]).hash for source in declared}
    assert len(hashes | later) == 4
    assert Suite.build([Programs()], ["rows.delete"]).hash == plain.hash


EVERY_PROBE = (*ROW_PROBES, "counterfactual.retitle", "counterfactual.relocate", "counterfactual.flip?n=2")


@pytest.mark.parametrize("spec", EVERY_PROBE)
def test_the_contract_of_probes_holds_for_pairs_with_programs(spec: str) -> None:
    pairs, _ = executables(6, 2)
    for pair in pairs[:4]:
        hold("probe", spec, RULES, Probing(spec, 0, pair, pairs[5:7], pairs))
