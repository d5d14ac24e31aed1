from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.corpora.files import write_rows

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.corpora.check import check_corpus
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.units import Sentences

SUPPORTS, REFUTES, OPEN = "SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"
TEXTS = ["Ice melts.", '"Seas rise".', "It is warm", "It is warm.", "No."]


def sentence(text: str, label: str, votes: list[str | None] | None = None) -> dict[str, object]:
    given: list[str | None] = [label, label, None, None, None] if votes is None else votes
    shown = {"evidence_id": f"Ice:{len(text)}", "evidence_label": label, "article": f"About {text[:3]}"}
    return {**shown, "evidence": text, "entropy": 0.0, "votes": given}


def claim(name: str, label: str, labels: list[str]) -> dict[str, object]:
    evidences = [sentence(text, each) for text, each in zip(TEXTS, labels, strict=True)]
    return {"claim_id": name, "claim": f"Claim {name}.", "claim_label": label, "evidences": evidences}


ROWS = [
    claim("0", SUPPORTS, [OPEN, SUPPORTS, OPEN, SUPPORTS, OPEN]),
    claim("5", REFUTES, [REFUTES, OPEN, OPEN, OPEN, OPEN]),
    claim("6", OPEN, [OPEN] * 5),
    claim("9", "DISPUTED", [SUPPORTS, REFUTES, OPEN, OPEN, OPEN]),
]


def read(root: Path, split: str, rows: list[dict[str, object]] | None = None) -> list[Pair]:
    write_rows(root / "climate_fever" / "climate-fever.jsonl", ROWS if rows is None else rows)
    return list(open_source(f"climate-fever/{split}", root).pairs())


def test_a_claim_and_its_five_sentences_are_one_pair(tmp_path: Path) -> None:
    pairs = read(tmp_path, "claims")
    assert [pair.id for pair in pairs] == [f"climate-fever/claims/{name}" for name in ("0", "5", "6", "9")]
    assert [None if pair.gold is None else str(pair.gold) for pair in pairs] == ["E", "C", "N", None]
    assert [pair.group for pair in pairs] == ["0", "5", "6", "9"]
    assert pairs[0].premise == 'Ice melts. "Seas rise". It is warm It is warm. No.'
    assert isinstance(pairs[0].premise, str)
    assert list(Sentences(pairs[0].premise, pairs[0].sentences).parts) == TEXTS


def test_evidence_is_the_sentences_with_the_label_of_the_claim(tmp_path: Path) -> None:
    evidence = [pair.evidence for pair in read(tmp_path, "claims")]
    gold = [Evidence(units, Grade.GOLD, alone=True) for units in ((1, 3), (0,))]
    assert evidence == [*gold, None, None]


def test_each_sentence_can_be_a_pair(tmp_path: Path) -> None:
    pairs = read(tmp_path, "sentences")
    assert len(pairs) == 20
    assert [str(pair.gold) for pair in pairs[:5]] == ["N", "E", "N", "E", "N"]
    assert [str(pair.gold) for pair in pairs[15:]] == ["E", "C", "N", "N", "N"]
    assert [(pair.premise, pair.group) for pair in pairs[5:10]] == [(text, "5") for text in TEXTS]
    assert pairs[5].id == "climate-fever/sentences/5/0"
    assert all(pair.evidence is None and not pair.sentences for pair in pairs)


def test_facets_say_how_far_people_agreed(tmp_path: Path) -> None:
    row = claim("0", SUPPORTS, [OPEN, SUPPORTS, OPEN, OPEN, OPEN])
    row["evidences"] = [
        sentence(TEXTS[0], OPEN, [SUPPORTS, REFUTES, None, None, None]),
        sentence(TEXTS[1], SUPPORTS, [SUPPORTS, SUPPORTS, OPEN, None, None]),
        *[sentence(text, OPEN) for text in TEXTS[2:]],
    ]
    votes = [
        facet.value for pair in read(tmp_path, "sentences", [row]) for facet in pair.facets if facet.name == "votes"
    ]
    assert votes == ["tie", "majority", "unanimous", "unanimous", "unanimous"]
    (whole,) = read(tmp_path, "claims", [row])
    articles = [Facet("article", name) for name in ("About Ice", 'About "Se', "About It ", "About No.")]
    assert whole.facets == (Facet("claim_label", SUPPORTS), Facet("votes", "tie"), *articles)


