from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.probes import PROBES
from nliprobe.probes.suite import Suite, build_probe
from nliprobe.task.case import Case, Skip
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition
from nliprobe.task.pair import DOUBTFUL_SWAP, Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.testing import contract_tests
from nliprobe.testing.strategies import tables


@dataclass(frozen=True)
class Source:
    """A split in memory."""

    items: tuple[Pair, ...]
    name: str = "c/s"
    partition: Partition = THREE_WAY

    def digest(self) -> str:
        return str(hash(self.items))

    def pairs(self) -> Iterator[Pair]:
        return iter(self.items)


def cases_of(spec: str, pair: Pair, seed: int = 0) -> list[Case | Skip]:
    return list(build_probe(spec, seed).cases(pair, Pool({pair.group: pair.premise})))


test_every_probe_keeps_the_contract = contract_tests(
    "probe",
    *PROBES.names(),
    "rows.delete?n=2",
    "rows.delete?blind=true",
    "rows.permute?n=3",
    "rows.insert?n=3",
    "rows.update?n=3&blind=true",
    "rows.compose?ops=delete+insert+update+permute",
    "rows.compose?ops=delete-relevant+delete-irrelevant&n=2",
)


@given(tables(min_rows=2))
def test_rows_delete_is_exhaustive(table: Table) -> None:
    found = cases_of("rows.delete", Pair("p", table, "h"))
    premises = [case.premise for case in found if isinstance(case, Case)]
    assert premises == [table.delete(index) for index in range(len(table.rows))]


@given(tables(min_rows=3), st.integers(1, 2))
def test_rows_delete_n_draws_some_of_them(table: Table, n: int) -> None:
    pair = Pair("p", table, "h")
    some = [case.premise for case in cases_of(f"rows.delete?n={n}", pair) if isinstance(case, Case)]
    every = [case.premise for case in cases_of("rows.delete", pair) if isinstance(case, Case)]
    assert len(some) == n
    assert set(some) <= set(every)


def test_rows_delete_on_one_row_is_not_applicable() -> None:
    assert cases_of("rows.delete", Pair("p", Table("t", (Row("k", ("v",)),)), "h")) == [
        Skip("rows.delete", "there is one row only")
    ]


@given(tables(min_rows=2), st.integers(1, 9))
def test_rows_permute_draws_distinct_orders_never_the_original(table: Table, n: int) -> None:
    cases = [case for case in cases_of(f"rows.permute?n={n}", Pair("p", table, "h")) if isinstance(case, Case)]
    premises = [case.premise for case in cases]
    assert table not in premises
    assert len(set(premises)) == len(premises)
    assert 1 <= len(premises) <= n
    if len(table.rows) >= 4:
        assert len(premises) == n


def test_rows_permute_of_two_rows_has_one_other_order() -> None:
    table = Table("t", (Row("a", ("1",)), Row("b", ("2",))))
    assert len(cases_of("rows.permute?n=7", Pair("p", table, "h"))) == 1


def test_swap_keeps_gold_of_c_and_n_only() -> None:
    golds = {}
    for letter in "ENC":
        [case] = cases_of("swap", Pair("p", "premise", "hypothesis", LabelSet.of(letter)))
        assert isinstance(case, Case)
        assert (case.premise, case.hypothesis) == ("hypothesis", "premise")
        golds[letter] = case.gold
    assert golds == {"E": None, "N": LabelSet.of("N"), "C": LabelSet.of("C")}
    assert isinstance(cases_of("swap", Pair("p", Table("t", (Row("k", ("v",)),)), "h"))[0], Skip)


def test_swap_marks_neutral_pairs_that_become_entailments() -> None:
    for letter, marked in (("N", True), ("E", False), ("C", False), ("NC", False)):
        [case] = cases_of("swap", Pair("p", "I bought books.", "I bought five books.", LabelSet.of(letter)))
        assert isinstance(case, Case)
        assert case.facets == ((DOUBTFUL_SWAP,) if marked else ())
    [other] = cases_of("swap", Pair("p", "I bought five books.", "I bought a house.", LabelSet.of("N")))
    assert isinstance(other, Case)
    assert other.facets == ()


