"""Pairs with halves of characters, ids that repeat, and rules that would take forever: found when they are read."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.corpora.files import write

import nliprobe as api
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.corpora._parts import PairIds
from nliprobe.corpora.check import check_corpus
from nliprobe.corpora.file import FileCorpus
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import Relation
from nliprobe.task.rule_forms import read_rule
from nliprobe.task.table import Row, Table, table_from_mapping

HALF = "\ud83d"
CUT = [
    {"id": "a" + HALF, "premise": "A man " + HALF, "hypothesis": "He \U0001f600.", "label": "E", "tag": HALF + "x"},
    {"id": "b", "premise": "A dog.", "hypothesis": "It runs" + HALF, "label": "N", "tag": "y"},
    {"id": "c", "premise": "A cat.", "hypothesis": "It sleeps.", "label": "C", "tag": "y"},
]


def corpus(path: Path, options: str = "") -> FileCorpus:
    opened = FileCorpus.from_spec(Spec.parse(f"file:{path}" + (f"?{options}" if options else "")), [])
    assert isinstance(opened, FileCorpus)
    return opened


def cut_file(folder: Path) -> Path:
    return write(folder / "cut.jsonl", "".join(json.dumps(row) + "\n" for row in CUT))


def test_half_a_character_is_replaced_in_texts_ids_and_facets(tmp_path: Path) -> None:
    first, second, _ = corpus(cut_file(tmp_path), "facets=tag").pairs()
    assert (first.id, first.premise) == ("cut/a\ufffd", "A man \ufffd")
    assert first.hypothesis == "He \U0001f600."
    assert first.facets == (Facet("tag", "\ufffdx"),)
    assert second.hypothesis == "It runs\ufffd"


def test_a_check_counts_the_pairs_with_characters_that_cannot_be_read(tmp_path: Path) -> None:
    path = cut_file(tmp_path)
    assert check_corpus(corpus(path)).replaced == 2
    assert "2 pairs with a character that cannot be read (\ufffd)" in nliprobe("data", "check", f"file:{path}").stdout
    [report] = nliprobe_json("data", "check", f"file:{path}")["corpora"]
    assert report["replaced"] == 2


def test_ids_that_differ_only_in_halves_are_the_same_id(tmp_path: Path) -> None:
    rows = [{"id": half, "premise": "a", "hypothesis": "b", "label": "E"} for half in ("\ud83d", "\ud83e")]
    path = write(tmp_path / "x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match="line 2: the id '\ufffd' is already that of"):
        list(corpus(path, "id=id").pairs())


def test_pairs_in_memory_follow_the_same_rule() -> None:
    rows = api.pairs(CUT, name="mine")
    assert next(pair.premise for pair in rows.pairs()) == "A man \ufffd"
    table = Table("K2" + HALF, (Row("Height", ("8,611 m" + HALF,)),))
    given = Pair("x/1" + HALF, table, "It is high." + HALF, None, "g", facets=(Facet("a", HALF),))
    [held] = api.pairs([given], name="mine").pairs()
    assert held.id == "x/1\ufffd"
    assert held.premise == Table("K2\ufffd", (Row("Height", ("8,611 m\ufffd",)),))
    assert (held.hypothesis, held.facets) == ("It is high.\ufffd", (Facet("a", "\ufffd"),))


def test_a_run_over_cut_texts_with_a_model_that_cuts_its_own(tmp_path: Path) -> None:
    # Before, everything was asked and then lost, because Parquet and pages cannot hold what was read.
    code = 'def answer(pairs):\n    return [{"label": "E", "raw": "well \\ud83d"} for _ in pairs]\n'
    write(tmp_path / "cuts.py", code)
    words = ["--on", f"file:{cut_file(tmp_path)}?facets=tag", "--system", f"python:{tmp_path / 'cuts.py'}:answer"]
    nliprobe("run", *words, "--out", str(tmp_path / "run"), cwd=tmp_path)
    nliprobe("show", str(tmp_path / "run"), cwd=tmp_path)
    nliprobe("report", str(tmp_path / "run"), "--out", str(tmp_path / "report.html"), cwd=tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes only there")
def test_a_file_whose_name_is_not_utf8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.csv"))
    write(path, "premise,hypothesis,label\na,b,E\nc,d,N\ne,f,C\n")
    assert [pair.id.partition("/")[0] for pair in corpus(path).pairs()] == ["caf\ufffd"] * 3
    assert "3 pairs" in nliprobe("data", "check", f"file:{path}").stdout


def all_held(names: list[str]) -> list[str]:
    """Number the ids that come again, holding every id that was given: what PairIds does in less memory."""
    times: dict[str, int] = {}
    given = []
    for name in names:
        count = times[name] = times.get(name, 0) + 1
        if count > 1:
            while (numbered := f"{name}#{count}") in times:
                count += 1
            times[name] = count
            times[numbered] = 1
            name = numbered
        given.append(name)
    return given


@pytest.mark.parametrize("seed", range(200))
def test_numbered_ids_are_distinct_without_being_held(seed: int) -> None:
    draw = random.Random(seed)
    names = draw.choices(["a", "a#2", "a#3", "a#2#2", "b#", "#2", "a#02", "a#1", "a#10", "a#" + "9" * 5000], k=25)
    ids = PairIds("c")
    given = [ids.official(name) for name in names]
    assert given == all_held([f"c/{name}" for name in names])
    assert len(set(given)) == len(given)


def test_a_pair_that_comes_a_thousand_times_is_held_once() -> None:
    ids = PairIds("c")
    assert [ids.official("a") for _ in range(1000)][-1] == "c/a#1000"
    assert len(ids._times) == 1


def test_a_relation_over_many_bases_is_refused() -> None:
    with pytest.raises(ValueError, match="1, 2 or 3 bases, not 40"):
        Relation.parse("E" * 40 + ">E")
    with pytest.raises(UsageError, match="is not a relation"):
        read_rule("E" * 40_000 + ">E")


@pytest.mark.parametrize("value", ['{"name": "close", "within": ' + "9" * 5000 + "}", "close " + "9" * 5000])
def test_a_rule_with_an_endless_number_is_refused(value: str) -> None:
    with pytest.raises(UsageError):
        read_rule(value)


def test_a_table_of_many_keys_is_read() -> None:
    assert len(table_from_mapping({"title": "t", **{f"k{n}": "v" for n in range(20_000)}}).rows) == 20_000
