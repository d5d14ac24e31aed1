"""Suites: the same bytes whatever the order, workers and process; files of every form."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars
import pytest
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.api.generate import generate
from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.templates.find import find_templates
from nliprobe.templates.source import TemplateSource
from nliprobe.templates.suite import frames, render_suite

FILE = """
capability: numerical
lexicons:
  WHO: {fields: [text, gender], entries: [[Ana, f], [Bob, m], [Cleo, f], [Dan, m], [Eve, f]]}
templates:
  - id: num.more
    premise: "{WHO1} has {N1} coins. {WHO2} has {N2} coins."
    hypothesis: "{WHO1} has more coins than {WHO2}."
    draw: {N1: 2..99, N2: 2..99}
    label: "'E' if N1 > N2 else 'C'"
    because: numbers
    tags: [compare, "covers:numerical-1"]
  - id: num.some
    premise: "{WHO1} saw some of the {N} birds."
    hypothesis: "{WHO1} saw all of the {N} birds."
    draw: {N: 2..400}
    label: N
    because: some leaves it open
    second: {label: C, capability: implicature, because: some means not all}
    variation: {of: num.more, change: quite different}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "mine.yaml"
    found.write_text(FILE)
    return found


def test_order_and_workers_change_nothing(path: Path) -> None:
    templates = find_templates(str(path))

    def drawn(workers: int = 1) -> dict[str, polars.DataFrame]:
        suite = list(render_suite(templates, 200, 3, workers))
        return {item.template.id: next(iter(frames([item]))) for item in suite}

    whole = drawn()
    random.Random(1).shuffle(templates)
    for workers in (1, 4):
        again = drawn(workers)
        assert all(whole[name].equals(again[name]) for name in whole)
    [alone] = frames(render_suite([templates[0]], 200, 3))
    assert alone.equals(whole[templates[0].id])


