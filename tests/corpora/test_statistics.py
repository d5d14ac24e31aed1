"""Statistics of corpora: by hand on small files, and as the papers print them on the real ones."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from tests.analysis.schemas import load_schema, validate
from tests.corpora.files import write, write_infotabs

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.corpora._words import content_words, premise_words, words
from nliprobe.corpora.statistics import Composition, statistics, stats_document
from nliprobe.task import statistics as shapes
from nliprobe.task.statistics import CorpusStats
from nliprobe.task.table import Row, Table

pytestmark = pytest.mark.corpora

SPLITS = ("train", "dev", "alpha1", "alpha2", "alpha3")
ADA = {"title": ["Ada Lovelace"], "Born": ["10 December 1815"], "Known for": ["notes", "programs"]}
ALAN = {"title": ["Alan Turing"], "Born": ["1912"], " born ": ["in London"]}
LINES = [
    "A\tT1\tAda was born in December.\tE",
    "A\tT1\tAda was born in December.\tC",
    "A\tT1\tada wrote poems\tN",
    "B\tT2\tTuring was there.\tE",
]


def _small(root: Path) -> CorpusStats:
    write_infotabs(root, LINES, {"T1": ADA, "T2": ALAN})
    return statistics(Composition.of(open_source("infotabs/dev", root)))


def test_words_lose_the_punctuation_around_them() -> None:
    assert words("«Ada» isn't (here), is she?") == ["Ada", "isn't", "here", "is", "she"]
    assert words(" . -- ") == []
    assert content_words(["The", "isn't", "Countess", "the", "countess"]) == {"Countess", "countess"}


def test_words_of_a_table_are_those_of_title_header_keys_and_values() -> None:
    assert premise_words(Table("A b", (Row("k", ("v w",)),), columns=("c",))) == ["A", "b", "c", "k", "v", "w"]


def test_statistics_by_hand(tmp_path: Path) -> None:
    found = _small(tmp_path)
    assert (found["pairs"], found["tables"], found["premises"], found["unlabelled"]) == (4, 2, 2, 0)
    assert found["labels"] == {"E": 2, "N": 1, "C": 1}
    assert found["keys"] == {"per_table": 2.0, "unique": 3, "folded": 2}
    assert (found["duplicates"], found["conflicts"]) == (1, 1)
    assert [(one["author"], one["pairs"], one["together"]) for one in found["authors"]] == [("A", 3, 0.75), ("B", 1, 1)]
    assert found["categories"] == [{"category": "Person", "tables": 2, "share": 1.0}]
    assert found["hypotheses"]["E"]["words"] == {"mean": 4.0, "sd": pytest.approx(2**0.5)}
    assert found["hypotheses"]["N"]["words"] == {"mean": 3.0, "sd": None}
    # Ada, born, December: all there, but the table writes Born.
    assert found["hypotheses"]["C"]["overlap"] == {"mean": 1.0, "sd": None}
    cased = found["hypotheses"]["C"]["overlap_cased"]
    assert cased is not None
    assert cased["mean"] == pytest.approx(2 / 3)
    assert found["hypotheses"]["all"]["n"] == 4
    assert found["facets"] == {}
    assert found["shared"] is None


def test_hypothesis_of_stop_words_has_no_overlap(tmp_path: Path) -> None:
    write_infotabs(tmp_path, ["A\tT1\tIt was not.\tE"])
    found = statistics(Composition.of(open_source("infotabs/dev", tmp_path)))
    assert found["hypotheses"]["E"]["overlap"] is None
    assert found["hypotheses"]["E"]["words"]["mean"] == 3.0


def test_spellings_of_a_category_count_as_one(tmp_path: Path) -> None:
    write_infotabs(tmp_path, [f"A\tT{n}\tx\tE" for n in (1, 2, 3)], {f"T{n}": ADA for n in (1, 2, 3)})
    lines = "T1\tFood\nT2\tFood&Drinks\nT3\tSports Event\n"
    write(tmp_path / "tables" / "table_categories.tsv", f"table_id\tcategory\n{lines}")
    found = statistics(Composition.of(open_source("infotabs/dev", tmp_path)))
    assert [(one["category"], one["tables"]) for one in found["categories"]] == [("Food & Drinks", 2), ("Sports", 1)]


def test_texts_have_no_tables_and_facets_are_counted_by_label(tmp_path: Path) -> None:
    rows = [
        {"premise": "A dog runs.", "hypothesis": "Dogs run.", "label": "E", "kind": ["x", "y"]},
        {"premise": "A dog runs.", "hypothesis": "A cat.", "label": "-", "kind": ["x"]},
        {"premise": "Rain.", "hypothesis": "Sun.", "label": "C"},
    ]
    path = write(tmp_path / "own.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    document = stats_document([open_source(f"file:{path}?facets=kind")], open_source(f"file:{path}"))
    validate("data-stats", document)
    (found,) = document["corpora"]
    assert (found["tables"], found["premises"], found["keys"], found["rows_per_table"]) == (0, 2, None, None)
    assert (found["unlabelled"], found["labels"]) == (1, {"E": 1, "C": 1})
    assert found["facets"]["kind"] == {
        "pairs": 2,
        "values": {"x": {"E": 1, "": 1}, "y": {"E": 1}},
        "per_pair": {"1": 1, "2": 1},
        "mean_per_pair": 1.5,
    }
    assert found["shared"] == {"keys": 0, "authors": 0, "pairs_of_shared_authors": 0, "premises": 2, "contents": 3}


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("", shapes.StatsDocument),
        ("corpus", shapes.CorpusStats),
        ("hypotheses", shapes.HypothesisStats),
        ("facet", shapes.FacetCounts),
        ("shared", shapes.Shared),
        ("keys", shapes.KeyStats),
        ("author", shapes.AuthorShare),
    ],
)
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("data-stats")
    part = schema["$defs"][place] if place else schema
    assert list(part["properties"]) == list(kind.__annotations__)


# The printed numbers of InfoTabS ------------------------------------------------------------------------------


@cache
def _real(split: str, root: Path) -> CorpusStats:
    train = Composition.of(open_source("infotabs/train", root)) if split != "train" else None
    return statistics(Composition.of(open_source(f"infotabs/{split}", root)), train)


@pytest.fixture(scope="module")
def infotabs(data: Path) -> Path:
    try:
        open_source("infotabs/train", data)
    except NotFoundError as error:
        pytest.skip(str(error))
    return data


@pytest.mark.parametrize(
    ("split", "tables", "pairs", "keys", "authors"),
    [
        ("train", 1740, 16538, 8.8, 121),
        ("dev", 200, 1800, 8.7, 35),
        ("alpha1", 200, 1800, 8.8, 37),
        ("alpha2", 200, 1800, 8.8, 31),
        ("alpha3", 200, 1800, 13.1, 23),
    ],
)
def test_table_1_and_8(infotabs: Path, split: str, tables: int, pairs: int, keys: float, authors: int) -> None:
    found = _real(split, infotabs)
    assert (found["tables"], found["pairs"], len(found["authors"])) == (tables, pairs, authors)
    assert found["keys"] is not None
    assert round(found["keys"]["per_table"], 1) == keys


@pytest.mark.parametrize(
    ("split", "unique"), [("train", 1558), ("dev", 411), ("alpha1", 466), ("alpha2", 332), ("alpha3", 409)]
)
def test_table_8_unique_keys(infotabs: Path, split: str, unique: int) -> None:
    keys = _real(split, infotabs)["keys"]
    assert keys is not None
    assert keys["unique"] == pytest.approx(unique, rel=0.02)


@pytest.mark.parametrize(
    ("split", "keys", "authors", "pairs"),
    [("dev", 334, 33, 1794), ("alpha1", 312, 37, 1800), ("alpha2", 273, 30, 1797), ("alpha3", 94, 19, 1647)],
)
def test_table_8_shared_with_train(infotabs: Path, split: str, keys: int, authors: int, pairs: int) -> None:
    shared = _real(split, infotabs)["shared"]
    assert shared is not None
    assert (shared["authors"], shared["pairs_of_shared_authors"], shared["contents"]) == (authors, pairs, 0)
    assert shared["keys"] == pytest.approx(keys, rel=0.025)


TABLE_9 = {
    "train": (9.80, 9.84, 9.37),
    "dev": (9.71, 9.89, 9.72),
    "alpha1": (9.90, 10.05, 9.84),
    "alpha2": (9.33, 9.59, 9.40),
    "alpha3": (10.5, 9.84, 9.86),
}
TABLE_10 = {
    "train": (0.52, 0.46, 0.44),
    "dev": (0.47, 0.44, 0.43),
    "alpha1": (0.45, 0.44, 0.45),
    "alpha2": (0.46, 0.49, 0.44),
    "alpha3": (0.48, 0.46, 0.46),
}


@pytest.mark.parametrize("split", SPLITS)
def test_table_9_and_10(infotabs: Path, split: str) -> None:
    hypotheses = _real(split, infotabs)["hypotheses"]
    for label, length, overlap in zip("ENC", TABLE_9[split], TABLE_10[split], strict=True):
        found = hypotheses[label]
        # The paper cuts off what follows the second decimal; only 10.5 is rounded, and to one decimal: it is 10.48.
        off = found["words"]["mean"] - length
        assert 0 <= off < 0.01 or (length == 10.5 and off == pytest.approx(-0.02))
        assert found["words"]["sd"] is not None
        assert 2.75 <= found["words"]["sd"] < 3.55
        # The paper does not say how it counts; with case kept the means come close.
        assert found["overlap_cased"] is not None
        assert found["overlap_cased"]["mean"] == pytest.approx(overlap, abs=0.05)
        assert 0.165 <= (found["overlap_cased"]["sd"] or 0) < 0.235


TABLE_11 = {
    "Person": (23.68, 27, 28.5, 35.5),
    "Musician": (14.66, 19, 18.5, 22.5),
    "Movie": (10.17, 10, 9, 11.5),
    "Album": (9.08, 7, 3.5, 4.5),
    "City": (8.05, 8.5, 8, 7),
    "Painting": (5.98, 4.5, 4, 3.5),
    "Organization": (4.14, 2, 1, 0.5),
    "Food & Drinks": (4.08, 4, 4, 3),
    "Country": (3.74, 6, 9, 3.5),
    "Animal": (3.56, 4.5, 4, 4),
    "Sports": (4.6, 3.5, 2.5, 0.0),
    "Book": (2.18, 0.5, 3, 2.5),
}
TABLE_12 = {
    "Diseases": 20.4,
    "Festival": 17.41,
    "Bus/Train Lines": 14.93,
    "Exams": 8.46,
    "Element": 4.98,
    "Air crash": 3.98,
    "Bridge": 3.98,
    "Earthquakes": 3.48,
    "Smartphone": 3.48,
}


@pytest.mark.parametrize("split", SPLITS)
def test_table_11_and_12(infotabs: Path, split: str) -> None:
    printed = TABLE_12 if split == "alpha3" else {name: row[SPLITS.index(split)] for name, row in TABLE_11.items()}
    others = {"train": 6.07, "dev": 8.0, "alpha1": 5.0, "alpha2": 2.0, "alpha3": 18.9}
    found = {one["category"]: 100 * one["share"] for one in _real(split, infotabs)["categories"]}
    for name, percent in printed.items():
        assert found.get(name, 0) == pytest.approx(percent, abs=0.5), name
    rest = sum(percent for name, percent in found.items() if name not in printed)
    # In dev the printed column adds up to 104.5: the table's own rows leave 3.5 for "Other", not 8.
    assert rest == pytest.approx(3.5 if split == "dev" else others[split], abs=0.5)


def test_figure_6_forty_authors_wrote_about_nine_tenths(infotabs: Path) -> None:
    assert _real("train", infotabs)["authors"][39]["together"] == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize(
    ("split", "mean", "per_pair", "first"),
    [
        ("reasoning-dev", 2.32, {"1": 35, "2": 62, "3": 43, "4": 17, "5": 3}, ("KCS", {"E": 31, "N": 21, "C": 24})),
        ("reasoning-alpha3", 1.79, {"1": 68, "2": 62, "3": 26, "4": 4}, ("subjectiveoot", {"E": 2, "N": 43, "C": 9})),
    ],
)
def test_figure_2(
    infotabs: Path, split: str, mean: float, per_pair: dict[str, int], first: tuple[str, dict[str, int]]
) -> None:
    found = _real(split, infotabs)
    reasoning = found["facets"]["reasoning"]
    assert (found["pairs"], reasoning["pairs"]) == (160, 160)
    assert round(reasoning["mean_per_pair"], 2) == mean
    assert reasoning["per_pair"] == per_pair
    assert next(iter(reasoning["values"].items())) == first
    assert found["facets"]["types"]["values"].keys() == per_pair.keys()


def test_reasoning_of_dev_is_that_of_its_own_pairs(infotabs: Path) -> None:
    dev, own = _real("dev", infotabs)["facets"], _real("reasoning-dev", infotabs)["facets"]
    assert dev == own
    groups = {pair.group for pair in open_source("infotabs/reasoning-alpha3", infotabs).pairs()}
    assert groups == {f"T{number}" for number in range(2246, 2270)}
