"""Failing cases as a page holds them: packed, in blocks, and the same when they are unpacked."""

from __future__ import annotations

import base64
import json
import random
import zlib
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.runs import Asked, derived, pair, write_run
from tests.analysis.schemas import validate
from tests.report.case_pages import section_of

from nliprobe.analysis.case_columns import CaseColumns, case_columns
from nliprobe.analysis.case_facets import MOST_VALUES
from nliprobe.analysis.cases import read_run
from nliprobe.api.report import failing_section, report
from nliprobe.report.case_section import LARGEST, case_section
from nliprobe.report.marked_text import marked_pieces, text_marks
from nliprobe.report.packed import pack, unpack
from nliprobe.store.run import RunFolder
from nliprobe.task.edits import Edit, apply_edits
from nliprobe.task.pair import Facet

# Half characters, too: what a broken file holds.
TEXTS = st.text(st.characters() | st.characters(categories=["Cs"]) | st.sampled_from("</>&\u2028'\"`"))
ITEMS = st.recursive(TEXTS | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=5)


@given(st.dictionaries(TEXTS, ITEMS, max_size=3), st.lists(ITEMS, max_size=200), st.integers(1, 500))
def test_what_is_packed_is_unpacked_unchanged(head: dict[str, object], items: list[object], block: int) -> None:
    head.pop("lists", None)
    text = pack(head, {"one": items, "none": [], "two": reversed(items)}, block=block)
    assert unpack(text) == (head, {"one": items, "none": [], "two": items[::-1]})
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\n")


@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.text(max_size=5)), max_size=4)
)
def test_marks_give_the_text_before_and_after(text: str, changes: list[tuple[int, int, str]]) -> None:
    edits, now = [], text
    for start, stop, after in changes:
        span = (min(start, stop, len(now)), min(max(start, stop), len(now)))
        edits.append(Edit("premise.replace", span=span, before=now[slice(*span)], after=after))
        now = now[: span[0]] + after + now[span[1] :]
    pieces = marked_pieces(text, edits)
    assert pieces is not None
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == text
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == now
    assert now == apply_edits(text, "", tuple(edits))[0]
    lengths = [mark for mark in text_marks(pieces) if isinstance(mark, int)]
    assert sum(map(abs, lengths)) == len(text.encode("utf-16-le")) // 2


def test_a_kept_sentence_strikes_out_the_others() -> None:
    pieces = marked_pieces("One. Two. Three.", [Edit("sentence.keep", 1, (5, 9), "Two.")])
    assert pieces is not None
    assert [(piece.kind, piece.text) for piece in pieces] == [("gone", "One. "), ("same", "Two."), ("gone", " Three.")]
    assert marked_pieces("One. Two.", [Edit("sentences.permute", after="[[5, 9], [0, 4]]")]) is None


def many(folder: Path, pairs: int, each: int) -> tuple[RunFolder, int]:
    """A run of pairs whose edits always fail one system and half of the time another one."""
    draw = random.Random(0)
    cases = []
    for number in range(pairs):
        base = pair(f"p{number}", "E", group=f"g{number // 9}")
        cases += [base, *(derived(f"p{number}.{place}", base) for place in range(each))]
    bad = {case.id: "E" if case.probe == "gold" else "C" for case in cases}
    half = {name: label if draw.random() < 0.5 else "E" for name, label in bad.items()}
    return write_run(folder, {"x": cases}, [Asked("bad", bad), Asked("half", half)], shard=50_000), len(cases)


def test_every_failure_is_there_with_all_answers_to_its_case(tmp_path: Path) -> None:
    a, b = pair("a", "E"), pair("b", "N")
    cases = [a, b, derived("a1", a), derived("b1", b)]
    answers = {"one": {"a": "E", "b": "C", "a1": "C", "b1": "C"}, "two": {"a": "E", "b": "N", "a1": "E", "b1": "C"}}
    run = write_run(tmp_path, {"x": cases}, [Asked(name, said) for name, said in answers.items()])
    section = section_of(run)
    assert section.about.endswith("All of them are here.")
    head, lists = unpack(section.data)
    failures, about = head["failures"], head["cases"]
    assert isinstance(failures, dict)
    assert isinstance(about, dict)
    found = {(head["systems"][s], lists["ids"][c]) for s, c in zip(failures["system"], failures["case"], strict=True)}  # type: ignore[index]
    assert found == {("one", "b"), ("one", "a1"), ("two", "b1")}
    letters = ["", "E", "N", "EN", "C"]
    for (place, name), case in product(enumerate(answers), range(3)):
        assert letters[about["answers"][place][case]] == answers[name][str(lists["ids"][case])]


