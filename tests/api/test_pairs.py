"""Pairs from what people have in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nliprobe
from nliprobe.api.pairs import as_sources
from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.labels import C, E, N
from nliprobe.task.source import PairSource
from nliprobe.task.table import Row

COLUMNS = {"premise": ["a b", "c d", "e f"], "hypothesis": ["a", "d", "x"], "label": ["entailment", "neutral", "no"]}
INFOBOX = {"title": ["Ann"], "Born": ["1961"], "Genres": ["jazz", "soul"]}


class ClassLabel:
    """As Hugging Face describes a column of codes."""

    names = ("entailment", "neutral", "contradiction")


class Dataset:
    """As much of a Hugging Face dataset as is looked at."""

    column_names = ("premise", "hypothesis", "label")

    def __init__(self, features: Mapping[str, object]) -> None:
        self.features = features

    def __iter__(self) -> Iterator[dict[str, object]]:
        for premise, hypothesis, label in (("a", "b", 0), ("c", "d", 2), ("e", "f", -1)):
            yield {"premise": premise, "hypothesis": hypothesis, "label": label}


def golds(source: PairSource) -> list[object]:
    return [pair.gold for pair in source.pairs()]


def test_every_form_gives_the_same_pairs_as_a_file(tmp_path: Path) -> None:
    rows = pl.DataFrame(COLUMNS).rows(named=True)
    forms = [
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        rows,
        [tuple(row.values()) for row in rows],
        pl.DataFrame(COLUMNS).to_arrow() if _has_pyarrow() else pl.DataFrame(COLUMNS),
    ]
    file = tmp_path / "mine.csv"
    pl.DataFrame(COLUMNS).write_csv(file)
    expected = list(open_source(f"file:{file}").pairs())
    digests = set()
    for form in forms:
        source = nliprobe.pairs(form, name="mine")
        assert list(source.pairs()) == expected
        digests.add(source.digest())
    assert len(digests) == 1
    assert golds(nliprobe.pairs(rows)) == [E, N, C]


def _has_pyarrow() -> bool:
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


def test_columns_can_be_named() -> None:
    frame = pl.DataFrame(
        {"text": ["a", "b"], "claim": ["c", "d"], "y": [2, 0], "key": ["x", "y"], "genre": ["news", "news"]}
    )
    source = nliprobe.pairs(
        frame, premise="text", hypothesis="claim", label="y", labels="e,n,c", id="key", group="genre", facets=["genre"]
    )
    first, second = source.pairs()
    assert (first.id, first.gold, first.group, first.facets[0].value) == ("pairs/x", C, "news", "news")
    assert (second.id, second.gold) == ("pairs/y", E)


def test_codes_need_an_order_and_class_labels_have_one() -> None:
    with pytest.raises(DataError, match="pairs, row 1: the label 0 is a code: declare what codes mean"):
        nliprobe.pairs(Dataset({}))
    assert golds(nliprobe.pairs(Dataset({"label": ClassLabel()}))) == [E, C, None]
    assert golds(nliprobe.pairs(Dataset({"label": ClassLabel()}), labels="c,n,e")) == [C, E, None]


def test_what_is_ambiguous_or_missing_is_said() -> None:
    with pytest.raises(UsageError, match=r'several columns .* the premise: evidence, text. .*premise="evidence"'):
        nliprobe.pairs(pl.DataFrame({"text": ["a"], "evidence": ["b"], "claim": ["c"]}))
    with pytest.raises(
        DataError, match=r"pairs, row 1: there is no column 'hypothesis'.*Name it with hypothesis=COLUMN"
    ):
        nliprobe.pairs(pl.DataFrame({"premise": ["a"], "q": ["c"]}))
    with pytest.raises(DataError, match=r"pairs, row 2: the hypothesis in column 'hypothesis' is empty"):
        nliprobe.pairs([("a", "b"), ("a", " ")])
    with pytest.raises(DataError, match="a pair should be a Pair, a mapping or a tuple"):
        nliprobe.pairs(["a", "b"])
    with pytest.raises(UsageError, match=r"make one, such as polars.DataFrame\(columns\)"):
        nliprobe.pairs(COLUMNS)
    with pytest.raises(DataError, match="empty"):
        nliprobe.pairs(pl.DataFrame(schema={"premise": pl.String}))
    with pytest.raises(UsageError, match="not from int"):
        nliprobe.pairs(3)  # type: ignore[arg-type]


def test_nothing_in_a_frame_is_no_label() -> None:
    frame = pd.DataFrame({"premise": ["a", "b"], "hypothesis": ["c", "d"], "label": ["neutral", None]})
    assert golds(nliprobe.pairs(frame)) == [N, None]
    assert golds(nliprobe.pairs([{"premise": "a", "hypothesis": "b", "label": float("nan")}])) == [None]


def test_tables_as_premises() -> None:
    table = nliprobe.Table("Ann", (Row("Born", ("1961",)), Row("Genres", ("jazz", "soul"))))
    first, second = nliprobe.pairs([(table, "Ann was born in 1961.", "e"), (INFOBOX, "Ann sings.", "n")]).pairs()
    assert first.premise == second.premise == table
    assert first.group == second.group
    made = nliprobe.run(lambda p, h: ["e" if "1961" in text else "n" for text in p], [(table, "x", "e")], "rows.delete")
    assert made.predictions()["label"].to_list() == ["E", "N", "E"]


def test_pairs_keep_their_ids_or_get_some() -> None:
    given_pairs = [nliprobe.Pair("x", "a", "b", E), nliprobe.Pair("", "a", "b"), nliprobe.Pair("", "a", "b")]
    ids = [pair.id for pair in nliprobe.pairs(given_pairs, name="n").pairs()]
    assert ids[0] == "x"
    assert ids[1].startswith("n/")
    assert ids[2] == f"{ids[1]}#2"
    with pytest.raises(DataError, match="pair 2: the id 'x' is already"):
        nliprobe.pairs([given_pairs[0], given_pairs[0]])


def test_sources_of_every_form(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    pl.DataFrame(COLUMNS).write_csv(file)
    frame = pl.DataFrame(COLUMNS)
    assert as_sources(str(file)) == as_sources(file) == as_sources([file]) == [f"file:{file}"]
    assert as_sources("builtin/tables-dev") == ["builtin/tables-dev"]
    assert as_sources({"other": file}) == [f"file:{file}?name=other"]
    several: list[str | pl.DataFrame] = ["hans", frame, frame]
    names = [item if isinstance(item, str) else item.name for item in as_sources(several)]
    assert names == ["hans", "pairs", "pairs-2"]
    [generated] = as_sources(pair for pair in [("a", "b"), ("c", "d")])
    assert not isinstance(generated, str)
    assert len(list(generated.pairs())) == 2
    with pytest.raises(UsageError, match="make one, such as polars"):
        as_sources(COLUMNS)
    with pytest.raises(UsageError, match="or a list of pairs, not from int"):
        as_sources(3)  # type: ignore[arg-type]
    held = nliprobe.pairs(frame, name="own")
    assert as_sources(held) == as_sources([held]) == [held]


@given(
    st.lists(
        st.tuples(
            st.text("ab c", min_size=1).filter(str.strip),
            st.text("xyz", min_size=1),
            st.sampled_from(["entailment", "neutral", "contradiction", None]),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_ids_are_distinct_and_digests_are_of_the_content(rows: list[tuple[str, str, str | None]]) -> None:
    source = nliprobe.pairs(rows)
    ids = [pair.id for pair in source.pairs()]
    assert len(set(ids)) == len(rows)
    assert nliprobe.pairs(pl.DataFrame(rows, schema=["premise", "hypothesis", "label"], orient="row")).digest() == (
        source.digest()
    )
    changed = [*rows[:-1], (rows[-1][0] + "!", *rows[-1][1:])]
    assert nliprobe.pairs(changed).digest() != source.digest()