@pytest.mark.parametrize("name", ["s.parquet", "s.jsonl", "s.csv", "s.tsv", "folder"])
def test_every_form_holds_the_same_and_is_read_as_a_corpus(name: str, path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out" / name
    found = generate(find_templates(str(path)), out, n=100)
    assert [(item.template, item.capability, item.distinct) for item in found] == [
        ("num.more", "numerical", 100), ("num.some", "numerical", 100),
    ]  # fmt: skip
    pairs = list(open_source(f"file:{out}" if out.is_file() else f"file:{out / 'data'}").pairs())
    direct = list(open_source(f"templates:{path}?n=100").pairs())
    assert [(pair.premise, pair.hypothesis, pair.gold) for pair in pairs] == [
        (pair.premise, pair.hypothesis, pair.gold) for pair in direct
    ]
    assert not list(out.parent.rglob("*.partial"))


def test_a_large_suite_becomes_shards(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.api.generate.ROWS_PER_FILE", 150)
    generate(find_templates(str(path)), tmp_path / "big.parquet", n=100)
    generate(find_templates(str(path), ["num.more"]), tmp_path / "small.parquet", n=100)
    shards = sorted((tmp_path / "big").glob("*.parquet"))
    assert [item.name for item in shards] == ["test-00000.parquet"]
    assert sum(len(polars.read_parquet(item)) for item in shards) == 200
    assert not (tmp_path / "big.parquet").exists()
    assert len(polars.read_parquet(tmp_path / "small.parquet")) == 100


def test_pairs_know_everything_that_was_drawn(path: Path) -> None:
    source = open_source(f"templates:{path}?n=50&seed=1")
    pairs = list(source.pairs())
    assert len(pairs) == 100
    first = pairs[0]
    facets = {facet.name: facet.value for facet in first.facets}
    assert facets["capability"] == "numerical"
    assert facets["template"] == first.group == "num.more"
    assert "second" not in facets
    assert {facet.value for facet in first.facets if facet.name == "tag"} == {"compare", "covers:numerical-1"}
    assert str(first.premise).startswith(f"{facets['value:WHO1']} has {facets['value:N1']} coins.")
    assert facets["gender:WHO1"] in "fm"
    last = {facet.name: facet.value for facet in pairs[-1].facets}
    assert (last["variation_of"], last["change"]) == ("num.more", "quite different")
    # A text is asked once, with the label of the first reading; the second is only a facet.
    assert (str(pairs[-1].gold), last["second"], last["second_capability"]) == ("N", "C", "implicature")
    assert len({pair.id for pair in pairs}) == 100
    assert len({(pair.premise, pair.hypothesis) for pair in pairs}) == 100


def test_parts_of_the_library_have_names_of_their_own() -> None:
    core, everything, readings, paper = (
        {one.id: one for one in find_templates(name)}
        for name in ("checklist", "checklist-all", "checklist-readings", "checklist-paper")
    )
    assert set(core) | set(readings) | set(paper) < set(everything)
    assert all(one.second is not None for one in readings.values())
    assert not set(core) & set(readings)
    assert "lexical.synonym" in paper
    pairs = list(open_source("checklist-readings?n=2").pairs())
    assert len(pairs) == 2 * len(readings)
    assert all("second" in {facet.name for facet in pair.facets} for pair in pairs)


def test_the_digest_knows_what_decides_the_examples(path: Path) -> None:
    def digest(text: str, **more: int) -> str:
        path.write_text(text)
        return TemplateSource("templates", find_templates(str(path)), **more).digest()

    base = digest(FILE)
    assert base == digest(FILE)
    assert base == digest(FILE.replace("because: numbers", "because: others")), "words for people decide nothing"
    changes = [("2..99,", "2..98,"), ("Eve, f", "Eva, f"), ("N1 > N2", "N1 >= N2"), ("more coins", "fewer coins")]
    others = [digest(FILE.replace(*change)) for change in changes] + [digest(FILE, seed=1), digest(FILE, n=5)]
    assert len({base, *others}) == 1 + len(others)


def test_bad_requests_are_sentences(path: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="There is no template file nowhere"):
        find_templates("nowhere.yaml")
    with pytest.raises(NotFoundError, match=r"no template or capability 'num.mor'. Did you mean 'num.more'"):
        find_templates(str(path), ["num.mor"])
    with pytest.raises(UsageError, match="should end in"):
        generate(find_templates(str(path)), tmp_path / "x.xlsx")
    with pytest.raises(UsageError, match="needs a file or a folder"):
        open_source("templates")
    (tmp_path / "again.yaml").write_text(FILE)
    with pytest.raises(DataError, match="another template of this name"):
        find_templates(str(tmp_path))


def test_a_line_break_in_an_example_does_not_break_a_tsv_file(path: Path, tmp_path: Path) -> None:
    path.write_text(FILE.replace("some of the {N} birds.", "some\\nof the {N} birds."))
    templates = find_templates(str(path))
    with pytest.raises(DataError, match=r"num.some/0, which has a tab or a line break: write \.csv"):
        generate(templates, tmp_path / "s.tsv", n=5)
    assert not list(tmp_path.glob("*s.tsv*"))
    generate(templates, tmp_path / "s.csv", n=5)
    assert len(list(open_source(f"file:{tmp_path / 's.csv'}").pairs())) == 10


def test_generate_verb_and_a_run_on_its_templates(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    done = nliprobe("generate", str(path), "--n", "5000", "-o", str(out))
    assert "examples of 2 templates" in done.stdout
    assert "num.some has only 1,995 distinct examples" in done.stdout
    document = nliprobe_json("generate", str(path), "--n", "10", "--only", "num.some", "-o", str(out))
    assert document["examples"] == 10
    assert document["labels"] == {"numerical": {"E": 0, "N": 10, "C": 0}}
    assert {row["second"] for row in polars.read_parquet(out).iter_rows(named=True)} == {"C"}
    run = str(tmp_path / "run")
    words = ["--on", f"templates:{path}?n=60", "--out", run, "--quiet"]
    nliprobe("run", "--system", "majority", "--train", "builtin/sentences-dev", *words)
    shown = nliprobe_json("show", run)
    assert shown["scores"][0]["n"] == 120
    assert shown["scores"][0]["groups"] == 2
    report = nliprobe_json("validate", str(path))
    assert report["errors"] == 0
    path.write_text(FILE.replace("{WHO2} has {N2}", "{WHOM} has {N2}"))
    report = json.loads(nliprobe("validate", str(path), "--format", "json", code=1).stdout)
    assert "line 7, column" in report["targets"][0]["findings"][0]["message"]
