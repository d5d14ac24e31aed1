"""``data agreement`` as users call it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.corpora.files import write

from nliprobe.base.errors import NotFoundError
from nliprobe.task.sources import open_source

CSV = """pair_id,worker,answer,truth
1,ann,E,E
1,bob,E,E
1,eve,N,E
2,ann,C,C
2,bob,C,C
2,bob,E,C
3,ann,N,
3,eve,C,
"""
COLUMNS = "?item=pair_id&rater=worker&label=answer&gold=truth"


def test_agreement_of_an_own_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(CSV)
    said = nliprobe("data", "agreement", f"r.csv{COLUMNS}", cwd=tmp_path).stdout
    for line in (
        "3 items, 7 ratings by 3 raters, labels E|N|C",
        " 66.67%  have a majority (more than half)",
        "100.00%  human accuracy",
        "2 raters agree on 2 items, 2 of 2 match gold",
        "no majority on 1 item",
        "note: 2 items with fewer than 3 ratings.",
        "note: 1 rating left out because the same rater had rated the item before.",
    ):
        assert line in said
    document = nliprobe_json("data", "agreement", f"r.csv{COLUMNS}", "--majority", "1", "--seed", "5", cwd=tmp_path)
    validate("agreement", document)
    assert document["files"][0]["ties"] == {"items": 1, "drawn": 1}


def test_agreement_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(CSV.replace("3,eve,C", "3,eve,perhaps"))
    done = nliprobe("data", "agreement", f"r.csv{COLUMNS}", cwd=tmp_path, code=1)
    assert done.stderr.startswith("nliprobe: r.csv, line 9: unknown label 'perhaps'")
    assert done.stderr.count("\n") == 1
    (tmp_path / "r.csv").write_text(CSV)
    done = nliprobe("data", "agreement", f"r.csv{COLUMNS}", "--raters", "2", "--majority", "3", cwd=tmp_path, code=2)
    assert "No majority can have 3 votes" in done.stderr


def test_agreement_of_a_corpus(data: Path) -> None:
    document = nliprobe_json("data", "agreement", "infotabs", "--from", str(data))
    validate("agreement", document)
    assert [entry["name"] for entry in document["files"]] == [
        f"infotabs/{split}" for split in ("dev", "alpha1", "alpha2", "alpha3")
    ]
    whole = nliprobe("data", "agreement", "infotabs/dev", "--from", str(data), "--raters", "10", "--majority", "3")
    assert "ratings beyond" not in whole.stdout


MARKS = "table_id,hypothesis,rater,marks\n" + "".join(
    f"T{table},h{number},{rater},{bits}\n"
    for table in range(6)
    for number in range(2)
    for rater, bits in (("ann", "100"), ("bob", "100"), ("cid", "110" if table else "100"), ("dan", "011"))
)


def test_agreement_on_marks_of_rows(tmp_path: Path) -> None:
    write(tmp_path / "m.csv", MARKS)
    said = nliprobe(
        "data", "agreement", "m.csv", "--drop-below", "0.5", "--export", "e.csv", "--to-mark", "again.csv", cwd=tmp_path
    ).stdout
    assert "12 pairs of 6 tables, 48 ratings by 4 raters (raters per pair: 4: 12)" in said
    assert "tied: 10 pairs" in said
    assert "left out: dan (0.000); 12 marks with them" in said
    assert "12 pairs are decided, 0 need new marks" in said
    assert (tmp_path / "e.csv").read_text(encoding="utf-8").count("gold") == 12
    assert (tmp_path / "again.csv").read_text(encoding="utf-8").splitlines() == ["ratings,reason"]
    document = nliprobe_json("data", "agreement", "m.csv", "--rows-only", "--least", "5", cwd=tmp_path)
    validate("marks", document)
    assert (document["after"], document["settled"], len(document["to_mark"])) == (None, 0, 12)
    validate("marks", nliprobe_json("data", "agreement", "m.csv", "--drop-below", "0.5", cwd=tmp_path))


def test_batches_of_marks_are_put_together(tmp_path: Path) -> None:
    write(tmp_path / "one.csv", "pair_id,rater,marks\np,ann,100\np,bob,100\n")
    write(tmp_path / "two.csv", "pair_id,rater,marks\np,cid,010\nq,cid,010\n")
    document = nliprobe_json("data", "agreement", "one.csv", "two.csv", cwd=tmp_path)
    assert document["files"] == ["one", "two"]
    assert document["before"]["ratings_per_pair"] == {"1": 1, "3": 1}
    done = nliprobe("data", "agreement", "one.csv", "one.csv", cwd=tmp_path, code=1)
    assert "the rater 'ann' has marked 'p' before, in one.csv, line 2" in done.stderr


def test_marks_and_ratings_have_their_own_options(tmp_path: Path) -> None:
    write(tmp_path / "m.csv", MARKS)
    write(tmp_path / "r.csv", "item,rater,label\n1,ann,E\n1,bob,E\n")
    done = nliprobe("data", "agreement", "m.csv", "--raters", "2", cwd=tmp_path, code=2)
    assert "for ratings of labels" in done.stderr
    done = nliprobe("data", "agreement", "r.csv", "--export", "e.csv", cwd=tmp_path, code=2)
    assert "is for marks of rows" in done.stderr
    assert "one after the other" in nliprobe("data", "agreement", "m.csv", "r.csv", cwd=tmp_path, code=2).stderr
    done = nliprobe("data", "agreement", "m.csv", "--export", "e.xlsx", cwd=tmp_path, code=2)
    assert "should end in .csv or .jsonl" in done.stderr


def test_agreement_on_the_released_marks(data: Path) -> None:
    if not (data / "evidence-probes" / "evidence_sample.csv").is_file():
        pytest.skip("the released sample is not here")
    document = nliprobe_json("data", "agreement", "infotabs/train-sample", "--from", str(data))
    validate("marks", document)
    assert document["released"] == {"given": 140, "equal": 140, "different": []}
    assert document["ties"] == []
    assert (document["settled"], document["to_mark"]) == (140, [])


def test_evidence_of_corpora_is_described(data: Path) -> None:
    names = ["infotabs/train-sample?evidence=gold", "infotabs/alpha1?evidence=lexical&where=label:E"]
    try:
        open_source(names[0], data)
    except NotFoundError as error:
        pytest.skip(str(error))
    document = nliprobe_json("data", "evidence", *names, "--from", str(data))
    validate("data-evidence", document)
    gold, silver = document["corpora"]
    assert [(row["label"], row["pairs"]) for row in gold["needed"]] == [("all", 140), ("E", 37), ("N", 59), ("C", 44)]
    assert gold["needed"][0]["units"] == {"0": 18, "1": 81, "2": 39, "3": 1, "4": 1}
    assert gold["quality"] == []
    assert [item["grade"] for item in silver["quality"]] == ["edit", "gold"]
    assert silver["needed"][0]["outside"]["value"] is None
    said = nliprobe("data", "evidence", "infotabs/train-sample?evidence=edit", "--against", "gold", "--from", str(data))
    assert "'edit' against gold evidence of infotabs/train-sample: 16 pairs in 3 groups have both" in said.stdout
    done = nliprobe("data", "evidence", "infotabs/dev", "--from", str(data), code=1)
    assert "infotabs/dev has no evidence. Attach some" in done.stderr


PLUGIN = '''
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, EvidenceSource


@EVIDENCE.register("first-row")
class FirstRow(EvidenceSource):
    """The first row of every table."""

    @classmethod
    def from_spec(cls, spec, whole, roots):
        return cls()

    @property
    def grade(self):
        return Grade.SILVER

    def look_up(self, pair):
        return Evidence((0,), Grade.SILVER)

    def digest(self):
        return "first-row 1"
'''


def test_evidence_of_a_plugin_is_attached_and_measured(tmp_path: Path) -> None:
    write(tmp_path / "first.py", PLUGIN)
    assert "first-row" in nliprobe("ls", "evidence", "--plugin", "first.py", cwd=tmp_path).stdout
    name = "builtin/tables-dev?evidence=first-row"
    words = ("data", "evidence", name, "--against", "own", "--plugin", "first.py")
    [corpus] = nliprobe_json(*words, cwd=tmp_path)["corpora"]
    [quality] = corpus["quality"]
    assert (corpus["grade"], quality["grade"], quality["uncovered"]) == ("silver", "gold", 0)
    assert quality["scores"]["precision"]["n"] == corpus["coverage"]["pairs"]
