"""The table of what rows say: every line is well-formed, and every phrase can be written."""

from __future__ import annotations

from importlib import resources

import pytest

from nliprobe.language.row_phrases import ValueKind, phrases_version, row_phrase


def lines() -> list[list[str]]:
    text = (resources.files("nliprobe.language") / "row-phrases.tsv").read_text(encoding="utf-8")
    header, *rest = [line.split("\t") for line in text.splitlines()]
    assert header == ["keys", "kind", "world", "words", "phrase", "of"]
    return rest


@pytest.mark.parametrize("line", lines(), ids=lambda line: line[0].split(",")[0])
def test_every_line_is_well_formed(line: list[str]) -> None:
    keys, kind, world, words, phrase, of = line
    assert ValueKind(kind) is not ValueKind.OTHER
    assert world in ("closed", "open")
    assert of in ("any", "thing")
    assert words.split()
    assert words == words.lower()
    assert all(key == " ".join(key.lower().split()) for key in keys.split(","))
    assert not phrase or phrase.count("{}") + phrase.count("{a}") == 1


def test_no_key_is_in_two_lines() -> None:
    keys = [key for line in lines() for key in line[0].split(",")]
    assert len(keys) == len(set(keys))


def test_keys_are_compared_without_case_and_spaces() -> None:
    assert row_phrase(" Directed  BY ") == row_phrase("directed by")
    assert row_phrase("Artist", "Painting").phrase == "was created by {}"
    assert row_phrase("Artist").kind is ValueKind.OTHER


def test_phrases_are_written_with_articles() -> None:
    assert row_phrase("Occupation").said("actor") == "has worked as an actor"
    assert row_phrase("Running time").said("97 minutes") == "has a running time of 97 minutes"
    assert len(phrases_version()) > 8
