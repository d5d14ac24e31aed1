"""The released files of InfoTabS quote some hypotheses as CSV does; models get what a person would read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.files import write_infotabs

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError

# All fields with a quotation mark: one of alpha2 is enclosed in quotes, but has none inside.
QUOTED = {"train": 85, "dev": 5, "alpha1": 6, "alpha2": 1, "alpha3": 2, "reasoning-dev": 0, "reasoning-alpha3": 0}


def raw_hypotheses(data: Path, split: str) -> list[str]:
    folder, name = ("reasoning", split.removeprefix("reasoning-")) if "-" in split else ("maindata", split)
    name = f"test_{name}" if name.startswith("alpha") else name
    path = data / "infotabs" / folder / f"infotabs_{name}.tsv"
    header, *lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return [line.split("\t")[header.split("\t").index("hypothesis")] for line in lines]


@pytest.mark.parametrize("split", QUOTED)
def test_exactly_the_quoted_hypotheses_change(data: Path, split: str) -> None:
    try:
        pairs = list(open_source(f"infotabs/{split}", data).pairs())
    except NotFoundError as error:
        pytest.skip(str(error))
    written = raw_hypotheses(data, split)
    changed = [(pair.hypothesis, raw) for pair, raw in zip(pairs, written, strict=True) if pair.hypothesis != raw]
    assert len(changed) == QUOTED[split]
    for hypothesis, raw in changed:
        assert raw == '"' + hypothesis.replace('"', '""') + '"'
    assert not any('""' in pair.hypothesis for pair in pairs)
    assert [pair.id for pair in pairs[:2]] == [f"infotabs/{split}/0", f"infotabs/{split}/1"]


def test_what_a_person_would_read(data: Path) -> None:
    try:
        read = {pair.id: pair.hypothesis for pair in open_source("infotabs/dev", data).pairs()}
        read |= {pair.id: pair.hypothesis for pair in open_source("infotabs/alpha2", data).pairs()}
    except NotFoundError as error:
        pytest.skip(str(error))
    assert read["infotabs/dev/318"] == 'Conor Anthony McGregor is known as "The Notorious".'
    assert read["infotabs/dev/1565"] == "John Lithgow is shorter than 5'6\"."
    assert read["infotabs/alpha2/1757"] == "Inca Kola is a soft drink."


@given(st.text(st.sampled_from("ab \"'.,"), min_size=1).filter(lambda text: bool(text.strip())))
def test_what_a_csv_writer_wrote_is_read_back(tmp_path_factory: pytest.TempPathFactory, hypothesis: str) -> None:
    field = '"' + hypothesis.replace('"', '""') + '"' if '"' in hypothesis else hypothesis
    root = write_infotabs(tmp_path_factory.mktemp("quoted") / "infotabs", [f"A\tT1\t{field}\tE"]).parent
    [pair] = open_source("infotabs/dev", root).pairs()
    assert pair.hypothesis == hypothesis


@pytest.mark.parametrize(
    "written",
    ['Ada said "no".', '"Ada" is a name.', '"Ada" and "Bob"', '"Ada was born.', "5'6\"", '""', '"a""', 'x""y'],
)
def test_other_quotes_are_plain_characters(tmp_path: Path, written: str) -> None:
    root = write_infotabs(tmp_path / "infotabs", [f"A\tT1\t{written}\tE"]).parent
    [pair] = open_source("infotabs/dev", root).pairs()
    assert pair.hypothesis == written
