"""Ids of answers match those of the corpus with or without prefixes; where they do not, nothing is scored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nliprobe
from nliprobe.base.errors import DataError, command_line

PAIRS = [
    {"id": str(n), "premise": f"Premise {n}.", "hypothesis": f"Hypothesis {n}.", "label": "ENC"[n % 3]}
    for n in range(40)
]  # fmt: skip


def write(path: Path, records: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A corpus of one's own, whose labels are E, N, C in turn."""
    return f"file:{write(tmp_path / 'mine.jsonl', PAIRS)}"


def answers(tmp_path: Path, name: Callable[[str], object], column: str = "id", keep: int = 40, **more: object) -> Path:
    """Answers that say E to everything."""
    return write(tmp_path / "a.jsonl", [{column: name(pair["id"]), "pred": "E", **more} for pair in PAIRS[:keep]])


@pytest.mark.parametrize("spec", ["", "?id=id", "?name=a/b", "?name=a/b/c", "?where=label:E|N|C", "?limit=40"])
@pytest.mark.parametrize("form", ["{}", "mine/{}", "dev.tsv:{}", "folder/dev.tsv:{}", "a/b/{}", " {} "])
def test_ids_of_an_own_corpus_match_with_and_without_a_prefix(
    tmp_path: Path, corpus: str, spec: str, form: str
) -> None:
    document = nliprobe.score(answers(tmp_path, form.format), corpus + spec).document
    assert (document["accuracy"], document["unmatched"], document["notes"]) == (14 / 40, 0, [])


@pytest.mark.parametrize("column", ["id", "ID", "pairID", "pair_id", "uid", "guid", "idx", "example_id", "Pair ID"])
def test_usual_names_of_ids_are_recognised_on_both_sides(tmp_path: Path, column: str) -> None:
    rows = [{column: pair["id"], **{key: pair[key] for key in ("premise", "hypothesis", "label")}} for pair in PAIRS]
    mine = write(tmp_path / "mine.jsonl", rows)
    assert nliprobe.score(answers(tmp_path, int, column), f"file:{mine}").document["unmatched"] == 0
    assert nliprobe.score(answers(tmp_path, float, column), f"file:{mine}").document["unmatched"] == 0


def test_ids_that_are_not_distinct_are_not_taken_for_ids_of_pairs(tmp_path: Path) -> None:
    rows = [{**pair, "id": "the same"} for pair in PAIRS]
    made = nliprobe.pairs(rows)
    assert len({pair.id for pair in made.pairs()}) == 40
    assert not any("the same" in pair.id for pair in made.pairs())


def test_the_column_of_ids_can_be_named(tmp_path: Path, corpus: str) -> None:
    path = answers(tmp_path, str, "row number", id="something else")
    with pytest.raises(DataError, match="answers only 0 of 40 pairs of mine"):
        nliprobe.score(path, corpus)
    assert nliprobe.score(path, corpus, id_column="row number").document["unmatched"] == 0


def test_no_match_is_an_error_with_examples_of_both_sides(tmp_path: Path, corpus: str) -> None:
    path = answers(tmp_path, "row{}".format, keep=39)
    for run in (lambda: nliprobe.score(path, corpus), lambda: nliprobe.run(f"predictions:{path}", corpus)):
        with pytest.raises(DataError) as caught:
            run()
        message = str(caught.value)
        assert "answers only 0 of 40 pairs of mine" in message
        assert "Asked for: 'mine/0', 'mine/1', 'mine/2'" in message
        assert "In the file: 'row0', 'row1', 'row2'" in message
    assert "allow_unmatched=1" in message, "a parameter of the spec"
    assert "id=COLUMN" in message
    with command_line(), pytest.raises(DataError, match=r"--id-column COLUMN.*--allow-unmatched\."):
        nliprobe.score(path, corpus)
    as_many = answers(tmp_path, "row{}".format)
    with command_line(), pytest.raises(DataError, match=r"as many answers as pairs of mine: .* add --in-order"):
        nliprobe.score(as_many, corpus)
    assert nliprobe.score(as_many, corpus, in_order=True).document["unmatched"] == 0