@pytest.mark.parametrize("name", ["data/test-00000-of-00001.parquet", "default/test-00000-of-00001.parquet"])
def test_the_copy_on_the_hub_holds_codes(tmp_path: Path, name: str) -> None:
    codes = {SUPPORTS: 0, REFUTES: 1, OPEN: 2, "DISPUTED": 3}
    rows = json.loads(json.dumps(ROWS))
    for row in rows:
        row["claim_label"] = codes[row["claim_label"]]
        for item in row["evidences"]:
            item["evidence_label"] = codes[item["evidence_label"]]
    write_rows(tmp_path / "climate_fever" / name, rows)
    for split in ("claims", "sentences"):
        copied = list(open_source(f"climate-fever/{split}", tmp_path).pairs())
        assert copied == read(tmp_path / "official", split)


def _without(row: dict[str, object], place: int, key: str) -> dict[str, object]:
    changed: dict[str, object] = json.loads(json.dumps(row))
    evidences = changed["evidences"]
    assert isinstance(evidences, list)
    del evidences[place][key]
    return changed


BAD = {
    "field": ({key: value for key, value in ROWS[1].items() if key != "claim"}, "line 2.*'claim'"),
    "inner field": (
        _without(ROWS[1], 2, "evidence_label"),
        "line 2, sentence 3: the field 'evidence_label'",
    ),
    "label": ({**ROWS[1], "claim_label": "SUPPORTED"}, "line 2, the claim's label is 'SUPPORTED'. Did you mean"),
    "code": ({**ROWS[1], "claim_label": 4}, "line 2, the claim's label is 4"),
    "four": ({**ROWS[1], "evidences": [sentence("a.", OPEN)] * 4}, "line 2: 'evidences' .* 5 sentences, and is 4 of"),
    "text": ({**ROWS[1], "evidences": "a."}, "line 2: 'evidences' .* and is no list"),
    "item": ({**ROWS[1], "evidences": ["a."] * 5}, "line 2, sentence 1: expected an object"),
    "empty": ({**ROWS[1], "evidences": [sentence(" ", OPEN)] * 5}, "line 2, sentence 1: the text is empty"),
    "claim": ({**ROWS[1], "claim": " "}, "line 2: the claim in column 'claim' is empty"),
    "no id": ({**ROWS[1], "claim_id": None}, "line 2: the claim id is empty"),
    "id twice": ({**ROWS[1], "claim_id": "0"}, "line 2: the claim id '0' is already that of .*line 1"),
    "label of none": ({**ROWS[1], "claim_label": SUPPORTS}, "line 2: .* is SUPPORTS, but .* make it REFUTES"),
    "disputed": (claim("5", OPEN, [SUPPORTS, REFUTES, OPEN, OPEN, OPEN]), "make it DISPUTED"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_with_its_place(tmp_path: Path, name: str) -> None:
    row, message = BAD[name]
    with pytest.raises(DataError, match=message):
        read(tmp_path, "claims", [ROWS[0], row])


def test_missing_claims_are_a_problem_of_the_check(tmp_path: Path) -> None:
    read(tmp_path, "claims")
    problems = check_corpus(open_source("climate-fever/claims", tmp_path)).problems
    assert problems == (
        "climate-fever/claims has 4 pairs where 1,535 are expected.",
        "climate-fever/claims has 1 pairs without a label where 154 are expected.",
    )


def test_the_real_claims_have_the_evidence_that_they_should(data: Path) -> None:
    try:
        pairs = list(open_source("climate-fever/claims", data).pairs())
    except NotFoundError as error:
        pytest.skip(str(error))
    evidence = [pair.evidence for pair in pairs if pair.evidence is not None]
    assert len(evidence) == 907
    assert sum(len(each.units) > 1 for each in evidence) == 636
    assert sum(len(each.units) == 5 for each in evidence) == 92
    assert all(pair.gold is not None and str(pair.gold) in "EC" for pair in pairs if pair.evidence is not None)
    for pair in pairs:
        assert isinstance(pair.premise, str)
        sentences = Sentences(pair.premise, pair.sentences)
        assert len(sentences) == 5
        assert " ".join(sentences.parts) == pair.premise
