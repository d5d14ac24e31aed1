"""Word vectors: every format, odd words, the kept copy, and files that are not what they should be."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, NotFoundError, StoreError
from nliprobe.language import _vector_text
from nliprobe.language.vectors import Vectors, find_vectors
from nliprobe.language.words import FUNCTION_WORDS, known_words, lower_words

GLOVE = "the 0.5 -1 2e-1\ncat 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\n\u0085 1 1 1\n1,200 0 0 1\n"


def text_file(folder: Path, content: str | bytes, name: str = "glove.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def array_files(folder: Path, array: np.ndarray, words: str) -> Path:
    np.save(folder / "mine.f16.npy", array)
    (folder / "words.txt").write_bytes(words.encode())
    return folder / "mine.f16.npy"


def vector(vectors: Vectors, word: str) -> list[float]:
    place = vectors.place(word)
    assert place is not None
    return [float(number) for number in vectors.take([place])[0]]


def test_text_file_with_words_that_hold_spaces(tmp_path: Path) -> None:
    vectors = Vectors(text_file(tmp_path, GLOVE))
    assert (len(vectors), vectors.dimensions) == (6, 3)
    assert vector(vectors, "the") == pytest.approx([0.5, -1, 0.2])
    assert vector(vectors, ". . .") == [4, 5, 6]
    assert vector(vectors, "at name@domain.com") == [7, 8, 9]
    assert vector(vectors, "\u0085") == [1, 1, 1]
    assert vectors.place("dog") is None


def test_gzip_headers_and_trailing_spaces_are_read_alike(tmp_path: Path) -> None:
    plain = Vectors(text_file(tmp_path, GLOVE))
    packed = Vectors(text_file(tmp_path, gzip.compress(GLOVE.encode()), "glove.txt.gz"))
    fast_text = Vectors(text_file(tmp_path, "6 3\n" + GLOVE.replace("\n", " \r\n"), "wiki.vec"))
    for word in ("the", ". . .", "1,200"):
        assert vector(packed, word) == vector(plain, word) == vector(fast_text, word)
    assert packed.digest == plain.digest != fast_text.digest


def test_more_lines_than_one_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_vector_text, "_BLOCK", 7)
    lines = [f"w{number} {number} {number / 8}" for number in range(150)]
    vectors = Vectors(text_file(tmp_path, "\n".join(lines)))
    assert len(vectors) == 150
    assert [vector(vectors, f"w{number}") for number in (0, 99, 100, 149)] == [
        [number, number / 8] for number in (0, 99, 100, 149)
    ]


def test_text_is_parsed_once_and_again_when_it_changes(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = text_file(tmp_path, GLOVE)
    first = Vectors(path).digest
    assert {item.name for item in (own_cache / "vectors").glob("*/*")} == {"vectors.npy", "words.txt", "source.json"}
    with monkeypatch.context() as patch:
        patch.setattr(_vector_text, "_convert", None)
        assert vector(Vectors(path), "cat") == [1, 2, 3]
        assert Vectors(path).digest == first
    path.write_text(GLOVE.replace("cat 1", "cat 9"))
    os.utime(path, ns=(1, 1))
    assert vector(Vectors(path), "cat") == [9, 2, 3]
    assert Vectors(path).digest != first


@pytest.mark.parametrize("name", ["vectors.npy", "words.txt", "source.json"])
def test_a_damaged_copy_is_made_again(tmp_path: Path, own_cache: Path, name: str) -> None:
    path = text_file(tmp_path, GLOVE)
    first = Vectors(path).digest
    (damaged,) = (own_cache / "vectors").glob(f"*/{name}")
    damaged.write_bytes(damaged.read_bytes()[:-5])
    assert vector(Vectors(path), "cat") == [1, 2, 3]
    assert Vectors(path).digest == first


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "file"))
    with pytest.raises(StoreError, match=r"Cannot write .*file/vectors"):
        len(Vectors(text_file(tmp_path, GLOVE)))


def test_a_failed_parse_leaves_nothing_behind(tmp_path: Path, own_cache: Path) -> None:
    with pytest.raises(DataError):
        len(Vectors(text_file(tmp_path, GLOVE + "dog 1 x 3\n")))
    assert list((own_cache / "vectors").iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "glove.txt is empty"),
        ("word\nother\n", "line 1: 'word' should be a word and its numbers"),
        (GLOVE + "dog 1 2\n", "line 7: 'dog 1 2' has 2 numbers where most lines have 3"),
        (GLOVE + "dog 1 2 3 4\n", "line 7: 'dog 1 2 3 4' has 4 numbers where most lines have 3"),
        (GLOVE + "\n", "line 7: '' has 0 numbers"),
        (GLOVE + "dog 1 two 3\n", "line 7: 'two' in the vector of 'dog' is not a number. A word and 3 numbers"),
        (GLOVE + "dog 1 nan 3\n", "line 7: 'nan' in the vector of 'dog' is not a number"),
        (GLOVE + "dog 1 1e999 3\n", "line 7: '1e999' in the vector of 'dog' is not a number"),
        (GLOVE + "dog 1  3\n", "line 7: '' in the vector of 'dog' is not a number"),
        (GLOVE + " 1 2 3\n", "line 7: there is no word before the numbers"),
        ("2 3\n" + GLOVE + "dog 1 2\n", "line 8: 'dog 1 2' has 2 numbers"),
        (GLOVE.encode() + b"caf\xe9 1 2 3\n", "line 7: the word is not UTF-8"),
        (b"\x93NUMPY\x00\xff\n" * 3, "line 1"),
    ],
)
def test_bad_text_is_refused_with_its_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError) as caught:
        len(Vectors(text_file(tmp_path, content)))
    assert message in str(caught.value)
    assert "glove.txt" in str(caught.value)


def test_torn_gzip_is_refused(tmp_path: Path) -> None:
    for name, content in (("cut.gz", gzip.compress(GLOVE.encode())[:-9]), ("none.gz", GLOVE.encode())):
        with pytest.raises(DataError, match=r"is not a whole gzip file: .*Get it again"):
            len(Vectors(text_file(tmp_path, content, name)))


def test_array_beside_words(tmp_path: Path) -> None:
    path = array_files(tmp_path, np.eye(3, dtype=np.float16), "a\n\u2028\na\n")
    for place in (path, tmp_path):
        vectors = Vectors(place)
        assert vector(vectors, "a") == [1, 0, 0], "the first of a repeated word counts"
        assert vector(vectors, "\u2028") == [0, 1, 0]
        assert vectors.take([0]).dtype == np.float64


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.eye(2), "has 2 vectors, but .*words.txt has 3 words"),
        (np.eye(3, dtype=np.int64), "should hold a table of floats .* but holds int64 of shape \\(3, 3\\)"),
        (np.ones(3), "should hold a table of floats"),
        (np.empty((3, 0)), "should hold a table of floats"),
        (np.array([{}]), "is not an array that NumPy can read"),
    ],
)
def test_bad_arrays_are_refused(tmp_path: Path, array: np.ndarray, message: str) -> None:
    path = array_files(tmp_path, array, "a\nb\nc\n")
    with pytest.raises(DataError, match=message):
        Vectors(path).place("a")


def test_cut_arrays_infinities_and_bad_words_are_refused(tmp_path: Path) -> None:
    path = array_files(tmp_path, np.array([[1.0, np.inf]]), "a\n")
    with pytest.raises(DataError, match=r"row 0 .* not a number"):
        Vectors(path).take([0])
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(DataError, match="may be cut short"):
        Vectors(path).place("a")
    path = array_files(tmp_path, np.eye(2), "")
    (tmp_path / "words.txt").write_bytes(b"a\ncaf\xe9\n")
    with pytest.raises(DataError, match=r"words.txt, line 2: the word is not UTF-8"):
        Vectors(path).place("a")


def test_missing_files_say_what_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLIPROBE_VECTORS", raising=False)
    monkeypatch.delenv("NLIPROBE_DATA", raising=False)
    with pytest.raises(NotFoundError, match=r"looked in nowhere: NLIPROBE_DATA is not set\).*vectors=PATH"):
        find_vectors()
    monkeypatch.setenv("NLIPROBE_DATA", str(tmp_path))
    with pytest.raises(NotFoundError, match="glove"):
        find_vectors()
    with pytest.raises(NotFoundError, match="do not exist"):
        find_vectors(str(tmp_path / "absent"))
    with pytest.raises(NotFoundError, match="but holds none of them"):
        find_vectors(str(tmp_path))
    np.save(tmp_path / "a.npy", np.eye(2))
    with pytest.raises(NotFoundError, match=r"has no words.txt next to it"):
        find_vectors(str(tmp_path))
    np.save(tmp_path / "b.npy", np.eye(2))
    with pytest.raises(NotFoundError, match=r"but holds a.npy, b.npy. Name the file itself"):
        find_vectors(str(tmp_path))


def test_where_vectors_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLIPROBE_VECTORS", raising=False)
    below, other = tmp_path / "data" / "glove", tmp_path / "other"
    for folder in (below, other):
        folder.mkdir(parents=True)
        text_file(folder, GLOVE)
    monkeypatch.setenv("NLIPROBE_DATA", os.pathsep.join([str(tmp_path / "absent"), str(tmp_path / "data")]))
    assert find_vectors().path == below / "glove.txt"
    assert find_vectors() is find_vectors(), "systems with the same vectors share them"
    monkeypatch.setenv("NLIPROBE_VECTORS", str(other))
    assert find_vectors().path == other / "glove.txt"
    assert find_vectors(str(below)).path == below / "glove.txt"


def test_real_glove(data: Path) -> None:
    if not (data / "glove").is_dir():
        pytest.skip("NLIPROBE_DATA has no glove")
    vectors = Vectors(data / "glove")
    king, queen, cheese = (vectors.take([vectors.place(word) or 0])[0] for word in ("king", "queen", "cheese"))
    assert len(vectors) == 98_314
    assert np.linalg.norm(king - queen) < np.linalg.norm(king - cheese)


@given(st.text())
def test_words_are_lower_case_and_hold_no_outer_punctuation(text: str) -> None:
    for word in lower_words(text):
        assert word == word.lower()
        assert word[0].isalnum()
        assert word[-1].isalnum()


def test_known_words() -> None:
    known = {"co-founder", "ann", "s", "1,200", "the", "new", "york"}.__contains__
    assert lower_words("Ann’s Co-founder (of the 1,200 New-York…) _x_") == [
        *("ann's", "co-founder", "of", "the", "1,200", "new-york", "x")
    ]
    assert known_words("ann's", known) == ["ann", "s"]
    assert known_words("co-founder", known) == ["co-founder"]
    assert known_words("new-york", known) == ["new", "york"]
    assert known_words("the", known) == known_words("dog", known) == []
    assert all(word == word.lower() for word in FUNCTION_WORDS)
