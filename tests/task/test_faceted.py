"""Facets from files: every format, every way to name pairs, and files as they go wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.task.test_views import Bare, Listed, some

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.corpora.notices import source_notices
from nliprobe.task.evidenced import attach_evidence
from nliprobe.task.facet_file import FacetFile
from nliprobe.task.facet_writer import ENDINGS, write_facets
from nliprobe.task.faceted import FacetCoverage, attach_facets, attached_facets
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import Source, Split
from nliprobe.task.sources import Filtered, Limited, is_published, open_source, origin
from nliprobe.task.where import parse_where

PAIRS = some(6)


def write(path: Path, text: str, encoding: str = "utf-8") -> str:
    path.write_bytes(text.encode(encoding))
    return str(path)


def wide(path: Path, ids: Sequence[str], header: str = "pair_id,hard,score") -> str:
    return write(
        path, header + "\n" + "".join(f"{name},{'no' if k % 2 else 'yes'},0.{k}0\n" for k, name in enumerate(ids))
    )


def own(source: Source) -> dict[str, list[Facet]]:
    return {pair.id: [facet for facet in pair.facets if facet.name != "genre"] for pair in source.pairs()}


def test_a_wide_file_gives_a_facet_per_column_and_numbers_stay_as_written(tmp_path: Path) -> None:
    view = attach_facets(Listed(PAIRS), wide(tmp_path / "a.csv", [pair.id for pair in PAIRS[:3]]))
    facets = own(view)
    assert facets["listed/dev/1"] == [Facet("hard", "no"), Facet("score", "0.10")]
    assert facets["listed/dev/5"] == []
    assert [pair.id for pair in view.pairs()] == [pair.id for pair in PAIRS]
    assert view.coverage() == FacetCoverage(6, 3, 0, ())
    assert all(Facet("genre", "fiction") in pair.facets for pair in list(view.pairs())[:3])


def test_a_long_file_gives_a_facet_per_line_and_a_name_may_have_many_values(tmp_path: Path) -> None:
    text = "pairID,name,value\nlisted/dev/0,kind,a\nlisted/dev/1,kind,a\nlisted/dev/0,kind,b\nlisted/dev/0,size,07\n"
    facets = own(attach_facets(Listed(PAIRS), write(tmp_path / "long.csv", text)))
    assert facets["listed/dev/0"] == [Facet("kind", "a"), Facet("kind", "b"), Facet("size", "07")]
    assert facets["listed/dev/1"] == [Facet("kind", "a")]


def test_lists_in_json_are_many_values_and_lines_may_differ(tmp_path: Path) -> None:
    lines = [
        {"id": "listed/dev/0", "k": ["x", "y"], "n": 3},
        {"id": "listed/dev/1", "other": 0.5},
        {"id": "listed/dev/2", "k": None},
    ]
    path = write(tmp_path / "f.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    facets = own(attach_facets(Listed(PAIRS), path))
    assert facets["listed/dev/0"] == [Facet("k", "x"), Facet("k", "y"), Facet("n", "3")]
    assert facets["listed/dev/1"] == [Facet("other", "0.5")]
    assert facets["listed/dev/2"] == []


def test_conditions_see_attached_facets(tmp_path: Path) -> None:
    view = attach_facets(Listed(PAIRS), wide(tmp_path / "a.csv", [pair.id for pair in PAIRS]))
    chosen = Filtered(view, parse_where("hard:no+label:N", view.name))
    assert [pair.id for pair in chosen.pairs()] == ["listed/dev/1"]
    assert attached_facets(Limited(chosen, 1)) is view
    assert attached_facets(Listed(PAIRS)) is None


def test_the_view_tells_what_it_is(tmp_path: Path) -> None:
    ids = [pair.id for pair in PAIRS]
    first, moved = wide(tmp_path / "a.csv", ids), wide(tmp_path / "b.csv", ids)
    other = wide(tmp_path / "c.csv", ids[:-1])
    whole = Listed(PAIRS)
    views = [attach_facets(whole, path) for path in (first, moved, other, f"file:{first}")]
    digests = [view.digest() for view in views]
    assert digests[0] == digests[1] == digests[3] != digests[2] != whole.digest()
    assert views[0].name == f"listed/dev?facets={first}"
    assert Spec.parse(views[3].name).params == (("facets", f"file:{first}"),)
    assert views[0].files() == [*whole.files(), Path(first)]
    assert views[0].expected == Split(6)
    assert not is_published(views[0])
    assert isinstance(origin(views[0]), Listed)


def test_any_source_of_pairs_takes_facets(tmp_path: Path) -> None:
    ids = [pair.id for pair in Bare().pairs()]
    view = attach_facets(Bare(), wide(tmp_path / "a.csv", ids))
    assert len([pair for pair in view.pairs() if Facet("hard", "yes") in pair.facets]) == 2
    assert view.expected == Split(None, None)


def test_several_files_are_joined(tmp_path: Path) -> None:
    ids = [pair.id for pair in PAIRS]
    one, two = wide(tmp_path / "a.csv", ids), wide(tmp_path / "b.csv", ids, "pair_id,big,size")
    view = attach_facets(Listed(PAIRS), f"{one};file:{two}")
    assert [facet.name for facet in own(view)["listed/dev/0"]] == ["hard", "score", "big", "size"]
    with pytest.raises(DataError, match=r"the facet 'hard' is in two of the files"):
        attach_facets(Listed(PAIRS), f"{one};{one}")
    odd = wide(tmp_path / "a;b.csv", ids)
    assert own(attach_facets(Listed(PAIRS), odd)) == own(attach_facets(Listed(PAIRS), one))


def test_ids_without_the_name_of_the_corpus_are_taken_if_all_are_such(tmp_path: Path) -> None:
    bare = attach_facets(Listed(PAIRS), wide(tmp_path / "a.csv", [str(k) for k in range(6)]))
    assert own(bare)["listed/dev/1"] == [Facet("hard", "no"), Facet("score", "0.10")]
    mixed = attach_facets(Listed(PAIRS), wide(tmp_path / "b.csv", ["listed/dev/0", "1", "2"]))
    assert [name for name, facets in own(mixed).items() if facets] == ["listed/dev/0"]
    assert mixed.coverage() == FacetCoverage(6, 1, 2, ("1", "2"))
    numbers = write(tmp_path / "n.jsonl", '{"id": 1, "a": "x"}\n{"id": 2.0, "a": "y"}\n')
    assert own(attach_facets(Listed(PAIRS), numbers))["listed/dev/2"] == [Facet("a", "y")]


def test_an_id_that_two_pairs_share_is_refused_without_the_name_of_the_corpus(tmp_path: Path) -> None:
    pairs = [Pair("m/dev/6666c", "p", "h"), Pair("m/dev/7", "p", "h"), Pair("m/dev/6666c#2", "q", "h")]
    whole = Listed(pairs, "m/dev")
    with pytest.raises(
        DataError, match=r"'6666c' is that of two pairs, m/dev/6666c and m/dev/6666c#2\. Write the whole"
    ):
        own(attach_facets(whole, wide(tmp_path / "a.csv", ["6666c", "7"])))
    full = own(attach_facets(whole, wide(tmp_path / "b.csv", ["m/dev/6666c", "m/dev/7"])))
    assert [bool(facets) for facets in full.values()] == [True, True, False]
    both = own(attach_facets(whole, wide(tmp_path / "c.csv", ["6666c", "6666c#2"])))
    assert [bool(facets) for facets in both.values()] == [True, False, True]


def test_entries_that_belong_to_no_pair_are_counted_and_noticed(tmp_path: Path) -> None:
    view = attach_facets(Listed(PAIRS), wide(tmp_path / "a.csv", ["listed/dev/0", "listed/dev/x", "listed/dev/y"]))
    [notice] = source_notices(Filtered(view, parse_where("label:E", "x")))
    assert notice == (
        "2 ids in the file of facets belong to no pair (the first: listed/dev/x, listed/dev/y); 1 of 6 pairs have "
        "facets from it."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pair_id,a\nother/1,x\n", r"no id in .*f\.csv is that of a pair\. In the file: 'other/1'\. Pairs are"),
        ("pair_id,genre\nlisted/dev/0,x\n", r"listed/dev/0 has the facet 'genre' already\. Rename it"),
        ("pair_id,a\nlisted/dev/0,x\nlisted/dev/1,x\nlisted/dev/0,x\n",
         r"f\.csv, line 4: the pair 'listed/dev/0' is already in .*f\.csv, line 2"),
        ("pair_id,name,value\nlisted/dev/0,a,x\nlisted/dev/0,a,x\n",
         r"line 3: the pair 'listed/dev/0' is already in .*line 2"),
        ("pair_id,name,value\nlisted/dev/0,,x\n", r"line 2: the facet's name in column 'name' is empty"),
        ("pair_id,a\n,x\n", r"line 2: the pair id in column 'pair_id' is empty"),
        ("pair_id,a\nlisted/dev/0,\n", r"holds no facets: it needs a column of pair ids and at least one other"),
        ("pair_id\nlisted/dev/0\n", r"holds no facets"),
        ("pair_id,a\n", r"f\.csv is empty: it holds no records"),
        ("key,a\nlisted/dev/0,x\n", r"line 2: there is no column 'pair_id' or .*Name it with pair=COLUMN"),
        ("pair_id,label,a\nlisted/dev/0,E,x\n", r"cannot be called 'label'.*facets=file:PATH%3Fcolumns=a\."),
        ("pair_id,name,value\nlisted/dev/0,label,E\n", r"line 2: a facet cannot be called 'label'"),
        ("pair_id,a,b\nlisted/dev/0,x,y\nlisted/dev/1,x", r"line 3: 2 fields where the header has 3"),
    ],
)  # fmt: skip
def test_files_that_go_wrong_are_refused_with_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        own(attach_facets(Listed(PAIRS), write(tmp_path / "f.csv", text)))


def test_other_encodings_are_asked_for_and_taken(tmp_path: Path) -> None:
    path = write(tmp_path / "f.csv", "pair_id,place\nlisted/dev/0,Québec\n", "latin-1")
    with pytest.raises(DataError, match=r"f\.csv.*UTF-8"):
        attach_facets(Listed(PAIRS), path)
    view = attach_facets(Listed(PAIRS), f"{path}?encoding=latin-1")
    assert own(view)["listed/dev/0"] == [Facet("place", "Québec")]
    named = Spec.parse(view.name).params
    assert own(attach_facets(Listed(PAIRS), dict(named)["facets"])) == own(view)


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    path = write(tmp_path / "f.csv", "key;label;a;b;pair_id\nlisted/dev/0;E;1;2;zz\n")
    view = attach_facets(Listed(PAIRS), f"file:{path}?pair=key&columns=a+b")
    assert own(view)["listed/dev/0"] == [Facet("a", "1"), Facet("b", "2")]
    with pytest.raises(DataError, match=r"there is no column 'c'"):
        attach_facets(Listed(PAIRS), f"{path}?pair=key&columns=a+c")
    with pytest.raises(UsageError, match=r"'file' has no parameter 'colums'\. Did you mean 'columns'"):
        attach_facets(Listed(PAIRS), f"{path}?colums=a")


def test_a_file_must_be_named_and_be_there(tmp_path: Path) -> None:
    for text in ("", ";", "file:"):
        with pytest.raises(UsageError, match=r"does not name a file: write facets=file:PATH"):
            attach_facets(Listed(PAIRS), text)
    wide(tmp_path / "hard.csv", ["a"])
    with pytest.raises(NotFoundError, match=r"There is no file .*hart\.csv\. Did you mean 'hard\.csv'"):
        attach_facets(Listed(PAIRS), str(tmp_path / "hart.csv"))


def test_a_torn_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    write_facets(path, [{"pair_id": pair.id, "a": 1} for pair in PAIRS])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"f\.parquet"):
        attach_facets(Listed(PAIRS), str(path))


_ids = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).filter(
    lambda text: text == text.strip()
)


@given(st.lists(_ids, min_size=1, max_size=8, unique=True), st.sampled_from(ENDINGS), st.data())
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str], ending: str, data: st.DataObject
) -> None:
    words = data.draw(st.lists(_ids, min_size=len(ids), max_size=len(ids)))
    path = tmp_path_factory.mktemp("facets") / f"f{ending}"
    rows: list[dict[str, str | int | float]] = [
        {"pair_id": name, "score": round(k / 7, 4), "word": word, "count": k}
        for k, (name, word) in enumerate(zip(ids, words, strict=True))
    ]
    write_facets(path, rows)
    read = FacetFile.open(str(path))
    assert read.facets == {
        row["pair_id"]: tuple(Facet(name, str(row[name])) for name in ("score", "word", "count")) for row in rows
    }


def test_tsv_cannot_hold_a_tab_and_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot hold 'a\\tb', which has a tab or a line break: write \.csv"):
        write_facets(tmp_path / "f.tsv", [{"pair_id": "a\tb", "x": 1}])
    with pytest.raises(UsageError, match=r"should end in \.csv, \.tsv, \.jsonl, \.parquet"):
        write_facets(tmp_path / "f.xlsx", [{"pair_id": "a", "x": 1}])
    assert list(tmp_path.iterdir()) == []


def test_files_of_pairs_keep_columns_and_take_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "mine.csv", "id,premise,hypothesis,label,genre\n1,A b.,c,E,x\n2,A d.,e,N,y\n")
    write(tmp_path / "hard.csv", "pair_id,hard\nmine/1,yes\nmine/2,no\n")
    assert own_names("file:mine.csv?facets=genre") == {"genre"}
    assert own_names("file:mine.csv?facets=file:hard.csv") == {"hard"}
    assert own_names("file:mine.csv?facets=genre;file:hard.csv") == {"genre", "hard"}
    chosen = open_source("file:mine.csv?facets=genre;file:hard.csv&where=hard:no")
    assert [pair.id for pair in chosen.pairs()] == ["mine/2"]
    assert chosen.digest() != open_source("file:mine.csv?facets=genre;file:hard.csv").digest()
    with pytest.raises(UsageError, match=r"'hard\.csv' is not a column of mine\.csv but a file.*facets=file:hard\.csv"):
        open_source("file:mine.csv?facets=genre;hard.csv")
    with pytest.raises(UsageError, match=r"'hard\.csv' is not a column"):
        open_source("file:mine.csv?facets=hard.csv&evidence=lexical")
    with pytest.raises(DataError, match=r"there is no column 'genr'"):
        list(open_source("file:mine.csv?facets=genr;file:hard.csv").pairs())
    write(tmp_path / "mine.csv", "id,premise,hypothesis,label,hard\n1,A b.,c,E,x\n2,A d.,e,N,y\n")
    with pytest.raises(DataError, match=r"mine/1 has the facet 'hard' already"):
        list(open_source("file:mine.csv?facets=hard;file:hard.csv").pairs())


def own_names(text: str) -> set[str]:
    return {facet.name for pair in open_source(text).pairs() for facet in pair.facets}


def test_evidence_and_facets_go_together(tmp_path: Path) -> None:
    evidenced = attach_evidence(Listed(PAIRS), "lexical", [])
    path = wide(tmp_path / "a.csv", [pair.id for pair in PAIRS])
    assert attach_facets(evidenced, path).name == f"listed/dev?evidence=lexical&facets={path}"
    named = open_source(f"builtin/sentences-dev?facets={wide(tmp_path / 'b.csv', first_ids())}&where=hard:yes&limit=1")
    assert [facet.value for pair in named.pairs() for facet in pair.facets if facet.name == "score"] == ["0.00"]


def first_ids() -> list[str]:
    return [pair.id for pair in open_source("builtin/sentences-dev?limit=4").pairs()]
