"""``wmd-k``: the rows chosen are those of measuring every row, whatever the table, its edits and the vectors."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.api.sources import open_source
from nliprobe.base.errors import MissingExtraError, NotFoundError, UsageError
from nliprobe.base.registry import Registry, Spec
from nliprobe.language.vectors import Vectors
from nliprobe.language.words import FUNCTION_WORDS, known_words, lower_words
from nliprobe.models.system import System, SystemSpec
from nliprobe.represent import REPRESENTATIONS, _transport
from nliprobe.represent._transport import Nearest
from nliprobe.represent.para import Para
from nliprobe.represent.reader import build_representation
from nliprobe.represent.wmd import Wmd
from nliprobe.task.table import Row, Table

if find_spec("ot") is None:
    pytest.skip("wmd-k needs POT", allow_module_level=True)

LETTERS = "bcdefghijklm"


def write_vectors(folder: Path, vectors: dict[str, list[float]]) -> Path:
    folder.mkdir(exist_ok=True)
    np.save(folder / "vectors.npy", np.array(list(vectors.values()), dtype=np.float64))
    (folder / "words.txt").write_text("".join(f"{word}\n" for word in vectors), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def random_vectors(tmp_path_factory: pytest.TempPathFactory) -> Vectors:
    draws = np.random.default_rng(5)
    words = {letter: list(map(float, draws.normal(size=5))) for letter in LETTERS}
    words["z"] = words["b"]  # a word with another's vector: ties between different words
    return Vectors(write_vectors(tmp_path_factory.mktemp("random"), words))


@pytest.fixture(scope="session")
def whole_vectors(tmp_path_factory: pytest.TempPathFactory) -> Vectors:
    draws = np.random.default_rng(6)
    words = {letter: list(map(float, draws.integers(0, 3, size=2))) for letter in LETTERS}
    return Vectors(write_vectors(tmp_path_factory.mktemp("whole"), words))


@cache
def emd2() -> Any:
    _transport._import_pot()  # first, for it leaves torch out
    return import_module("ot").emd2


def plain_distance(vectors: Vectors, one: str, other: str) -> float:
    """Word mover's distance by the book, with nothing shared with ours but the words that count."""

    def bag(text: str) -> tuple[Any, Any]:
        words = [
            word
            for token in lower_words(text)
            for word in known_words(token, lambda word: vectors.place(word) is not None)
        ]
        counted = sorted(Counter(words).items())
        return [vectors.place(word) for word, _ in counted], np.array([count / len(words) for _, count in counted])

    (here, masses), (there, wanted) = bag(one), bag(other)
    if not here or not there:
        return inf
    differences = vectors.take(here)[:, None] - vectors.take(there)[None]
    return round(float(emd2()(masses, wanted, np.sqrt((differences**2).sum(axis=-1)))), 9)


def plain_choice(vectors: Vectors, hypothesis: str, texts: list[str], k: int) -> list[int]:
    distances = [plain_distance(vectors, hypothesis, text) for text in texts]
    return sorted(sorted(range(len(texts)), key=distances.__getitem__)[:k])


words = st.sampled_from([*LETTERS, "z", "unknown", "the"])
sentences = st.lists(words, max_size=6).map(" ".join)


@settings(max_examples=150)
@given(sentences, st.lists(sentences, min_size=1, max_size=9), st.integers(1, 4))
def test_choice_is_that_of_measuring_every_row(
    random_vectors: Vectors, hypothesis: str, texts: list[str], k: int
) -> None:
    assert Nearest(random_vectors).choose(hypothesis, texts, k) == plain_choice(random_vectors, hypothesis, texts, k)


@given(sentences, st.lists(sentences, min_size=1, max_size=9), st.integers(1, 4))
def test_ties_go_to_the_first(whole_vectors: Vectors, hypothesis: str, texts: list[str], k: int) -> None:
    assert Nearest(whole_vectors).choose(hypothesis, texts, k) == plain_choice(whole_vectors, hypothesis, texts, k)


@given(sentences, sentences)
def test_distance_is_a_distance(random_vectors: Vectors, one: str, other: str) -> None:
    nearest = Nearest(random_vectors)
    there, back = nearest.distances(one, [other])[0], nearest.distances(other, [one])[0]
    assert there == pytest.approx(back, abs=1e-8)
    assert there == pytest.approx(plain_distance(random_vectors, one, other), abs=1e-8)
    assert nearest.distances(one, [one])[0] in (0.0, inf)


