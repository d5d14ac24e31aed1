"""Evidence that is attached to a corpus: people's marks and edits, rankings, shared words, files."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from pathlib import Path

import pytest

from nliprobe.base.errors import DataError, NliprobeError, NotFoundError, UsageError
from nliprobe.corpora.held import HeldPairs
from nliprobe.corpora.infotabs import SAMPLE_TABLES
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, Coverage, Evidenced, attach_evidence
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

FILM = Table("Up", (Row("Directed by", ("Pete Docter",)), Row("Year", ("2009",)), Row("Length", ("96 minutes",))))
PAIRS = [
    Pair("own/1", FILM, "Up was directed by Docter.", group="T1"),
    Pair("own/2", FILM, "Up was made before 2010.", group="T1"),
    Pair("own/3", "It rained. We left.", "We left home.", group="x", sentences=((0, 10), (11, 19))),
    Pair("own/4", "A text.", "A text.", group="y"),
]


def _evidenced(name: str, data: Path) -> Evidenced:
    try:
        source = open_source(name, data)
    except NotFoundError as error:
        pytest.skip(str(error))
    assert isinstance(source, Evidenced)
    return source


def _attached(text: str) -> dict[str, Evidence | None]:
    return {pair.id: pair.evidence for pair in attach_evidence(HeldPairs.of_pairs("own", PAIRS), text, []).pairs()}


@pytest.mark.parametrize(
    ("name", "pairs", "known", "units", "unmatched", "dropped"),
    [
        ("infotabs/alpha1?evidence=edit", 1800, 1127, 1307, 0, {}),
        (
            "infotabs/train?evidence=edit", 16538, 1108, 1255, 0,
            {"the counterfactual table equals its original": 1},
        ),
        ("infotabs/train-sample?evidence=gold", 140, 140, 166, 0, {}),
        ("infotabs/alpha1?evidence=lexical", 1800, 1354, 2247, 0, {}),
        (
            "infotabs/alpha1?evidence=ranking-4", 1800, 963, 3019, 0,
            {
                "the ranking numbers other rows than the table has": 288,
                "no set of the ranking holds the whole table, so its row numbers cannot be verified": 549,
            },
        ),
    ],
)  # fmt: skip
def test_released_evidence_covers_what_it_should(
    data: Path, name: str, pairs: int, known: int, units: int, unmatched: int, dropped: dict[str, int]
) -> None:
    assert _evidenced(name, data).coverage() == Coverage(pairs, known, units, unmatched, dropped)


@pytest.mark.parametrize(("split", "share"), [("dev", 0.771), ("alpha1", 0.770), ("alpha2", 0.730), ("alpha3", 0.973)])
def test_most_rankings_that_can_be_checked_number_the_rows_of_the_tables(data: Path, split: str, share: float) -> None:
    coverage = _evidenced(f"infotabs/{split}?evidence=ranking-4", data).coverage()
    other = coverage.dropped["the ranking numbers other rows than the table has"]
    assert round(coverage.with_evidence / (coverage.with_evidence + other), 3) == share


def test_rankings_are_nested(data: Path) -> None:
    sets = [
        [pair.evidence for pair in _evidenced(f"infotabs/alpha1?evidence=ranking-{k}", data).pairs()]
        for k in (4, 6, 8, 12)
    ]
    for smaller, larger in pairwise(sets):
        for one, other in zip(smaller, larger, strict=True):
            assert (one is None) == (other is None)
            assert one is None or other is None or set(one.units) <= set(other.units)


def test_edit_evidence_is_gold_where_there_are_both(data: Path) -> None:
    gold = {pair.id: pair.evidence for pair in _evidenced("infotabs/train-sample?evidence=gold", data).pairs()}
    edits = {pair.id: pair.evidence for pair in _evidenced("infotabs/train-sample?evidence=edit", data).pairs()}
    both = [(gold[name], edit) for name, edit in edits.items() if edit is not None]
    # One of the 16 is written with the quoting of CSV in the counterfactual file: without reading that, 14 of 15 agree.
    assert (len(both), sum(one is not None and one.units == other.units for one, other in both)) == (16, 15)
    assert {other.grade for _, other in both} == {Grade.EDIT}


def test_the_sample_is_all_pairs_of_its_tables(data: Path) -> None:
    pairs = list(_evidenced("infotabs/train-sample?evidence=gold", data).pairs())
    assert {pair.group for pair in pairs} == SAMPLE_TABLES
    assert sum(pair.evidence is not None and not pair.evidence.units for pair in pairs) == 18
    judged = [pair for pair in pairs if pair.evidence is not None and pair.evidence.units and str(pair.gold) in "EC"]
    assert len(judged) == 77
    rest = {pair.group for pair in open_source("infotabs/train-without-sample", data).pairs()}
    assert not rest & SAMPLE_TABLES
    # The number of a pair is its row in train, in every split.
    whole = {pair.id: pair.hypothesis for pair in open_source("infotabs/train", data).pairs()}
    assert all(whole[pair.id.replace("train-sample", "train")] == pair.hypothesis for pair in pairs)


def test_names_can_be_read_back_and_combined_with_other_parameters(data: Path) -> None:
    source = open_source("infotabs/alpha1?evidence=lexical-1&where=label:E&limit=5", data)
    assert source.name == "infotabs/alpha1?evidence=lexical-1&where=label:E&limit=5"
    assert open_source(source.name, data).digest() == source.digest()
    assert all(pair.id.startswith("infotabs/alpha1/") for pair in source.pairs())
    plain = open_source("infotabs/alpha1?where=label:E&limit=5", data)
    assert plain.digest() != source.digest()
    assert [pair.id for pair in plain.pairs()] == [pair.id for pair in source.pairs()]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("infotabs/dev?evidence=edit", NotFoundError, "no counterfactual tables of infotabs/dev"),
        ("infotabs/train?evidence=ranking-4", NotFoundError, "no ranking of the rows of infotabs/train"),
        ("infotabs/dev?evidence=ranking-5", UsageError, "sets of 4, 6, 8 and 12 rows, not of '5'"),
        ("infotabs/dev?evidence=lexical-0", UsageError, "for example lexical-2"),
        ("infotabs/dev?evidence=silver", NotFoundError, "There is no evidence named 'silver'"),
        ("infotabs/dev?evidence=edit:x", UsageError, "takes no argument"),
        ("infotabs/dev?evidence=lexical%3Fn=2", UsageError, "has no parameter 'n'"),
        ("infotabs/dev?evidence=file", UsageError, "write evidence=file:PATH"),
        ("infotabs/dev?evidence=gold", DataError, "no pair has evidence"),
        ("snli/dev?evidence=lexical", DataError, "neither rows nor sentences that its corpus gives"),
    ],
)
def test_evidence_that_cannot_be_had_says_why(data: Path, text: str, kind: type[NliprobeError], message: str) -> None:
    with pytest.raises(kind, match=message.replace("(", r"\(")):
        list(open_source(text, data).pairs())


def test_every_kind_of_evidence_is_registered() -> None:
    assert EVIDENCE.names() == ["edit", "file", "gold", "lexical", "lexical-k", "ranking-k"]


def test_shared_words_need_no_case_endings_or_title() -> None:
    assert _attached("lexical") == {
        "own/1": Evidence((0,), Grade.SILVER),
        "own/2": None,  # 2010 is not 2009, and "Up" is the title
        "own/3": Evidence((1,), Grade.SILVER),
        "own/4": None,  # its corpus gives no sentences
    }


def test_the_nearest_rows_are_those_with_rare_words() -> None:
    table = Table("Up", (Row("Cast", ("film film actor",)), Row("Crew", ("film editor",)), Row("Genre", ("film",))))
    pairs = [Pair("own/1", table, "The film has an editor.")]
    sources = {k: attach_evidence(HeldPairs.of_pairs("own", pairs), f"lexical-{k}", []) for k in (1, 2, 3)}
    units = {
        k: evidence.units for k, source in sources.items() for pair in source.pairs() if (evidence := pair.evidence)
    }
    assert units == {1: (1,), 2: (0, 1), 3: (0, 1, 2)}
    assert len({source.digest() for source in sources.values()}) == 3


def test_evidence_of_the_corpus_itself_is_replaced() -> None:
    own = [
        Pair("own/1", FILM, "The year was good.", evidence=Evidence((0,))),
        Pair("own/2", FILM, "Yes?", evidence=Evidence((0,))),
    ]
    source = attach_evidence(HeldPairs.of_pairs("own", own), "lexical", [])
    assert [pair.evidence for pair in source.pairs()] == [Evidence((1,), Grade.SILVER), None]


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("naming", "value"), [("from0", [0, 2]), ("from1", "1; 3"), ("keys", ["Directed by", "Length"]), ("marks", "1011")]
)
def test_a_file_of_evidence_names_rows_as_it_says(tmp_path: Path, naming: str, value: object) -> None:
    line = {"table_id": "T1", "hypothesis": PAIRS[0].hypothesis, "evidence": value, "units": naming, "grade": "edit"}
    found = _attached(f"file:{_write(tmp_path / 'e.jsonl', [line])}")
    assert found["own/1"] == Evidence((0, 2), Grade.EDIT, outside=naming == "marks")
    assert found["own/2"] is None


def test_a_file_of_evidence_may_name_pairs_and_leave_some_open(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"pair_id": "own/1", "evidence": [], "outside": 1},
        {"pair_id": "own/2", "evidence": None, "outside": 0},
        {"pair_id": "own/3", "evidence": [2], "outside": "no"},
        {"pair_id": "own/9", "evidence": [1], "outside": "no"},
    ]
    path = _write(tmp_path / "e.jsonl", rows)
    source = attach_evidence(HeldPairs.of_pairs("own", PAIRS), f"file:{path}?units=from1&grade=silver", [])
    evidence = {pair.id: pair.evidence for pair in source.pairs()}
    assert evidence["own/1"] == Evidence((), Grade.SILVER, outside=True)
    assert evidence["own/2"] is None
    assert evidence["own/3"] == Evidence((1,), Grade.SILVER)
    assert source.coverage().unmatched == 1
    assert source.name == f"own?evidence=file:{path}%3Funits=from1%26grade=silver"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"evidence": [3]}], "names row 3, but the premise has 3 rows, numbered 0 to 2"),
        ([{"evidence": [0], "units": "from1"}], "names row 0, but the premise has 3 rows, numbered 1 to 3"),
        ([{"evidence": "Budget", "units": "keys"}], "names the row 'Budget', which the table 'Up' does not have"),
        ([{"evidence": "011", "units": "marks"}], "have 3 characters, but the premise has 3 rows: expected 4"),
        ([{"evidence": "0121", "units": "marks"}], "should hold marks such as 0100"),
        ([{"evidence": [1, 1]}], "names a row twice"),
        ([{"evidence": [True]}], "should hold numbers of rows"),
        ([{"evidence": [1], "units": ""}], "'units' is not declared"),
        ([{"evidence": [1], "units": "rows"}], "'units' cannot be 'rows'"),
        ([{"evidence": [1], "grade": ""}], "'grade' is not declared"),
        ([{"evidence": [1]}, {"evidence": [1], "grade": "edit", "hypothesis": "x"}], "grades are not mixed"),
        ([{"evidence": [1]}] * 2, "line 2: the pair has its evidence already in"),
        ([{"evidence": [1], "outside": "perhaps"}], "should hold 0 or 1, not 'perhaps'"),
    ],
)
def test_a_wrong_file_of_evidence_says_where(tmp_path: Path, rows: list[dict[str, object]], message: str) -> None:
    line = {"table_id": "T1", "hypothesis": PAIRS[0].hypothesis, "units": "from0", "grade": "gold"}
    filled: list[dict[str, object]] = [{**line, **row} for row in rows]
    path = _write(tmp_path / "e.jsonl", filled)
    with pytest.raises(DataError, match=message) as error:
        _attached(f"file:{path}")
    assert "e.jsonl, line" in str(error.value)


def test_a_plain_path_is_asked_for_as_a_file(tmp_path: Path) -> None:
    path = _write(tmp_path / "e.jsonl", [{"evidence": 1}])
    with pytest.raises(UsageError, match="write evidence=file:"):
        _attached(str(path))


TABLE = json.dumps({"title": "Up", "Directed by": ["Pete Docter"], "Year": ["2009"], "Length": ["96 minutes"]})


def _csv(path: Path, header: list[str], *rows: list[str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def test_a_column_of_evidence_is_declared(tmp_path: Path) -> None:
    path = _csv(
        tmp_path / "own.csv",
        ["premise", "hypothesis", "label", "evidence", "oot"],
        [TABLE, "Docter directed it.", "E", "Directed by", "0"],
        [TABLE, "It made money.", "N", "[]", "1"],
        [TABLE, "It is long.", "N", "", ""],
    )
    spec = f"file:{path}?evidence=evidence&units=keys&grade=gold&outside=oot"
    assert [pair.evidence for pair in open_source(spec).pairs()] == [Evidence((0,)), Evidence((), outside=True), None]
    assert open_source(spec).digest() != open_source(f"file:{path}").digest()
    attached = open_source(f"file:{path}?evidence=lexical")
    assert [pair.evidence for pair in attached.pairs()] == [Evidence((0,), Grade.SILVER), None, None]


@pytest.mark.parametrize(
    ("parameters", "kind", "message"),
    [
        ("evidence=evidence", UsageError, "units is not declared"),
        ("evidence=evidence&units=keys", UsageError, "grade is not declared"),
        ("evidence=evidence&units=rows&grade=gold", UsageError, "units=rows is unknown"),
        ("evidence=evidence&units=keys&grade=good", UsageError, "grade=good is unknown"),
        ("units=keys", UsageError, "units=keys is about evidence: add evidence=COLUMN"),
        ("evidence=rows&units=keys&grade=gold", DataError, "there is no column 'rows'"),
        ("evidence=evidence&units=from0&grade=gold", DataError, "line 2: column 'evidence' should hold numbers"),
        ("evidence=gold", UsageError, "'gold' is a column of .* and also the name of evidence"),
        ("evidence=column:gold", UsageError, "units is not declared"),
    ],
)
def test_a_column_of_evidence_is_never_guessed(
    tmp_path: Path, parameters: str, kind: type[NliprobeError], message: str
) -> None:
    header = ["premise", "hypothesis", "label", "evidence", "gold"]
    path = _csv(tmp_path / "own.csv", header, [TABLE, "Docter directed it.", "E", "Directed by", "E"])
    with pytest.raises(kind, match=message):
        list(open_source(f"file:{path}?label=label&{parameters}").pairs())


def test_a_column_called_evidence_may_be_the_premise_and_is_named(tmp_path: Path) -> None:
    from nliprobe.corpora.notices import source_notices

    path = _csv(tmp_path / "own.csv", ["evidence", "claim", "label"], ["It rained.", "It was wet.", "E"])
    source = open_source(f"file:{path}")
    assert [pair.premise for pair in source.pairs()] == ["It rained."]
    assert any("Column 'evidence' is taken for the premise." in notice for notice in source_notices(source))
    assert not any("taken for" in notice for notice in source_notices(open_source(f"file:{path}?premise=evidence")))


def test_a_list_of_sentences_is_a_premise_whose_sentences_can_be_named(tmp_path: Path) -> None:
    rows = [{"context": ["It rained.", " We left. "], "claim": "We left.", "label": "E", "needed": [2]}]
    path = _write(tmp_path / "own.jsonl", [dict(row) for row in rows])
    [pair] = open_source(f"file:{path}?sentences=context&evidence=needed&units=from1&grade=gold").pairs()
    assert (pair.premise, pair.sentences, pair.evidence) == ("It rained. We left.", ((0, 10), (11, 19)), Evidence((1,)))
    with pytest.raises(DataError, match="neither a table nor a list of sentences"):
        list(open_source(f"file:{path}?premise=label&label=none&evidence=needed&units=from1&grade=gold").pairs())
    with pytest.raises(DataError, match="should hold a list of sentences"):
        list(open_source(f"file:{path}?sentences=claim").pairs())


def test_a_frame_may_have_a_column_of_evidence() -> None:
    from nliprobe.api.pairs import pairs

    rows = [{"premise": FILM, "hypothesis": "Docter directed it.", "label": "E", "needed": ["Directed by"]}]
    [pair] = pairs(rows, evidence="needed", units="keys", grade="edit").pairs()
    assert pair.evidence == Evidence((0,), Grade.EDIT)
    with pytest.raises(UsageError, match="grade is not declared"):
        pairs(rows, evidence="needed", units="keys")


KEYS = ["Directed by", "Year", "Length"]


@pytest.mark.parametrize(
    ("keys", "marks", "message"),
    [
        (None, ["10"], "the marks are about 1 rows, but the premise of own/1 has 3"),
        (["Directed by", "Year", "Budget"], ["1000"], "the table of own/1 has no row 'Budget', unlike the one"),
        (["Year", "Directed by", "Length"], ["1000"], "the table of own/1 has its rows in another order"),
    ],
)
def test_marks_of_another_table_are_refused(
    tmp_path: Path, keys: list[str] | None, marks: list[str], message: str
) -> None:
    line: dict[str, object] = {"table_id": "T1", "hypothesis": PAIRS[0].hypothesis, "raters": ["ann"], "marks": marks}
    path = _write(tmp_path / "m.jsonl", [line | ({"rows": keys} if keys else {})])
    with pytest.raises(DataError, match=f"m.jsonl, line 1: {message}"):
        _attached(f"file:{path}")


def test_marks_can_be_attached_as_they_are(tmp_path: Path) -> None:
    raters = ["ann", "bob", "cid", "dan"]
    rows: list[dict[str, object]] = [
        {"pair_id": "own/1", "raters": raters, "marks": ["1001", "1001", "1001", "0000"], "rows": [*KEYS, "none"]},
        {"pair_id": "own/2", "raters": raters, "marks": ["0100", "0100", "0010", "0010"], "rows": KEYS},
    ]
    path = _write(tmp_path / "m.jsonl", rows)
    source = attach_evidence(HeldPairs.of_pairs("own", PAIRS), f"file:{path}", [])
    assert [pair.evidence for pair in source.pairs()] == [Evidence((0,), outside=True), None, None, None]
    assert source.coverage().dropped == {"half of the raters marked a row and half did not": 1}
    with pytest.raises(UsageError, match="holds raters' marks, which are gold, not silver"):
        _attached(f"file:{path}?grade=silver")
