"""Kinds of reasoning as facets of InfoTabS, on small files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.corpora.files import write, write_infotabs

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.task.pair import Pair

HEAD = "annotater_id\ttable_id\thypothesis\tlabel\tconsensus\texpert1\n"
LINES = ["A\tT1\tAda was born.\tE", "B\tT1\tAda was born.\tE", "A\tT1\tAda slept.\tN"]


def _kinds(pair: Pair, name: str = "reasoning") -> list[str]:
    return [facet.value for facet in pair.facets if facet.name == name]


def test_dev_has_the_consensus_where_author_table_and_hypothesis_agree(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    write(tmp_path / "reasoning" / "infotabs_dev.tsv", HEAD + "A\tT1\tAda was born.\tE\tKCS, coref,KCS\tx\n")
    first, second, third = open_source("infotabs/dev", tmp_path).pairs()
    assert _kinds(first) == ["KCS", "coref"]
    assert _kinds(first, "types") == ["2"]
    assert _kinds(second) == _kinds(third) == _kinds(third, "types") == []


def test_reasoning_split_has_ids_and_gold_of_its_own(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    write(tmp_path / "reasoning" / "infotabs_test_alpha3.tsv", HEAD + "A\tT1\tAda slept.\tC\ttemporal\tx\n")
    (pair,) = open_source("infotabs/reasoning-alpha3", tmp_path).pairs()
    assert (pair.id, str(pair.gold), _kinds(pair)) == ("infotabs/reasoning-alpha3/0", "C", ["temporal"])


def test_digest_covers_the_kinds_of_reasoning(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    before = open_source("infotabs/dev", tmp_path).digest()
    path = write(tmp_path / "reasoning" / "infotabs_dev.tsv", HEAD + "A\tT1\tAda slept.\tN\tKCS\tx\n")
    after = open_source("infotabs/dev", tmp_path).digest()
    write(path, HEAD + "A\tT1\tAda slept.\tN\tcoref\tx\n")
    assert len({before, after, open_source("infotabs/dev", tmp_path).digest()}) == 3
    files = open_source("infotabs/reasoning-dev", tmp_path).files()
    assert len(set(files)) == len(files)


def test_empty_consensus_is_refused_with_its_place(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    write(tmp_path / "reasoning" / "infotabs_dev.tsv", HEAD + "A\tT1\tAda slept.\tN\t\tx\n")
    with pytest.raises(DataError, match=r"infotabs_dev\.tsv, line 2: the consensus in column 'consensus' is empty"):
        list(open_source("infotabs/dev", tmp_path).pairs())
