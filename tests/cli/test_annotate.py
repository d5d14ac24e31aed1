"""Projects for raters from the command line: made, handed out as sheets, taken back, measured and exported."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from tests.cli.helpers import ROOT, nliprobe, nliprobe_json

from nliprobe.people.store import open_store
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.raters import read_raters

PAIRS = [
    {"id": f"p{number}", "premise": f"Ada has {number} dogs.", "hypothesis": f"Ada has {number} pets.", "label": label}
    for number, label in enumerate("ENCENC" * 2)
]
SURE = [{"id": f"s{number}", "premise": "A.", "hypothesis": "A.", "label": "E"} for number in range(4)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where people work, with two small corpora."""
    monkeypatch.chdir(tmp_path)
    for name, rows in (("pairs", PAIRS), ("sure", SURE)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def fill(path: Path, say: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Fill in a sheet: ``say`` returns the cells of a line."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = [row | say(row) for row in csv.DictReader(stream)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def right(row: dict[str, str]) -> dict[str, str]:
    """Say the gold label."""
    gold = {pair["hypothesis"]: pair["label"] for pair in [*PAIRS, *SURE]}
    return {"label": gold[row["hypothesis"]]}


def test_a_project_goes_its_way(folder: Path) -> None:
    words = ["--task", "verify", "--raters", "2", "--attention", "file:sure.jsonl?id=id", "--attention-every", "4"]
    made = nliprobe("annotate", "new", "mine", "file:pairs.jsonl?id=id", *words)
    assert "12 items, 4 attention items, 24 judgements wanted, 1 batch" in made.stdout
    raters = ("anna", "ben", "carl")
    for rater in raters[:2]:
        nliprobe("annotate", "sheets", "mine", "--rater", rater, "-o", "sheets")
        fill(folder / "sheets" / f"sheet-{rater}.csv", right)
    taken = nliprobe("annotate", "take", "mine", "sheets/sheet-anna.csv", "sheets/sheet-ben.csv")
    assert "new judgements, 0 known ones" in taken.stdout
    again = nliprobe("annotate", "take", "mine", "sheets/sheet-anna.csv")
    assert again.stdout.startswith("0 new judgements, ")
    status = nliprobe_json("annotate", "status", "mine")
    schema = json.loads((ROOT / "docs/reference/schemas/people.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(status, schema)
    assert status["complete"]
    assert [rater["gold"]["value"] for rater in status["raters"]] == [1.0, 1.0]
    assert all(rater["attention"]["right"] == rater["attention"]["n"] > 0 for rater in status["raters"])
    assert "Fleiss' kappa                        1.000" in nliprobe("annotate", "status", "mine").stdout

    # A rater who is blocked leaves places for others.
    blocked = nliprobe("annotate", "block", "mine", "ben", "--reason", "copied")
    assert "judgements no longer count" in blocked.stdout
    assert not nliprobe_json("annotate", "status", "mine")["complete"]
    nliprobe("annotate", "sheets", "mine", "--rater", "carl", "-o", "sheets")
    fill(folder / "sheets" / "sheet-carl.csv", lambda row: {"label": "neutral", "remark": "=1+1"})
    nliprobe("annotate", "take", "mine", "sheets/sheet-carl.csv")
    status = nliprobe_json("annotate", "status", "mine")
    assert status["complete"]
    assert {rater["rater"]: rater["state"] for rater in status["raters"]}["ben"] == "blocked"

    # The circle closes: what is exported is what the status says.
    exported = nliprobe_json("annotate", "export", "mine", "-o", "ratings.csv")
    assert exported["written"] == 24
    [agreement] = nliprobe_json("data", "agreement", "ratings.csv")["files"]
    own = status["agreement"]
    assert {key: value for key, value in agreement.items() if key != "name"} == {
        key: value for key, value in own.items() if key != "name"
    }
    assert "'=1+1" in (folder / "ratings.csv").read_text()
    corpus = nliprobe_json("annotate", "export", "mine", "--as", "corpus", "-o", "majority.jsonl")
    assert corpus["written"] + corpus["left_out"]["no majority"] == 12
    checked = nliprobe_json("data", "check", corpus["spec"])["corpora"][0]
    assert checked["pairs"] == corpus["written"]
    listed = nliprobe_json("annotate", "ls")["projects"]
    assert listed == [{"project": "mine", "task": "verify", "items": 12, "wanted": 24, "judged": 24}]


def test_a_pilot_comes_first(folder: Path) -> None:
    made = nliprobe(
        "annotate", "new", "p", "file:pairs.jsonl?id=id", "--task", "verify", "--pilot", "4", "--batch", "4"
    )
    assert "3 batches" in made.stdout
    fewer = nliprobe("annotate", "new", "few", "file:pairs.jsonl?id=id", "--task", "verify", "--items", "5")
    assert "few: 5 items" in fewer.stdout
    nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "sheets")
    fill(folder / "sheets" / "sheet-anna.csv", right)
    assert "4 new judgements" in nliprobe("annotate", "take", "p", "sheets/sheet-anna.csv").stdout
    nothing = nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "more", code=1)
    assert "nothing left to judge for anna" in nothing.stderr
    assert "2 batches open" in nliprobe("annotate", "open", "p").stdout
    assert nliprobe("annotate", "open", "p", "--batches", "1").stdout == "p: 1 batch open\n"
    for opened in ("p: 2 batches open\n", "p: 3 batches open\n", "p: 3 batches open, which are all that it has\n"):
        assert nliprobe("annotate", "open", "p").stdout == opened
    nliprobe("annotate", "open", "p", "--batches", "2")
    nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "more")
    assert len((folder / "more" / "sheet-anna.csv").read_text(encoding="utf-8-sig").splitlines()) == 5


def test_a_review_queue_is_settled_by_raters(folder: Path) -> None:
    (folder / "one.jsonl").write_text(
        json.dumps({"id": "a", "premise": "Rome is in Italy.", "hypothesis": "Rome is in Italy.", "label": "E"}) + "\n"
    )
    nliprobe("review", "queue.jsonl", "--on", "file:one.jsonl?id=id", "--probes", "hypothesis.entity")
    nliprobe("annotate", "new", "s", "queue.jsonl", "--task", "settle", "--raters", "1")
    nliprobe("annotate", "sheets", "s", "--rater", "anna", "-o", "sheets")
    fill(folder / "sheets" / "sheet-anna.csv", lambda row: {"verdict": "fix", "label": "C"})
    nliprobe("annotate", "take", "s", "sheets/sheet-anna.csv")
    done = nliprobe_json("annotate", "export", "s", "-o", "queue.jsonl")
    assert done["written"] > 0
    assert nliprobe_json("review", "queue.jsonl")["all"]["open"] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["ls"], "There are no projects in people.sqlite yet"),
        (["status", "x"], "There are no projects in people.sqlite yet"),
        (
            ["new", "x", "file:pairs.jsonl?id=id", "--task", "verfy"],
            "There is no task named 'verfy'. Did you mean 'verify'?",
        ),
        (["new", "x", "file:pairs.jsonl?id=id", "--task", "bid"], "asks about a system"),
        (
            ["new", "x", "file:pairs.jsonl?id=id", "--task", "counterfactual"],
            "Nothing to judge: 12 pairs left out",
        ),
        (["new", "a/\tb", "file:pairs.jsonl?id=id", "--task", "verify"], "cannot be the name of a project"),
        (["new", "x", "file:pairs.jsonl?id=id", "--task", "verify", "--partition", "E"], "should be like E|N|C"),
        (
            ["new", "x", "file:pairs.jsonl?id=id", "--task", "verify", "--attention", "file:pairs.jsonl?id=id"],
            "is to be judged and is an attention item, too",
        ),
    ],
)
def test_what_cannot_be_is_a_sentence(folder: Path, words: list[str], sentence: str) -> None:
    done = nliprobe("annotate", *words, code=2 if "asks about" in sentence or "E|N|C" in sentence else 1)
    assert sentence in done.stderr
    assert not (folder / "people.sqlite").exists(), "what failed leaves no store behind"


