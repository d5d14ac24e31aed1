from __future__ import annotations

from pathlib import Path

import pytest
from tests.corpora.files import write_rows

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.corpora.check import check_corpus
from nliprobe.task.pair import Facet, Pair

Row = dict[str, object]


def row(name: str, summary: str, label: int, *types: str, doc: str = "A document.", seed: str = "A seed.") -> Row:
    return {"id": name, "doc": doc, "summary": summary, "label": label, "original_summary": seed} | {
        "edit_types": list(types),
        "split": "evaluation",
    }


ROWS = [
    row("a_og", "A seed.", 1),
    row("a_0", "One seed.", 1),
    row("a_1", "No seed.", 0, "negation_insertion_removal", "antonym_swap"),
    row("b_og", "B.", 1, doc="Another document.", seed="B."),
]


def read(root: Path, split: str = "news", rows: list[Row] | None = None) -> list[Pair]:
    write_rows(root / "summedits" / "summedits_news.json", ROWS if rows is None else rows)
    return list(open_source(f"summedits/{split}", root).pairs())


def test_an_edited_summary_has_the_unedited_one_as_its_base(tmp_path: Path) -> None:
    pairs = read(tmp_path)
    assert [pair.id for pair in pairs] == [f"summedits/news/{name}" for name in ("a_og", "a_0", "a_1", "b_og")]
    assert [str(pair.gold) for pair in pairs] == ["E", "E", "NC", "E"]
    assert [pair.bases for pair in pairs] == [(), ("summedits/news/a_og",), ("summedits/news/a_og",), ()]
    assert [(pair.premise, pair.hypothesis) for pair in pairs] == [(each["doc"], each["summary"]) for each in ROWS]
    assert len({pair.group for pair in pairs[:3]}) == 1
    assert pairs[3].group != pairs[0].group
    types = [Facet("edit_types", name) for name in ("negation_insertion_removal", "antonym_swap")]
    assert pairs[2].facets == (Facet("domain", "news"), Facet("summary", "edited"), *types)
    assert pairs[0].facets == (Facet("domain", "news"), Facet("summary", "seed"))


def test_two_seeds_of_one_document_are_two_families_in_one_group(tmp_path: Path) -> None:
    other = [row("c_og", "C.", 1, seed="C."), row("c_0", "Not C.", 0, seed="C.")]
    pairs = read(tmp_path, rows=[*ROWS, *other])
    assert pairs[-1].bases == ("summedits/news/c_og",)
    assert pairs[-1].group == pairs[0].group


def test_a_summary_without_its_seed_has_no_base(tmp_path: Path) -> None:
    assert [pair.bases for pair in read(tmp_path, rows=ROWS[1:])] == [(), (), ()]


def test_a_seed_comes_before_its_edits(tmp_path: Path) -> None:
    pairs = read(tmp_path, rows=[ROWS[2], ROWS[0], ROWS[1]])
    assert [pair.id.rpartition("/")[2] for pair in pairs] == ["a_og", "a_1", "a_0"]
    assert pairs[1].bases == ("summedits/news/a_og",)
    # A sample must be able to find the base before the pair.
    assert list(open_source("summedits/news?sample=2", tmp_path).pairs())


def test_all_has_the_domains_that_are_there(tmp_path: Path) -> None:
    write_rows(tmp_path / "summedits" / "summedits_samsum.json", [row("s_og", "S.", 1, seed="S.")])
    pairs = read(tmp_path, "all")
    assert [pair.id for pair in pairs][-2:] == ["summedits/all/b_og", "summedits/all/s_og"]
    report = check_corpus(open_source("summedits/all", tmp_path))
    assert report.problems == ("summedits/all has 5 pairs where 1,483 are expected.",)


def test_the_copy_on_the_hub_has_all_domains_in_one_file(tmp_path: Path) -> None:
    def renamed(each: Row, domain: str) -> Row:
        rest = {key: value for key, value in each.items() if key not in ("original_summary", "split")}
        return {"domain": domain, **rest, "seed_summary": each["original_summary"]}

    other = row("s_og", "S.", 1, doc="An act.", seed="S.")
    rows = [*[renamed(each, "news") for each in ROWS], renamed(other, "shakespeare")]
    write_rows(tmp_path / "summedits" / "summedits.jsonl", rows)
    assert list(open_source("summedits/news", tmp_path).pairs()) == read(tmp_path / "official")
    assert [pair.id for pair in open_source("summedits/shakespeare", tmp_path).pairs()] == [
        "summedits/shakespeare/s_og"
    ]
    assert len(list(open_source("summedits/all", tmp_path).pairs())) == 5
    assert open_source("summedits/all", tmp_path).expected.pairs == 6348
    with pytest.raises(DataError, match=r"summedits\.jsonl has no pairs of the domain 'billsum'"):
        list(open_source("summedits/billsum", tmp_path).pairs())


BAD = {
    "field": ({key: value for key, value in ROWS[1].items() if key != "doc"}, "item 2.*'doc'"),
    "label": ({**ROWS[1], "label": 2}, "item 2: the label 2 is a code"),
    "word": ({**ROWS[1], "label": "ok"}, "item 2: unknown label 'ok'"),
    "document": ({**ROWS[1], "doc": "\n"}, "item 2: the document in column 'doc' is empty"),
    "summary": ({**ROWS[1], "summary": ""}, "item 2: the summary in column 'summary' is empty"),
    "seed": ({key: value for key, value in ROWS[1].items() if key != "original_summary"}, "item 2.*original_summary"),
    "types": ({**ROWS[1], "edit_types": "antonym_swap"}, "item 2: 'edit_types' should be a list"),
    "id twice": ({**ROWS[1], "id": "a_og"}, "item 2: the id 'a_og' is already that of .*item 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_with_its_place(tmp_path: Path, name: str) -> None:
    bad, message = BAD[name]
    with pytest.raises(DataError, match=message):
        read(tmp_path, rows=[ROWS[0], bad])


def _real(data: Path) -> list[Pair]:
    try:
        return list(open_source("summedits/all", data).pairs())
    except NotFoundError as error:
        pytest.skip(str(error))


def test_every_real_edit_has_its_seed(data: Path) -> None:
    pairs = _real(data)
    seeds = {pair.id for pair in pairs if Facet("summary", "seed") in pair.facets}
    if len({facet.value for pair in pairs for facet in pair.facets if facet.name == "domain"}) == 8:
        assert (len(pairs), len(seeds)) == (4681, 163)
    assert all(str(pair.gold) == "E" and not pair.bases for pair in pairs if pair.id in seeds)
    assert all(len(pair.bases) == 1 and pair.bases[0] in seeds for pair in pairs if pair.id not in seeds)
    group = {pair.id: pair.group for pair in pairs}
    assert all(group[pair.bases[0]] == pair.group for pair in pairs if pair.bases)


def test_real_edit_types_are_the_four_of_the_paper(data: Path) -> None:
    names = {facet.value for pair in _real(data) for facet in pair.facets if facet.name == "edit_types"}
    assert names == {
        "antonym_swap",
        "entity_modification",
        "hallucinated_fact_insertion",
        "negation_insertion_removal",
    }
