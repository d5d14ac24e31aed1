"""The corpora themselves, where they are: every count, as their papers and files have it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.corpora import CORPORA
from nliprobe.corpora.base import Corpus
from nliprobe.corpora.check import CheckReport, check_corpus
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import Source
from nliprobe.task.table import Table

pytestmark = pytest.mark.corpora

# Pairs with gold E, N, C (HANS: E and NC), without gold, and distinct tables.
COUNTS: dict[str, tuple[dict[str, int], int, int]] = {
    "infotabs/train": ({"E": 5495, "N": 5538, "C": 5505}, 0, 1740),
    "infotabs/dev": ({"E": 600, "N": 600, "C": 600}, 0, 200),
    "infotabs/alpha1": ({"E": 600, "N": 600, "C": 600}, 0, 200),
    "infotabs/alpha2": ({"E": 600, "N": 600, "C": 600}, 0, 200),
    "infotabs/alpha3": ({"E": 600, "N": 600, "C": 600}, 0, 200),
    "infotabs/reasoning-dev": ({"E": 53, "N": 54, "C": 53}, 0, 18),
    "infotabs/reasoning-alpha3": ({"E": 49, "N": 57, "C": 54}, 0, 24),
    "infotabs/train-sample": ({"E": 37, "N": 59, "C": 44}, 0, 18),
    "infotabs/train-without-sample": ({"E": 5458, "N": 5479, "C": 5461}, 0, 1722),
    "infotabs-counterfactual/alpha1": ({"E": 1127, "C": 1127}, 0, 1306),
    "infotabs-counterfactual/train": ({"E": 1107, "C": 1109}, 0, 1255),
    "snli/dev": ({"E": 3329, "N": 3235, "C": 3278}, 158, 0),
    "snli/test": ({"E": 3368, "N": 3219, "C": 3237}, 176, 0),
    "snli/train-100k": ({"E": 33385, "N": 33194, "C": 33311}, 0, 0),
    "snli/train-25k": ({"E": 8367, "N": 8321, "C": 8292}, 0, 0),
    "snli-hard/test": ({"E": 1058, "N": 1068, "C": 1135}, 0, 0),
    "multinli/dev-matched": ({"E": 3479, "N": 3123, "C": 3213}, 185, 0),
    "multinli/dev-mismatched": ({"E": 3463, "N": 3129, "C": 3240}, 168, 0),
    "multinli/train-20k": ({"E": 6709, "N": 6646, "C": 6645}, 0, 0),
    "hans/evaluation": ({"E": 15000, "NC": 15000}, 0, 0),
    "anli/r1-dev": ({"E": 334, "N": 333, "C": 333}, 0, 0),
    "anli/r1-test": ({"E": 334, "N": 333, "C": 333}, 0, 0),
    "anli/r2-dev": ({"E": 334, "N": 333, "C": 333}, 0, 0),
    "anli/r2-test": ({"E": 334, "N": 333, "C": 333}, 0, 0),
    "anli/r3-dev": ({"E": 402, "N": 402, "C": 396}, 0, 0),
    "anli/r3-test": ({"E": 402, "N": 402, "C": 396}, 0, 0),
    "tabfact/val": ({"E": 6478, "C": 6314}, 0, 1696),
    "tabfact/test": ({"E": 6425, "C": 6354}, 0, 1695),
    "tabfact/test-simple": ({"E": 2120, "C": 2051}, 0, 833),
    "tabfact/test-complex": ({"E": 4305, "C": 4303}, 0, 862),
    "tabfact/small-test": ({"E": 989, "C": 1009}, 0, 298),
    "scitab/all": ({"E": 457, "N": 356, "C": 411}, 0, 216),
    "climate-fever/claims": ({"E": 654, "N": 474, "C": 253}, 154, 0),
    "climate-fever/sentences": ({"E": 1943, "N": 4930, "C": 802}, 0, 0),
    "summedits/ectsum": ({"E": 242, "NC": 426}, 0, 0),
    "summedits/news": ({"E": 321, "NC": 498}, 0, 0),
    "summedits/podcast": ({"E": 163, "NC": 337}, 0, 0),
    "summedits/qmsumm": ({"E": 183, "NC": 248}, 0, 0),
    "summedits/sales_call": ({"E": 173, "NC": 347}, 0, 0),
    "summedits/sales_email": ({"E": 179, "NC": 434}, 0, 0),
    "summedits/samsum": ({"E": 242, "NC": 422}, 0, 0),
    "summedits/scitldr": ({"E": 145, "NC": 321}, 0, 0),
    "nli-stress/antonymy-matched": ({"C": 1561}, 0, 0),
    "nli-stress/antonymy-mismatched": ({"C": 1734}, 0, 0),
    "nli-stress/numerical": ({"E": 2532, "N": 2532, "C": 2532}, 0, 0),
    "nli-stress/spelling-mismatched": ({"E": 365, "N": 325, "C": 310}, 0, 0),
    "mnli-hard/matched": ({"E": 1701, "N": 1486, "C": 1386}, 0, 0),
    "mnli-hard/mismatched": ({"E": 1710, "N": 1400, "C": 1420}, 0, 0),
    "becel/snli-negation": ({"E": 1854, "C": 2204}, 0, 0),
    "becel/snli-paraphrase": ({"E": 2904, "N": 3088, "C": 2820}, 0, 0),
    "becel/snli-symmetric": ({"C": 6474}, 0, 0),
    "becel/snli-transitive": ({"E": 717, "N": 1643, "C": 2694, "NC": 1658}, 0, 0),
    "becel/rte-negation": ({"E": 128, "NC": 153}, 0, 0),
    "becel/rte-paraphrase": ({"E": 264, "NC": 232}, 0, 0),
    "becel/rte-symmetric": ({"NC": 2480}, 0, 0),
}
SPLITS = [f"{name}/{split}" for name, kind in CORPORA for split in kind.splits]


@cache
def _report(name: str, root: Path) -> CheckReport:
    return check_corpus(open_source(name, root))


def _open(name: str, root: Path) -> Source:
    try:
        return open_source(name, root)
    except NotFoundError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", SPLITS)
def test_split_is_as_expected(data: Path, name: str) -> None:
    _open(name, data)
    report = _report(name, data)
    assert report.problems == ()
    # Of some files no source says how many pairs they hold; the counts below do.
    assert report.expected == report.pairs or (report.expected is None and name in COUNTS)


@pytest.mark.parametrize("name", SPLITS)
def test_split_keeps_the_contract(data: Path, name: str) -> None:
    corpus = _open(name, data)
    pairs = list(corpus.pairs())
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert all(pair.id.startswith(f"{name}/") for pair in pairs)
    assert all(pair.group for pair in pairs)
    assert all(pair.hypothesis.strip() for pair in pairs)
    assert all(pair.gold is None or pair.gold <= corpus.partition.labels for pair in pairs)
    assert all(pair.premise.rows for pair in pairs if isinstance(pair.premise, Table))
    assert list(corpus.pairs()) == pairs
    assert corpus.digest() == open_source(name, data).digest()


@pytest.mark.parametrize("name", COUNTS)
def test_label_counts(data: Path, name: str) -> None:
    _open(name, data)
    report = _report(name, data)
    assert (report.labels, report.unlabelled, report.tables) == COUNTS[name]


@pytest.mark.parametrize(
    ("split", "original", "flipped", "unchanged"),
    [
        ("alpha1", {"E": 576, "C": 551}, {"E": 551, "C": 576}, []),
        ("train", {"E": 565, "C": 542}, {"E": 542, "C": 567}, ["T21_mod_4"]),
    ],
)
def test_counterfactuals_flip_the_label_of_a_table_that_differs(
    data: Path, split: str, original: dict[str, int], flipped: dict[str, int], unchanged: list[str]
) -> None:
    pairs = list(_open(f"infotabs-counterfactual/{split}", data).pairs())
    by_id = {pair.id: pair for pair in pairs}
    made = [pair for pair in pairs if pair.bases]
    assert Counter(str(pair.gold) for pair in pairs if not pair.bases) == original
    assert Counter(str(pair.gold) for pair in made) == flipped
    assert all(by_id[pair.bases[0]].gold != pair.gold for pair in made)
    same = [pair for pair in made if by_id[pair.bases[0]].premise == pair.premise]
    assert [pair.id.rpartition("/")[2] for pair in same] == unchanged
    assert all(Facet("unchanged", "yes") in pair.facets and pair.evidence is None for pair in same)
    assert all(pair.evidence is not None and pair.evidence.units for pair in made if pair not in same)


def _tables(pairs: list[Pair]) -> dict[str, Table]:
    return {pair.group: pair.premise for pair in pairs if isinstance(pair.premise, Table)}


@pytest.mark.parametrize(
    ("split", "keys", "authors"),
    [("train", 8.8, 121), ("dev", 8.7, 35), ("alpha1", 8.8, 37), ("alpha2", 8.8, 31), ("alpha3", 13.1, 23)],
)
def test_infotabs_has_the_published_statistics(data: Path, split: str, keys: float, authors: int) -> None:
    pairs = list(_open(f"infotabs/{split}", data).pairs())
    tables = _tables(pairs)
    assert round(sum(len(table.rows) for table in tables.values()) / len(tables), 1) == keys
    assert len({facet.value for pair in pairs for facet in pair.facets if facet.name == "author"}) == authors
    assert all(table.category for table in tables.values())
    assert len({id(pair.premise) for pair in pairs}) == len(tables)


def test_infotabs_train_repeats_contents_with_conflicting_labels(data: Path) -> None:
    _open("infotabs/train", data)
    report = _report("infotabs/train", data)
    assert (report.duplicates, report.conflicts) == (21, 4)
    tables = _tables(list(open_source("infotabs/train", data).pairs()))
    assert sorted(name for name, table in tables.items() if len(table.rows) == 1) == ["T2358", "T2417", "T2445"]


def test_infotabs_has_the_published_number_of_row_deletions(data: Path) -> None:
    def deletions(split: str) -> int:
        pairs = _open(f"infotabs/{split}", data).pairs()
        return sum(len(pair.premise.rows) for pair in pairs if isinstance(pair.premise, Table))

    tests = sum(deletions(split) for split in ("alpha1", "alpha2", "alpha3"))
    assert tests == 55_170
    assert tests + deletions("dev") == 70_893


@pytest.mark.parametrize(
    ("split", "name", "title", "key", "values"),
    [
        ("alpha1", "T828", "Common", "Title", ("Doctor (Hon D.H.L.)",)),
        ("alpha2", "T1455", "Jeff Bezos", "Title", ("Chairman, CEO and President of Amazon",)),
        ("dev", "T1628", "Julianne Hough", "Years active", ("2001-present", "2007-present")),
    ],
)
def test_infotabs_odd_tables(data: Path, split: str, name: str, title: str, key: str, values: tuple[str, ...]) -> None:
    table = _tables(list(_open(f"infotabs/{split}", data).pairs()))[name]
    assert table.title == title
    assert [row.values for row in table.rows if row.key == key] == [values]


def test_multinli_repeats_27_ids(data: Path) -> None:
    pairs = _open("multinli/dev-mismatched", data).pairs()
    assert sum(pair.id.endswith("#2") for pair in pairs) == 27


def test_hans_has_thirty_subcases_of_a_thousand(data: Path) -> None:
    counts: dict[str, int] = {}
    for pair in _open("hans", data).pairs():
        subcase = next(facet.value for facet in pair.facets if facet.name == "subcase")
        counts[subcase] = counts.get(subcase, 0) + 1
    assert list(counts.values()) == [1000] * 30


def _facets(pairs: list[Pair], name: str) -> set[str]:
    return {facet.value for pair in pairs for facet in pair.facets if facet.name == name}


@pytest.mark.parametrize(
    ("name", "facet", "number"),
    [("multinli/train-20k", "genre", 5), ("anli/r3-dev", "genre", 6), ("tabfact/test", "complexity", 2)],
)
def test_facets_are_there(data: Path, name: str, facet: str, number: int) -> None:
    assert len(_facets(list(_open(name, data).pairs()), facet)) == number


@pytest.mark.parametrize("marker", ["[BOLD]", "[ITALIC]", "[EMPTY]", "[CONTINUE]", "<bold>", "<italic>", "<ref"])
def test_scitab_has_no_layout_left(data: Path, marker: str) -> None:
    def texts(pair: Pair) -> str:
        assert isinstance(pair.premise, Table)
        return pair.hypothesis + pair.premise.to_json()

    assert not any(marker in texts(pair) for pair in _open("scitab", data).pairs())


def test_own_file_reads_a_corpus_like_its_loader(data: Path) -> None:
    infotabs = _open("infotabs/dev", data)
    assert isinstance(infotabs, Corpus)
    folder = infotabs.folder
    path = folder / "maindata" / "infotabs_test_alpha1.tsv"
    spec = f"file:{path}?tables={folder / 'tables' / 'json'}&facets=annotater_id&quoting=1"
    own, official = list(open_source(spec).pairs()), list(open_source("infotabs/alpha1", data).pairs())
    assert [(pair.hypothesis, pair.gold, pair.group) for pair in own] == [
        (pair.hypothesis, pair.gold, pair.group) for pair in official
    ]