def test_sheets_with_what_is_no_answer_are_refused_as_a_whole(folder: Path) -> None:
    nliprobe("annotate", "new", "p", "file:pairs.jsonl?id=id", "--task", "verify", "--raters", "1")
    nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "sheets")
    path = folder / "sheets" / "sheet-anna.csv"
    answers = iter(["E"] * 11 + ["perhaps"])
    fill(path, lambda row: {"label": next(answers)})
    done = nliprobe("annotate", "take", "p", str(path), code=1)
    assert "sheet-anna.csv, line 13" in done.stderr
    assert nliprobe_json("annotate", "status", "p")["judgements"] == 0


def test_who_can_have_no_sheet_keeps_no_items(folder: Path) -> None:
    """Sheets keep items for two weeks, and who has none could not give them back."""
    nliprobe("annotate", "new", "p", "file:pairs.jsonl?id=id", "--task", "verify", "--raters", "1")
    refused = nliprobe("annotate", "sheets", "p", "--rater", "a/b", "-o", "sheets", code=2)
    assert "cannot be the name of a sheet" in refused.stderr
    nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "sheets")
    assert "is there already" in nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "sheets", code=1).stderr
    nothing = nliprobe("annotate", "sheets", "p", "--rater", "ben", "-o", "sheets", code=1)
    assert "nothing left to judge for ben" in nothing.stderr
    with open_store(folder / "people.sqlite") as store:
        assert [rater.name for rater in read_raters(store, "p")] == ["anna"]


def test_who_withdraws_is_asked_first(folder: Path) -> None:
    nliprobe("annotate", "new", "p", "file:pairs.jsonl?id=id", "--task", "verify", "--raters", "1")
    nliprobe("annotate", "sheets", "p", "--rater", "anna", "-o", "sheets")
    assert "Delete everything" in nliprobe("annotate", "withdraw", "p", "anna", code=130).stderr
    assert "0 judgements deleted" in nliprobe("annotate", "withdraw", "p", "anna", "--yes").stdout
    with open_store(folder / "people.sqlite") as store:
        told = [(entry.who, entry.what) for entry in read_log(store, "p")]
    assert told[-2:] == [("owner", "withdrawal entered"), ("anna", "withdrew")], "the log tells who did it"
