"""Labels come back: what people said is read by ``data agreement``, ``file:`` and a project that verifies again."""

from __future__ import annotations

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.people.simulated import simulate

from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora.ratings import open_ratings
from nliprobe.people.counted import ratings_of
from nliprobe.people.export.ratings import write_ratings, write_verified
from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.quality.raters import quality_of
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source


def task(name: str = "verify", partition: str = "E|N|C") -> LabelTask:
    made = TASKS.get(name)({"partition": partition})
    assert isinstance(made, LabelTask)
    return made


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def judgements(items: list[Item], *labels: str, odd: str = "") -> list[Judgement]:
    """Return what each rater says, a letter per item; a space is no judgement."""
    return [
        Judgement(items[place].name, f"r{rater}", {"label": label, "odd": odd[place : place + 1] == "o"}, float(rater))
        for rater, said in enumerate(labels)
        for place, label in enumerate(said)
        if label != " "
    ]


@pytest.mark.parametrize("seed", range(2))
def test_the_quality_of_raters_is_what_data_agreement_prints(seed: int, tmp_path: Path) -> None:
    study = simulate(seed)
    path = tmp_path / "ratings.csv"
    exported = write_ratings(path, task(), study.items, study.judgements)
    assert (exported.written, exported.left_out) == (1200, {})
    [document] = nliprobe_json("data", "agreement", exported.spec)["files"]
    quality = quality_of(task(), study.items, study.judgements)
    assert document == quality.agreement
    by_rater = {row["rater"]: row for row in document["by_rater"]}
    for report in quality.raters:
        row = by_rater[report.rater]
        assert [report.majority.right, report.majority.n] == [row["majority"]["right"], row["majority"]["n"]]
        assert [report.gold.right, report.gold.n] == [row["gold"]["right"], row["gold"]["n"]]
    text = nliprobe("data", "agreement", str(path)).stdout
    assert f"{document['fleiss_kappa']:.3f}  Fleiss' kappa" in text


def test_two_labels_are_read_in_their_partition(tmp_path: Path) -> None:
    pairs = [Pair(f"x/{n}", "p", f"h{n}", LabelSet.of(gold), "g") for n, gold in enumerate("EC")]
    two = task(partition="E|NC")
    items = list(items_of(two, pairs).items)
    said = [
        Judgement(item.name, rater, two.checked(item, {"label": label}), 0.0)
        for rater, labels in (("a", ["entailed", "not entailed"]), ("b", ["E", "neutral"]), ("c", ["C", "C"]))
        for item, label in zip(items, labels, strict=True)
    ]
    exported = write_ratings(tmp_path / "two.csv", two, items, said)
    [document] = nliprobe_json("data", "agreement", exported.spec)["files"]
    assert document["partition"] == "E|NC"
    assert document["accuracy"]["right"] == 2
    verified = write_verified(tmp_path / "two.jsonl", two, items, said)
    assert [str(pair.gold) for pair in open_source(verified.spec).pairs()] == ["E", "NC"]


letters = st.characters(categories=["L", "N", "P", "S", "Zs"])
names = st.text(letters, min_size=1, max_size=8).map(str.strip).filter(bool)
rated = st.dictionaries(st.tuples(names, names), st.sampled_from("ENC"), min_size=1, max_size=12)


@settings(max_examples=40)
@given(rated)
def test_any_names_come_back(said: dict[tuple[str, str], str]) -> None:
    pairs = [Pair(id_, "p", "h", None, "g") for id_ in dict.fromkeys(id_ for id_, _ in said)]
    items = {item.hidden["pair_id"]: item for item in items_of(task(), pairs).items}
    judged = [
        Judgement(items[id_].name, rater, {"label": label}, float(place))
        for place, ((id_, rater), label) in enumerate(said.items())
    ]
    with TemporaryDirectory() as folder:
        exported = write_ratings(Path(folder) / "ratings.csv", task(), list(items.values()), judged)
        [read] = open_ratings(exported.spec)
    assert read == ratings_of(task(), list(items.values()), judged, "ratings")


HOSTILE = ["=1+1", "+a", "-b", "@c", '"quoted", and\nbroken', "'tis", "\u2028x", "plain"]


