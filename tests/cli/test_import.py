"""``nliprobe data import`` as users type it, up to a run on what it wrote."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import get_type_hints

import pytest
from tests.analysis.schemas import load_schema, validate
from tests.cli.helpers import command, environment, nliprobe, nliprobe_json
from tests.corpora import pages
from tests.corpora.files import write

from nliprobe.api.import_tables import FindingDocument, ImportDocument, TableDocument

HYPOTHESES = """table,hypothesis,label,author
voss,Mira Voss was born in the twentieth century.,entailment,a
voss,Mira Voss has won three Oscars.,neutral,a
voss,Mira Voss was born in 1970.,contradiction,b
film,The Tin Lantern was directed by Mira Voss.,entailment,b
"""


def files(folder: Path) -> None:
    write(folder / "voss.html", pages.PERSON)
    write(folder / "film.html", pages.FILM)
    write(folder / "tarn.html", pages.CITY)
    write(folder / "h.csv", HYPOTHESES)


def test_from_infoboxes_to_a_run(tmp_path: Path) -> None:
    files(tmp_path)
    words = ("data", "import", "voss.html", "film.html", "--hypotheses", "h.csv", "-o", "my.jsonl", "--category", "Art")
    text = nliprobe(*words, cwd=tmp_path).stdout
    assert "3 tables, 4 pairs (contradiction 1, entailment 2, neutral 1)" in text
    assert "warning: 1 table has no hypothesis\n  voss.html, line 6, 'Member of the Tarn Council'" in text
    assert "note: 3 images dropped" in text
    assert "my.jsonl is written. Next: nliprobe data check file:my.jsonl" in text
    before = (tmp_path / "my.jsonl").read_bytes()
    assert "my.jsonl is already there" in nliprobe(*words, cwd=tmp_path, code=2).stderr
    nliprobe(*words, "--force", cwd=tmp_path)
    assert (tmp_path / "my.jsonl").read_bytes() == before
    checked = nliprobe_json("data", "check", "file:my.jsonl", cwd=tmp_path)["corpora"][0]
    assert (checked["pairs"], checked["tables"], checked["problems"]) == (4, 2, [])
    assert "Art" in nliprobe("data", "stats", "file:my.jsonl", cwd=tmp_path).stdout
    nliprobe(
        "run", "--on", "file:my.jsonl?facets=table;author", "--probes", "gold,rows.delete", "--train", "file:my.jsonl",
        "--system", "majority", "--system", "svm?represent=para", "--out", "run", cwd=tmp_path,
    )  # fmt: skip
    assert sorted(nliprobe_json("show", "run", "--by", "author", cwd=tmp_path)["values"]) == ["a", "b"]


def test_tables_first_then_a_template_filled_in(tmp_path: Path) -> None:
    files(tmp_path)
    text = nliprobe("data", "import", "film.html", "-o", "t.jsonl", "--template", "sheet.csv", cwd=tmp_path).stdout
    assert "t.jsonl holds the tables." in text
    blank = ("data", "import", "t.jsonl", "--hypotheses", "sheet.csv", "-o", "my.jsonl")
    assert "sheet.csv holds no hypothesis" in nliprobe(*blank, cwd=tmp_path, code=1).stderr
    assert not (tmp_path / "my.jsonl").exists()
    sheet = (tmp_path / "sheet.csv").read_text(encoding="utf-8")
    write(tmp_path / "sheet.csv", sheet.replace("Lantern,,entailment", "Lantern,Ida Quill plays in it.,entailment"))
    document = nliprobe_json(*blank, cwd=tmp_path)
    assert (document["schema"], document["written"], document["pairs"]) == ("nliprobe/data-import/1", "my.jsonl", 1)
    assert [(item["kind"], item["level"], item["count"]) for item in document["findings"]] == [
        ("blank-hypotheses", "warning", 2)
    ]
    assert document["tables"][0]["hypotheses"] == 1


def test_strict_writes_nothing_when_there_is_a_warning(tmp_path: Path) -> None:
    files(tmp_path)
    done = nliprobe("data", "import", "tarn.html", "-o", "t.jsonl", "--strict", cwd=tmp_path, code=1)
    assert "warning: 1 cell is not in Latin letters" in done.stdout
    assert "with --strict nothing is written" in done.stderr
    assert not (tmp_path / "t.jsonl").exists()
    nliprobe("data", "import", "film.html", "-o", "t.jsonl", "--strict", cwd=tmp_path)
    assert (tmp_path / "t.jsonl").exists()


def test_without_a_name_nothing_is_written(tmp_path: Path) -> None:
    files(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert "Nothing was written: add -o FILE.jsonl." in nliprobe("data", "import", "film.html", cwd=tmp_path).stdout
    assert sorted(path for path in tmp_path.iterdir() if path.name != "nliprobe-cache") == before


def test_from_standard_input_to_standard_output() -> None:
    for content in (pages.FILM, '{"title": "The Tin Lantern", "k": "v"}', "title,The Tin Lantern\nk,v\n"):
        done = subprocess.run(
            command("data", "import", "-", "-o", "-"), input=content.encode(), capture_output=True, env=environment(),
            check=True,
        )  # fmt: skip
        record = json.loads(done.stdout)
        assert (record["id"], record["title"]) == ("table", "The Tin Lantern")
        assert b"1 table" in done.stderr


def test_wrong_input_is_a_sentence(tmp_path: Path) -> None:
    files(tmp_path)
    write(tmp_path / "empty.html", "<p>nothing here</p>")
    write(tmp_path / "bad.json", '{"title": "t", "Born": [{"year": 1}]}')
    write(tmp_path / "lone.csv", "Born\nDied\n")
    write(tmp_path / "far.csv", "table,hypothesis\nvos,x\n")
    (tmp_path / "taken.jsonl").mkdir()

    def said(*words: str, code: int = 1) -> str:
        return nliprobe("data", "import", *words, cwd=tmp_path, code=code).stderr

    assert "empty.html holds no table." in said("empty.html")
    assert "bad.json, 'Born', value 1: expected a text" in said("bad.json")
    assert "lone.csv, line 1: one field" in said("lone.csv")
    assert "Did you mean 'voss'" in said("voss.html", "--hypotheses", "far.csv")
    assert "There is no file none.csv" in said("voss.html", "--hypotheses", "none.csv")
    assert "No table is left to write." in said("film.html", "--min-rows", "9", "-o", "x.jsonl")
    assert "--select should be" in said("film.html", "--select", "first", code=2)
    assert "is a directory" in said("film.html", "-o", "taken.jsonl", code=2)
    assert "cannot both be x.csv" in said("film.html", "-o", "x.csv", "--template", "x.csv", code=2)
    assert "cannot both go to standard output" in said("film.html", "-o", "-", "--format", "json", code=2)
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("voss.html",),
        ("tarn.html", "--template", "sheet.csv", "-o", "t.jsonl"),
        ("voss.html", "film.html", "--hypotheses", "h.csv", "-o", "my.jsonl"),
        ("voss.html", "film.html", "--hypotheses", "unlabelled.csv"),
    ],
)
def test_document_follows_its_schema(tmp_path: Path, words: tuple[str, ...]) -> None:
    files(tmp_path)
    write(tmp_path / "unlabelled.csv", "table,hypothesis\nvoss,x\nfilm,y\n")
    document = nliprobe_json("data", "import", *words, cwd=tmp_path)
    validate("data-import", document)
    assert document["warnings"] == sum(finding["level"] == "warning" for finding in document["findings"])
    assert document["pairs"] == sum(document["labels"].values()) == sum(one["hypotheses"] for one in document["tables"])


@pytest.mark.parametrize(
    ("place", "kind"), [("", ImportDocument), ("table", TableDocument), ("finding", FindingDocument)]
)
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("data-import")
    part = schema["$defs"][place] if place else schema
    assert list(part["properties"]) == part["required"] == list(get_type_hints(kind))
    assert all("description" in field for field in part["properties"].values())
