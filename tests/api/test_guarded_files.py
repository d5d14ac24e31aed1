"""Files with cells that a spreadsheet would run: written guarded, read back as they were."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from nliprobe.api.face import generate
from nliprobe.api.import_tables import import_tables
from nliprobe.api.sources import open_source

TEMPLATE = """
capability: numerical
templates:
- id: formulas
  premise: "{START}1+1 is said to NAME."
  hypothesis: "{START}1+1 is said."
  label: E
  because: it is said
lexicons:
  NAME: [Ann, Bob, Cid]
"""
STARTS = ["=", "+", "-", "@", "'=", "''-", "'", ""]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
@pytest.mark.parametrize("start", STARTS)
def test_generated_cells_are_no_formulas_and_come_back_exactly(start: str, ending: str, tmp_path: Path) -> None:
    source, out, exact = tmp_path / "t.yaml", tmp_path / f"x.{ending}", tmp_path / "x.jsonl"
    source.write_text(TEMPLATE.replace("{START}", start), encoding="utf-8")
    generate(str(source), out, n=3)
    generate(str(source), exact, n=3)
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t" if ending == "tsv" else ","))
    assert not [cell for row in rows for cell in row.values() if cell[:1] in set("=+-@\t\r")]
    assert {row["guarded"] for row in rows} == {"premise hypothesis" if start not in ("", "'") else ""}
    read, meant = (
        [(p.id, p.premise, p.hypothesis) for p in open_source(f"file:{path}").pairs()] for path in (out, exact)
    )
    assert [item[1:] for item in read] == [item[1:] for item in meant]
    assert all(str(item[1]).startswith(f"{start}1+1") for item in read)


def test_a_template_of_hypotheses_finds_its_tables_again(tmp_path: Path) -> None:
    page = tmp_path / "t.json"
    page.write_text('[{"title": ["=cmd()"], "Key": ["1"]}, {"title": ["@Home"], "Key": ["2"]}]', encoding="utf-8")
    sheet, out = tmp_path / "sheet.csv", tmp_path / "out.jsonl"
    import_tables([str(page)], sheet=sheet)
    with sheet.open(encoding="utf-8", newline="") as stream:
        header, *lines = list(csv.reader(stream))
    assert not [cell for line in lines for cell in line if cell[:1] in set("=+-@")]
    by_title = [[line[1], line[1], f"It is {number}.", line[3]] for number, line in enumerate(lines)]
    for filled in ([[*line[:2], "It is.", line[3]] for line in lines], by_title):
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([header, *filled])
        done = import_tables([str(page)], str(sheet), out=out, force=True)
        assert [table["hypotheses"] for table in done.document["tables"]] == [3, 3]