@given(sentences, st.lists(sentences, min_size=2, max_size=8), st.data())
def test_edited_tables_after_others_choose_as_fresh_ones(
    random_vectors: Vectors, hypothesis: str, texts: list[str], data: st.DataObject
) -> None:
    warm = Nearest(random_vectors)
    for _ in range(3):
        kept = data.draw(st.permutations(texts))[: data.draw(st.integers(1, len(texts)))]
        added = [*kept, data.draw(sentences)]
        for asked in (hypothesis, data.draw(sentences), hypothesis):
            assert warm.choose(asked, added, 2) == plain_choice(random_vectors, asked, added, 2)


def test_pruning_measures_fewer(random_vectors: Vectors) -> None:
    nearest = Nearest(random_vectors)
    far = [f"{one} {other}" for one in "fghij" for other in "klm"]
    assert nearest.choose("b c d", ["b c", "c d b", *far], 1) == [1]
    assert nearest.measured < 1 + len(far)


TABLE = Table(
    "Ann",
    (
        Row("Spouse", ("Bob Lee",)),
        Row("Instruments", ("Piano", "guitar")),
        Row("Born", ("14 June 1961",)),
        Row("Genres", ("Jazz",)),
    ),
)
GRID = Table(
    "raptors", (Row("", ("baker", "3")), Row("", ("banks", "5")), Row("", ("baker", "7"))), "", ("player", "no")
)
MEANINGS = {
    "spouse": [9.0, 0.0, 0.0],
    "married": [8.5, 0.5, 0.0],
    "bob": [7.0, 0.0, 1.0],
    "lee": [7.0, 0.0, 2.0],
    "instruments": [0.0, 9.0, 0.0],
    "piano": [0.0, 9.0, 1.0],
    "guitar": [0.0, 8.0, 1.0],
    "genres": [0.0, 5.0, 5.0],
    "jazz": [0.0, 5.0, 6.0],
    "ann": [3.0, 3.0, 3.0],
    "born": [0.0, 0.0, 9.0],
    "1961": [0.0, 0.0, 8.0],
    "banks": [1.0, 1.0, 1.0],
}


@pytest.fixture
def meanings(tmp_path: Path) -> Path:
    return write_vectors(tmp_path / "meanings", MEANINGS)


def chosen(spec: str, vectors: Path, table: Table, hypothesis: str) -> tuple[str, ...]:
    return build_representation(f"{spec}?vectors={vectors}").segments(table, hypothesis)


def test_rows_of_a_known_table(meanings: Path) -> None:
    assert chosen("wmd-1", meanings, TABLE, "Ann married Bob.") == ("The spouse of Ann is Bob Lee.",)
    assert chosen("wmd-2", meanings, TABLE, "Ann is a jazz guitar player.") == (
        "The instruments of Ann are Piano, guitar.",
        " The genres of Ann are Jazz.",
    )
    para = build_representation("para").segments(TABLE, "")
    assert chosen("wmd-4", meanings, TABLE, "h") == chosen("wmd-99", meanings, TABLE, "h") == para


def test_edited_tables_go_the_same_way(meanings: Path) -> None:
    wmd = build_representation(f"wmd-1?vectors={meanings}")
    asked = "Ann plays the piano."
    assert wmd.segments(TABLE, asked) == ("The instruments of Ann are Piano, guitar.",)
    assert wmd.segments(TABLE.delete(1), asked) == ("The genres of Ann are Jazz.",)
    assert wmd.segments(TABLE.update(0, Row("Spouse", ("piano",))), asked) == (
        "The instruments of Ann are Piano, guitar.",
    )
    both = build_representation(f"wmd-2?vectors={meanings}")
    turned = TABLE.permute([3, 2, 1, 0])
    assert both.segments(turned, asked) == ("The genres of Ann are Jazz.", " The instruments of Ann are Piano, guitar.")


def test_many_column_tables_keep_their_title(meanings: Path) -> None:
    assert chosen("wmd-1", meanings, GRID, "banks played") == ("raptors.", " The player is banks, the no is 5.")