@given(st.text(), st.text(), st.sampled_from([None, "E", "N", "C", "NC"]))
def test_swapping_twice_gives_the_pair_back(premise: str, hypothesis: str, gold: str | None) -> None:
    pair = Pair("p", premise, hypothesis, None if gold is None else LabelSet.of(gold))
    [case] = cases_of("swap", pair)
    if premise == hypothesis:
        assert isinstance(case, Skip)
        return
    assert isinstance(case, Case)
    assert isinstance(case.premise, str)
    assert (case.premise, case.hypothesis) == (hypothesis, premise)
    [again] = cases_of("swap", Pair("p", case.premise, case.hypothesis, pair.gold))
    assert isinstance(again, Case)
    assert (again.premise, again.hypothesis) == (premise, hypothesis)


def test_swap_leaves_equal_texts_out() -> None:
    assert cases_of("swap", Pair("p", "same", "same")) == [Skip("swap", "premise and hypothesis are the same")]


def test_probe_specs_are_canonical_and_checked() -> None:
    assert build_probe("rows.permute?n=1").spec == "rows.permute"
    assert build_probe("rows.permute?n=2").spec == "rows.permute?n=2"
    with pytest.raises(NotFoundError, match=r"Did you mean 'rows.delete'\?"):
        build_probe("row.delete")
    with pytest.raises(UsageError, match="at least 1"):
        build_probe("rows.permute?n=0")
    with pytest.raises(UsageError, match="at least 1"):
        build_probe("rows.delete?n=0")
    with pytest.raises(UsageError, match="no parameter 'm'"):
        build_probe("rows.delete?m=0")
    with pytest.raises(UsageError, match="after '\\?'"):
        build_probe("rows.delete:2")


TABLE = Table("t", (Row("a", ("1",)), Row("b", ("2",)), Row("c", ("3",)), Row("d", ("4",))))
SOURCE = Source((Pair("c/s/0", TABLE, "h0"), Pair("c/s/1", TABLE, "h1"), Pair("c/s/2", "text", "h2")))


def test_suite_always_asks_the_pair_itself_first() -> None:
    suite = Suite.build([SOURCE], ["rows.delete", "swap"])
    assert [probe.name for probe in suite.probes] == ["gold", "rows.delete", "swap"]
    probes = [case.probe for _, case in suite.items(SOURCE, None) if isinstance(case, Case)]
    assert probes == ["gold", *["rows.delete"] * 4] * 2 + ["gold", "swap"]


def test_suite_cases_do_not_depend_on_the_order_of_anything() -> None:
    turned = Source(SOURCE.items[::-1])

    def ids(source: Source, probes: list[str], seed: int = 0) -> set[str]:
        suite = Suite.build([source], probes, seed)
        return {case.id for _, case in suite.items(source, None) if isinstance(case, Case)}

    first = ids(SOURCE, ["gold", "rows.permute?n=2", "rows.delete"])
    assert first == ids(turned, ["rows.delete", "rows.permute?n=2"])
    assert first != ids(SOURCE, ["gold", "rows.permute?n=2", "rows.delete"], seed=1)


def test_suite_hash_is_known_before_and_depends_on_everything() -> None:
    base = Suite.build([SOURCE], ["gold"]).hash
    assert base == Suite.build([SOURCE], []).hash
    assert base != Suite.build([SOURCE], ["gold"], seed=1).hash
    assert base != Suite.build([SOURCE], ["swap"]).hash
    assert base != Suite.build([Source(SOURCE.items, "c/other")], ["gold"]).hash
    assert base != Suite.build([Source(SOURCE.items[:1])], ["gold"]).hash


def test_suite_rejects_doubles_and_nothing() -> None:
    with pytest.raises(UsageError, match="'swap' is named twice"):
        Suite.build([SOURCE], ["swap", "swap"])
    with pytest.raises(UsageError, match="'c/s' is named twice"):
        Suite.build([SOURCE, SOURCE], ["swap"])
    with pytest.raises(UsageError, match="no corpus"):
        Suite.build([], ["swap"])