@pytest.mark.parametrize(("kept", "fine"), [(40, True), (38, True), (37, False), (1, False)])
def test_less_than_95_percent_must_be_allowed_and_is_said_everywhere(
    tmp_path: Path, corpus: str, kept: int, fine: bool
) -> None:
    path = answers(tmp_path, str, keep=kept)
    if not fine:
        with pytest.raises(DataError, match=f"answers only {kept} of 40 pairs of mine"):
            nliprobe.score(path, corpus)
        with pytest.raises(DataError, match=f"answers only {kept} of 40 pairs of mine"):
            nliprobe.run(f"predictions:{path}", corpus)
    document = nliprobe.score(path, corpus, allow_unmatched=True).document
    assert (document["unmatched"], document["unanswered"]) == (40 - kept, 40 - kept)
    assert any("This was allowed" in note for note in document["notes"]) is not fine
    made = nliprobe.run([f"predictions:{path}?allow_unmatched=1&name=some", "majority"], corpus, train=corpus)
    compared = nliprobe.compare(made, left="some", right="majority").document
    gated = nliprobe.gate(made, baseline=made, system="some", baseline_system="majority", margin=1.0).document
    page = made.report(tmp_path / "report.html").read_text(encoding="utf-8")
    text = made.report(tmp_path / "report.md").read_text(encoding="utf-8")
    shown = [*made.summary()["notes"].get("some", [])]
    for said in (" ".join(shown), " ".join(compared["notes"]), " ".join(gated["notes"]), page, text):
        assert (f"{40 - kept} of 40 inputs have no answer" in said) is (kept < 40)
        assert (f"Only {kept} of 40 pairs of mine are matched" in said) is not fine


def test_a_probe_that_the_file_does_not_answer_is_an_error(tmp_path: Path, corpus: str) -> None:
    path = answers(tmp_path, str)
    with pytest.raises(DataError, match=r"answers only 0 of .* cases of swap of mine"):
        nliprobe.run(f"predictions:{path}", corpus, ["gold", "swap"])
    made = nliprobe.run(f"predictions:{path}?allow_unmatched=1", corpus, ["gold", "swap"])
    assert any("cases of swap of mine are matched" in note for note in made.summary()["notes"][made.systems[0]])


def test_notes_are_the_same_when_the_run_is_made_again(tmp_path: Path, corpus: str) -> None:
    spec = f"predictions:{answers(tmp_path, str, keep=39)}"
    first, second = (nliprobe.run(spec, corpus, out=tmp_path / name).summary()["notes"] for name in ("one", "two"))
    assert first == second != {}


def test_unlabelled_pairs_need_no_answer_unless_none_is_labelled(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {**pair, "label": pair["label"] if int(pair["id"]) < 20 else "-"} for pair in PAIRS
    ]
    path = answers(tmp_path, str, keep=20)
    mine = write(tmp_path / "mine.jsonl", rows)
    nliprobe.run(f"predictions:{path}", f"file:{mine}")
    write(mine, [{**row, "label": "-"} for row in rows])
    with pytest.raises(DataError, match="answers only 20 of 40 pairs"):
        nliprobe.run(f"predictions:{path}", f"file:{mine}")


def test_ids_that_name_other_pairs_are_noticed_by_their_hypotheses(tmp_path: Path, corpus: str) -> None:
    records = [{"id": pair["id"], "premise": other["premise"], "hypothesis": other["hypothesis"], "pred": "E"}
               for pair, other in zip(PAIRS, PAIRS[::-1], strict=True)]  # fmt: skip
    path = write(tmp_path / "a.jsonl", records)
    with pytest.raises(DataError, match="the ids are those of the corpus, but 40 of 40 hypotheses are others"):
        nliprobe.score(path, corpus)
    for record, pair in zip(records, PAIRS, strict=True):
        record["hypothesis"] = f" {pair['hypothesis'].upper()}  "
    assert nliprobe.score(write(path, records), corpus).document["notes"] == []


@given(st.permutations(range(40)), st.sampled_from(["{}", "x:{}", "mine/{}"]), st.data())
def test_every_pair_gets_its_own_answer_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], form: str, data: st.DataObject
) -> None:
    given_labels = data.draw(st.lists(st.sampled_from("ENC"), min_size=40, max_size=40))
    folder = tmp_path_factory.mktemp("answers")
    mine = write(folder / "mine.jsonl", PAIRS)
    path = write(folder / "a.jsonl", [{"id": form.format(index), "pred": given_labels[index]} for index in order])
    right = sum(label == pair["label"] for label, pair in zip(given_labels, PAIRS, strict=True))
    scored = nliprobe.score(path, f"file:{mine}", answer_column="pred")
    assert scored.document["correct"] == right