def test_without_known_words_the_first_rows_are_taken(meanings: Path) -> None:
    first = build_representation("para").segments(TABLE, "")[:2]
    assert chosen("wmd-2", meanings, TABLE, "Xyzzy!") == chosen("wmd-2", meanings, TABLE, "") == first
    table = Table("T", (Row("x", ("y",)), Row("Genres", ("Jazz",)), Row("u", ("v",))))
    assert chosen("wmd-1", meanings, table, "jazz") == ("The genres of T are Jazz.",)
    assert chosen("wmd-2", meanings, table, "jazz") == ("The x of T is y.", " The genres of T are Jazz.")


def test_names_and_parameters(meanings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_VECTORS", str(meanings))
    for k in (1, 3, 12):
        built = build_representation(f"wmd-{k}")
        assert isinstance(built, Wmd)
        assert built.k == k
    assert "wmd-k" in REPRESENTATIONS.names()
    for wrong in ("wmd-0", "wmd-k", "wmd-k?vectors=x", "wmd-3:x"):
        with pytest.raises(UsageError, match=r"write a number of at least 1 for k, as in wmd-3"):
            build_representation(wrong)
    with pytest.raises(NotFoundError, match="Did you mean 'wmd-k'"):
        build_representation("wmd")
    with pytest.raises(NotFoundError, match="no representation named 'para-3'"):
        build_representation("para-3")
    with pytest.raises(UsageError, match=r"'wmd-3' has no parameter 'vector'. Did you mean 'vectors'\?"):
        build_representation("wmd-3?vector=x")
    with pytest.raises(NotFoundError, match="do not exist"):
        build_representation("wmd-3?vectors=/absent/file")


def test_a_numbered_name_of_its_own_comes_first() -> None:
    registry: Registry[object] = Registry("thing", "nliprobe.language")

    class Some: ...

    class Third: ...

    registry.register("some-k")(Some)
    registry.register("some-3")(Third)
    assert registry.get("some-2") is Some
    assert registry.get("some-3") is Third


def test_without_pot_it_says_what_to_install(meanings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_transport, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"needs POT.*Install with: pip install 'nliprobe\[wmd\]'"):
        chosen("wmd-3", meanings, TABLE, "h")


@pytest.mark.parametrize("written", ["svm?represent=wmd-3?vectors={}", "svm?represent=wmd-3%3Fvectors%3D{}"])
def test_inside_the_spec_of_a_system(meanings: Path, written: str) -> None:
    spec = SystemSpec.parse(written.format(meanings))
    assert spec.represent == f"wmd-3?vectors={meanings}"
    assert SystemSpec.parse(str(spec)).represent == spec.represent
    assert Spec.parse(str(spec)) == Spec.parse(f"svm?represent=wmd-3%3Fvectors={meanings}")


def test_other_vectors_make_another_system(meanings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_VECTORS", str(meanings))

    def identities() -> tuple[str | None, str]:
        system = System.build(SystemSpec.parse("svm?represent=wmd-3"), train={"some/train": "digest"})
        return system.fingerprint(), system.identity()

    before = identities()
    assert identities() == before
    write_vectors(meanings, {**MEANINGS, "ann": [3.0, 3.0, 4.0]})
    assert all(old != new for old, new in zip(before, identities(), strict=True))


@pytest.mark.parametrize("split", ["infotabs/dev", "infotabs/alpha3", "tabfact/test-simple"])
def test_real_tables_choose_as_the_plain_loop(data: Path, split: str) -> None:
    if not (data / "glove").is_dir() or not (data / split.partition("/")[0]).is_dir():
        pytest.skip(f"NLIPROBE_DATA has no glove or no {split}")
    vectors, para = Vectors(data / "glove"), Para()
    wmd = Wmd(3, vectors)
    for pair in list(open_source(split, data).pairs())[::90][:20]:
        assert isinstance(pair.premise, Table)
        for table in (pair.premise, pair.premise.delete(len(pair.premise.rows) // 2)):
            texts = para.row_texts(table)
            expected = plain_choice(vectors, pair.hypothesis, texts, 3)
            assert wmd.segments(table, pair.hypothesis) == para.assemble(table, [texts[place] for place in expected])


def test_function_words_do_not_count(meanings: Path) -> None:
    assert {"the", "of", "is", "are", "was"} <= FUNCTION_WORDS
    nearest = Nearest(Vectors(meanings))
    assert nearest.distances("jazz", ["the jazz", "jazz of the"]) == [0.0, 0.0]
