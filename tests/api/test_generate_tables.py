"""Executable hypotheses in files: read back to equal pairs, and never half-written."""

from __future__ import annotations

import json
from pathlib import Path

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.helpers import nliprobe_json

import nliprobe
from nliprobe.api import generate as generate_room
from nliprobe.api._generate_tables import table_frames
from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

ENDINGS = ("parquet", "jsonl", "csv", "tsv")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_suite_is_read_back_as_it_was_generated(ending: str, tmp_path: Path) -> None:
    out = tmp_path / f"suite.{ending}"
    generated = nliprobe.generate("tables", out, total=200, seed=7)
    assert sum(one.distinct for one in generated.templates) == 200
    source = open_source(f"file:{out}")
    assert list(source.pairs()) == list(open_source("tables?total=200&seed=7").pairs())
    assert source.digest() == open_source(f"file:{out}").digest()


_WORDS = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=12).map(str.strip)
_TEXTS = _WORDS.filter(lambda text: bool(text))
_TABLES = st.builds(
    lambda title, cells: Table(title, tuple([Row(key, tuple(values)) for key, values in cells.items()]), "Film"),
    _TEXTS,
    st.dictionaries(
        _TEXTS.filter(lambda key: key != "title"), st.lists(_TEXTS, min_size=1, max_size=3), min_size=1, max_size=3
    ),
)


@given(_TABLES, _TEXTS, st.sampled_from("ENC"), st.data())
@settings(max_examples=40, deadline=None)
def test_any_pair_comes_back(
    tmp_path_factory: pytest.TempPathFactory, table: Table, text: str, label: str, data: st.DataObject
) -> None:
    rows = tuple(sorted(data.draw(st.sets(st.integers(0, len(table.rows) - 1)))))
    program = f"text({json.dumps(table.rows[0].key, ensure_ascii=False)}) == {json.dumps(text, ensure_ascii=False)}"
    facets = (Facet("template", "a.b"), Facet("reasoning", "x"), Facet("reasoning", "y"), Facet("twin", "a.b/1"))
    pair = Pair("tables/a.b/f0", table, text, LabelSet.of(label), "g", Evidence(rows), program, facets)
    folder = tmp_path_factory.mktemp("pair")
    for ending in ("parquet", "jsonl", "csv"):
        out = folder / f"one.{ending}"
        generate_room._write(lambda: table_frames([pair], lambda rows: None), out)
        assert list(open_source(f"file:{out}").pairs()) == [pair]


def test_columns_that_the_user_names_are_not_guessed(tmp_path: Path) -> None:
    out = tmp_path / "suite.csv"
    nliprobe.generate("tables", out, total=20, seed=7)
    (pair, *_) = open_source(f"file:{out}?id=pair_id&program=program").pairs()
    assert pair.id.startswith("suite/tables/")
    assert pair.program is not None
    assert pair.evidence is None
    assert not pair.facets


def test_a_program_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    out = tmp_path / "mine.csv"
    out.write_text("premise,hypothesis,label,meaning\nA.,B.,E,\nA.,C.,E,year(\n", encoding="utf-8")
    source = open_source(f"file:{out}?program=meaning")
    with pytest.raises(DataError, match=r"mine.csv.*line 3.*column 'meaning': The program 'year\(' cannot be read"):
        list(source.pairs())
    with pytest.raises(DataError, match="no column"):
        list(open_source(f"file:{out}?program=meanings").pairs())


@pytest.mark.parametrize("ending", ENDINGS)
def test_ctrl_c_leaves_no_torn_file(ending: str, tmp_path: Path) -> None:
    def progress(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nliprobe.generate("tables", tmp_path / f"x.{ending}", total=60, progress=progress)
    assert list(tmp_path.iterdir()) == []


def test_a_large_suite_becomes_a_folder_of_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.api.generate.ROWS_PER_FILE", 100)
    monkeypatch.setattr("nliprobe.api._generate_tables.ROWS", 100)
    nliprobe.generate("tables", tmp_path / "big.parquet", total=300, seed=1)
    assert len(list((tmp_path / "big").glob("*.parquet"))) == 3
    pairs = list(open_source(f"file:{tmp_path / 'big'}").pairs())
    assert pairs == list(open_source("tables?total=300&seed=1").pairs())


def test_the_verb(tmp_path: Path) -> None:
    out = tmp_path / "suite.parquet"
    document = nliprobe_json("generate", "tables", "--total", "60", "--only", "album", "--seed", "3", "-o", str(out))
    assert document["examples"] == 60
    frame = polars.read_parquet(out)
    assert frame.height == 60
    assert set(frame["schema"]) == {"album"}


def test_options_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="n is given twice"):
        nliprobe.generate("tables?n=3", "x.csv", n=4)
    with pytest.raises(UsageError, match="no placeholders"):
        nliprobe.generate("tables", "x.csv", by="NAME")
    with pytest.raises(UsageError, match="total is for table templates"):
        nliprobe.generate("checklist", "x.csv", total=4)