def test_hostile_names_and_remarks_run_nowhere_and_come_back(tmp_path: Path) -> None:
    pairs = [Pair(text, text, text, LabelSet.of("E"), text) for text in HOSTILE]
    items = list(items_of(task(), pairs).items)
    said = [
        Judgement(item.name, f"={text}", {"label": "E"}, 0.0, remark=text)
        for item, text in zip(items, HOSTILE, strict=True)
    ]
    exported = write_ratings(tmp_path / "ratings.csv", task(), items, said)
    cells = [cell for row in rows(tmp_path / "ratings.csv") for cell in row.values()]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@")]
    [document] = nliprobe_json("data", "agreement", exported.spec)["files"]
    assert sorted(row["rater"] for row in document["by_rater"]) == sorted(f"={text}".strip() for text in HOSTILE)
    verified = write_verified(tmp_path / "verified.jsonl", task(), items, said)
    assert [pair.hypothesis for pair in open_source(verified.spec).pairs()] == HOSTILE


def test_a_corpus_has_the_labels_of_the_majority(tmp_path: Path) -> None:
    pairs = list(open_source("builtin/tables-dev").pairs())[:6]
    judge = task("judge")
    items = list(items_of(judge, pairs, attention=[pairs[5].id]).items)
    said = judgements(items, "EENNNE", "EECNCE", "ECEN E", odd="    oo")
    # Attention items are in no export.
    exported = write_verified(tmp_path / "verified.jsonl", judge, items, said)
    read = list(open_source(exported.spec).pairs())
    assert [str(pair.gold) for pair in read] == ["E", "E", "N"]
    assert [pair.id for pair in read] == [f"verified/{pair.id}" for pair in (pairs[0], pairs[1], pairs[3])]
    assert [pair.premise for pair in read] == [pair.premise for pair in (pairs[0], pairs[1], pairs[3])]
    assert [pair.group for pair in read] == [pair.group for pair in (pairs[0], pairs[1], pairs[3])]
    facets = dict(read[1].facets)
    assert (facets["author_label"], facets["votes"], facets["raters"]) == (str(pairs[1].gold), "2", "3")
    assert exported.left_out == {"no majority": 2}
    strict = write_verified(tmp_path / "strict.jsonl", judge, items, said, at_least=3)
    assert strict.left_out == {"no majority": 3}
    assert len(rows(write_ratings(tmp_path / "r.csv", judge, items, said).path)) == 14


def test_examples_that_most_call_odd_are_left_out(tmp_path: Path) -> None:
    pairs = list(open_source("builtin/sentences-dev").pairs())[:2]
    judge = task("judge")
    items = list(items_of(judge, pairs).items)
    said = judgements(items, "EE", "EE", "EE", odd=" o")
    exported = write_verified(tmp_path / "verified.jsonl", judge, items, said)
    assert (exported.written, exported.left_out) == (1, {"most raters call it odd": 1})
    write_ratings(tmp_path / "ratings.csv", judge, items, said)
    assert [row["odd"] for row in rows(tmp_path / "ratings.csv")] == ["", "", "", "1", "1", "1"]


def test_ids_of_a_platform_are_written_only_if_they_are_asked_for(tmp_path: Path) -> None:
    study = simulate(0)
    write_ratings(tmp_path / "a.csv", task(), study.items, study.judgements[:20])
    assert "external" not in rows(tmp_path / "a.csv")[0]
    write_ratings(tmp_path / "b.csv", task(), study.items, study.judgements[:20], externals={"r03": "A1XYZ"})
    assert {(row["rater"], row["external"]) for row in rows(tmp_path / "b.csv")} >= {("r03", "A1XYZ")}
    assert len(ratings_of(task(), study.items, study.judgements[:20], "x").items) == 4


def test_nothing_to_write_and_wrong_endings_are_sentences(tmp_path: Path) -> None:
    study = simulate(0)
    with pytest.raises(DataError, match="no judgement counts yet"):
        write_ratings(tmp_path / "a.csv", task(), study.items, [])
    with pytest.raises(UsageError, match=r"should end in \.csv"):
        write_ratings(tmp_path / "a.txt", task(), study.items, study.judgements)
    with pytest.raises(UsageError, match=r"should end in \.jsonl"):
        write_verified(tmp_path / "a.csv", task(), study.items, study.judgements)
    assert list(tmp_path.iterdir()) == []
