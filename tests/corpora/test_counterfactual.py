"""People's label-flipped tables, as their repository has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.corpora.files import write, write_infotabs

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.pair import Facet, Pair

FOLDER = "evidence-probes/counterfactuals/alpha1"
HEADER = """
s.no worker_id original_tableid original_hypothesis original_label modified_tableid modified_hypothesis modified_label
"""
ADA = {"title": ["Ada"], "Born": ["1815"], "Died": ["1852"], "Fields": ["mathematics"]}
LATER = {**ADA, "Born": ["1825"]}
LINE = ("0", "IA0", "T1", "Ada was born in 1815.", "E", "T1_mod_1", "Ada was born in 1815.", "C")


def _write(root: Path, *lines: tuple[str, ...], originals: object = None, modified: object = None) -> None:
    tables = {"tables_json": originals or {"T1": ADA}, "tables_mod_json": modified or {"T1_mod_1": LATER}}
    for folder, contents in tables.items():
        assert isinstance(contents, dict)
        for name, content in contents.items():
            write(root / FOLDER / folder / f"{name}.json", json.dumps(content))
    rows = "\r\n".join("\t".join(line) for line in [tuple(HEADER.split()), *(lines or [LINE])])
    write(root / FOLDER / "cf_alpha1_anonymized.tsv", f"{rows}\r\n")


def _pairs(root: Path) -> list[Pair]:
    return list(open_source("infotabs-counterfactual/alpha1", root).pairs())


def test_the_original_comes_before_what_was_made_from_it(tmp_path: Path) -> None:
    _write(tmp_path)
    original, flipped = _pairs(tmp_path)
    assert (original.id, flipped.id) == tuple(
        f"infotabs-counterfactual/alpha1/T1_{name}" for name in ("original_1", "mod_1")
    )
    assert flipped.bases == (original.id,)
    assert (str(original.gold), str(flipped.gold)) == ("E", "C")
    assert original.group == flipped.group == "T1"
    assert original.evidence == flipped.evidence == Evidence((0,), Grade.EDIT)
    assert Facet("version", "original") in original.facets
    assert {Facet("version", "flipped"), Facet("editor", "IA0")} <= set(flipped.facets)


def test_an_original_of_two_edits_comes_once_with_the_rows_of_both(tmp_path: Path) -> None:
    second = (*LINE[:5], "T1_mod_2", *LINE[6:])
    _write(tmp_path, LINE, second, modified={"T1_mod_1": LATER, "T1_mod_2": {**ADA, "Died": ["1814"]}})
    original, first, other = _pairs(tmp_path)
    assert original.evidence == Evidence((0, 1), Grade.EDIT)
    assert other.evidence == Evidence((1,), Grade.EDIT)
    assert first.bases == other.bases == (original.id,)


def test_a_modified_table_that_equals_its_original_is_marked(tmp_path: Path) -> None:
    _write(tmp_path, modified={"T1_mod_1": ADA})
    original, flipped = _pairs(tmp_path)
    assert Facet("unchanged", "yes") in flipped.facets
    assert original.evidence is flipped.evidence is None


def test_categories_come_from_infotabs(tmp_path: Path) -> None:
    _write(tmp_path)
    without = open_source("infotabs-counterfactual/alpha1", tmp_path).digest()
    write_infotabs(tmp_path / "infotabs", ["G\tT1\tx\tE"])
    original, flipped = _pairs(tmp_path)
    assert Facet("category", "Person") in original.facets
    assert getattr(original.premise, "category", "") == getattr(flipped.premise, "category", "") == "Person"
    assert open_source("infotabs-counterfactual/alpha1", tmp_path).digest() != without


def test_csv_quotes_are_taken_off(tmp_path: Path) -> None:
    _write(tmp_path, (*LINE[:3], '"""Ada"" is a name."', "E", "T1_mod_1", '"""Ada"" is a name."', "C"))
    assert _pairs(tmp_path)[0].hypothesis == '"Ada" is a name.'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ((*LINE[:5], "T1_mod_9", *LINE[6:]), r"line 2: the table 'T1_mod_9' is missing: there is no .*T1_mod_9\.json"),
        ((*LINE[:2], "T7", *LINE[3:]), r"line 2: the table 'T7' is missing: there is no .*T7\.json"),
        ((*LINE[:7], "Q"), r"line 2: unknown label 'Q'"),
        ((*LINE[:3], " ", *LINE[4:]), r"line 2: the hypothesis in column 'original_hypothesis' is empty"),
    ],
)
def test_bad_input_is_refused_with_its_place(tmp_path: Path, line: tuple[str, ...], message: str) -> None:
    _write(tmp_path, line)
    with pytest.raises(DataError, match=message):
        _pairs(tmp_path)


def test_two_rows_with_one_modified_table_are_refused(tmp_path: Path) -> None:
    _write(tmp_path, LINE, (*LINE[:3], "Ada died in 1852.", "E", "T1_mod_1", "Ada died in 1852.", "C"))
    with pytest.raises(DataError, match=r"line 3: the modified table 'T1_mod_1' was named before \(.*line 2\)"):
        _pairs(tmp_path)


def test_all_missing_tables_are_named_when_the_files_are_listed(tmp_path: Path) -> None:
    second = (*LINE[:5], "T1_mod_8", *LINE[6:])
    _write(tmp_path, (*LINE[:5], "T1_mod_9", *LINE[6:]), second)
    with pytest.raises(DataError, match=r"2 of 2 tables are missing from .*'T1_mod_9'.*'T1_mod_8'"):
        open_source("infotabs-counterfactual/alpha1", tmp_path).files()