def test_suites_are_bit_identical_on_every_python() -> None:
    suite = Suite.build([SOURCE], ["rows.permute?n=3", "rows.delete?n=2", "swap"], seed=7)
    ids = [case.id for _, case in suite.items(SOURCE, None) if isinstance(case, Case)]
    # Python 3.11, 3.12 and 3.13 give the same.
    assert digest(*ids) == "9c027298fa98b6345acae097"


MARKED = Table("t", (Row("a", ("1",)), Row("b", ("2",)), Row("c", ("3",))))


@pytest.mark.parametrize(
    ("spec", "evidence", "expected"),
    [
        ("rows.delete", None, ["0 E>EN N>N C>NC certain", "1 E>EN N>N C>NC certain", "2 E>EN N>N C>NC certain"]),
        ("rows.delete", Evidence((1,)), ["0 E>E N>N C>C certain", "1 E>N N>N C>N certain", "2 E>E N>N C>C certain"]),
        (
            "rows.delete",
            Evidence((1,), Grade.EDIT),
            ["0 E>EN N>N C>NC certain", "1 E>N N>N C>N certain", "2 E>EN N>N C>NC certain"],
        ),
        (
            "rows.delete",
            Evidence((0, 1), alone=True),
            ["0 E>EN N>N C>NC certain", "1 E>EN N>N C>NC certain", "2 E>E N>N C>C certain"],
        ),
        ("rows.delete?which=relevant", Evidence((0, 2)), ["0 E>N N>N C>N certain", "2 E>N N>N C>N certain"]),
        ("rows.delete?which=irrelevant", Evidence((0, 2)), ["1 E>E N>N C>C certain"]),
        ("rows.delete?which=irrelevant", Evidence((0, 2), Grade.EDIT), ["1 E>E N>N C>C likely"]),
        ("rows.delete?which=relevant", Evidence((2,), Grade.SILVER), ["2 E>N N>N C>N likely"]),
        ("rows.delete?which=all-relevant", Evidence((0, 2)), ["2+0 E>N N>N C>N certain"]),
        ("rows.delete?which=all-relevant", Evidence((0, 1, 2)), ["every row is relevant"]),
        ("rows.delete?which=irrelevant", Evidence((0, 1, 2)), ["every row is relevant"]),
        ("rows.delete?which=relevant", Evidence(()), ["no row is relevant"]),
        ("rows.delete?which=relevant", None, ["nobody marked the evidence of the pair"]),
    ],
)
def test_a_deletion_is_judged_by_what_the_evidence_says(
    spec: str, evidence: Evidence | None, expected: list[str]
) -> None:
    made = [
        item.reason
        if isinstance(item, Skip)
        else f"{'+'.join(str(edit.unit) for edit in item.edits)} {item.expects} {item.certainty}"
        for item in cases_of(spec, Pair("p", MARKED, "h", evidence=evidence))
    ]
    assert made == expected


def test_a_choice_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match=r"'rows.delete\?which' should be each, relevant, irrelevant or all-relevant"):
        build_probe("rows.delete?which=every")


def test_a_corpus_of_two_labels_never_expects_neutral() -> None:
    pair = Pair("c/s/1", MARKED, "h", LabelSet.of("E"), evidence=Evidence((1,)))
    source = Source((pair,), partition=Partition.parse("E|C"))
    suite = Suite.build([source], ["rows.delete"])
    cases = [case for _, case in suite.items(source, None) if isinstance(case, Case)]
    assert [str(case.expects) for case in cases[1:]] == ["E>E N>N C>C", "E>ENC N>N C>ENC", "E>E N>N C>C"]
    three = Source((pair,))
    told = [case for _, case in Suite.build([three], ["rows.delete"]).items(three, None)]
    assert str(told[2].expects) == "E>N N>N C>N"  # type: ignore[union-attr]
    # What is expected does not change the id: the edit is the same.
    assert [case.id for case in cases] == [case.id for case in told]  # type: ignore[union-attr]