def test_what_the_page_holds_has_the_published_form(tmp_path: Path) -> None:
    a, b = pair("a", "E"), pair("b", "N")
    cases = [a, b, derived("a1", a), derived("b1", b)]
    said = {"a": "E", "b": "C", "a1": "C", "b1": "C"}
    shares = {"b": (0.1, 0.2, 0.7)}
    run = write_run(tmp_path, {"x": cases}, [Asked("one", said, shares=shares), Asked("two", dict.fromkeys(said, "E"))])
    lines = section_of(run).data.split("\n")
    head = json.loads(zlib.decompress(base64.b64decode(lines[0])))
    validate("cases", head)
    unpacked, lists = unpack("\n".join(lines))
    assert unpacked | {"lists": head["lists"]} == head
    counts = {"failures": 3, "cases": len(lists["ids"]), "pairs": len(lists["pairs"])}
    for name, count in counts.items():
        for column, values in head[name].items():
            per_system = column in ("answers", "before")
            if column != "groups":
                assert [len(row) for row in values] == [count] * 2 if per_system else len(values) == count, column
    assert len(lists["shares"]) == len(lists["ids"]) == 2
    assert max(head["cases"]["edit"]) < len(lists["edits"])
    assert max(head["pairs"]["premise"]) < len(lists["premises"])


def test_of_too_many_failures_a_sample_of_cases_is_kept_with_every_system(tmp_path: Path) -> None:
    run, _ = many(tmp_path, 40, 10)
    data = read_run(run)
    whole = case_columns(run, data)
    columns = case_columns(run, data, limit=200)
    assert columns.most is not None
    assert 150 < len(columns.case) <= 200
    assert columns.totals == whole.totals
    section = case_section(columns)
    total = len(whole.case)
    assert section.about.startswith(f"{total} cases in which")
    assert f"A random sample of {len(columns.case)} of these {total} is here: at most {columns.most} cases of each" in (
        section.about
    )

    def failed(item: CaseColumns) -> set[tuple[int, str]]:
        names = item.cases["case_id"].to_list()
        return {(int(s), names[c]) for s, c in zip(item.system, item.case, strict=True)}

    kept = set(columns.cases["case_id"])
    assert failed(columns) == {(system, name) for system, name in failed(whole) if name in kept}


def test_confident_failures_come_first(tmp_path: Path) -> None:
    cases = [pair(name, "E") for name in "abc"]
    shares = {"a": (0.1, 0.6, 0.3), "b": (0.05, 0.9, 0.05)}
    system = Asked("s", dict.fromkeys("abc", "N"), shares=shares)
    columns = case_columns(run := write_run(tmp_path, {"x": cases}, [system]), read_run(run))
    assert columns.cases["case_id"].to_list() == ["b", "a", "c"]
    assert columns.confidence[:2].tolist() == pytest.approx([0.9, 0.6])


def test_a_hundred_thousand_failures_fit(tmp_path: Path) -> None:
    run, size = many(tmp_path, 3_000, 22)
    columns = case_columns(run, read_run(run))
    assert len(columns.case) > 95_000
    assert size > 66_000
    assert len(case_section(columns).data) < LARGEST


@pytest.mark.parametrize("most", [2_500, 4_000])
def test_a_sample_shrinks_until_the_page_can_hold_it(tmp_path: Path, most: int) -> None:
    run, _ = many(tmp_path, 60, 10)
    data = read_run(run)
    whole = failing_section(run, data)
    assert len(whole.data) > most
    assert whole.about.endswith("All of them are here.")
    section = failing_section(run, data, largest=most)
    head, lists = unpack(section.data)
    failures = head["failures"]
    assert isinstance(failures, dict)
    # As much as fits, not much less.
    assert 0.5 * most < len(section.data) <= most
    assert section.total == whole.total == head["total"]
    assert f"A random sample of {len(failures['case'])} of these {whole.total} is here" in section.about
    assert len(lists["ids"]) == len(set(failures["case"]))
    assert len(section.sample) == 10


def test_cases_that_are_each_too_large_for_a_page_are_left_out_and_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = many(tmp_path, 3, 1)
    data = read_run(run)
    section = failing_section(run, data, largest=10)
    assert (section.data, section.sample) == ("", [])
    assert section.about.endswith("None of them is here: they are too large for a page.")
    assert section.total == failing_section(run, data).total > 0
    monkeypatch.setattr("nliprobe.api.report.failing_section", lambda run, data: section)
    page = report(run, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "None of them is here" in page
    # Nothing to unpack, and nothing to search in.
    assert 'id="cases-data"' not in page
    assert 'id="search"' not in page


def test_fewer_cases_than_corpora_and_probes_may_be_kept(tmp_path: Path) -> None:
    base = pair("p", "E")
    cases = [base, *(derived(f"p{place}", base, f"rows.delete?n={place}") for place in range(8))]
    run = write_run(tmp_path, {"x": cases}, [Asked("bad", {case.id: "C" for case in cases} | {"p": "E"})])
    data = read_run(run)
    for limit in (8, 5, 1, 0):
        assert len(case_columns(run, data, limit=limit).case) == limit


def test_facets_with_too_many_values_are_named(tmp_path: Path) -> None:
    cases = [
        pair(f"p{n}", "E", facets=[Facet("few", str(n % 3)), Facet("many", str(n))]) for n in range(MOST_VALUES + 1)
    ]
    answers = Asked("bad", {case.id: "C" for case in cases})
    run = write_run(tmp_path, {"x": cases}, [answers], shard=500)
    section = section_of(run)
    assert section.unoffered == "Facets with more than 300 values are not offered here: many."
    head, _ = unpack(section.data)
    offered = head["facets"]
    assert isinstance(offered, dict)
    assert offered["values"] == [["few", "0"], ["few", "1"], ["few", "2"]]
    page = report(run, tmp_path / "page.html").read_text(encoding="utf-8")
    assert section.unoffered in page
