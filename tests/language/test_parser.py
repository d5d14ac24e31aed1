"""spaCy as a parser: what it gives where it is installed, and what is said where it is not."""

from __future__ import annotations

from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from nliprobe.base.errors import MissingExtraError, NotFoundError
from nliprobe.language import parser
from nliprobe.language.parser import Parser, parsed, parser_version


def has_pipeline() -> bool:
    if find_spec("spacy") is None:
        return False
    import spacy

    return any(name.startswith(parser.PIPELINE) for name in spacy.util.get_installed_models())


needs_spacy = pytest.mark.skipif(not has_pipeline(), reason="spaCy or its English pipeline is not installed")


def test_rules_have_no_version_and_load_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "_pipeline", lambda: pytest.fail("spaCy was loaded"))
    assert parser_version(Parser.RULES) == ""


def test_missing_spacy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    parser._pipeline.cache_clear()
    monkeypatch.setattr(parser, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'nliprobe\[spacy\]'"):
        parser_version(Parser.SPACY)


def test_missing_pipeline_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    parser._pipeline.cache_clear()
    empty = SimpleNamespace(util=SimpleNamespace(get_installed_models=lambda: ["de_core_news_sm"]))
    monkeypatch.setattr(parser, "find_spec", lambda name: empty)
    monkeypatch.setattr(parser, "import_module", lambda name: empty)
    with pytest.raises(NotFoundError, match="python -m spacy download en_core_web_sm"):
        parsed("Orla was a painter.")


@pytest.mark.parametrize("text", ["", "   ", "word " * 2_000])
def test_empty_and_endless_texts_are_not_parsed(text: str) -> None:
    assert parsed(text) is None


@needs_spacy
def test_main_clause_is_found() -> None:
    parser._pipeline.cache_clear()
    text = "The old bridge over the river was opened in 1920."
    clause = parsed(text)
    assert clause is not None
    assert clause.verb == text.index("was")
    assert clause.subject == text.index(" was")
    assert clause.single


@needs_spacy
def test_other_clauses_are_seen() -> None:
    clause = parsed("The bridge was closed when the river froze.")
    assert clause is not None
    assert not clause.single
    assert parsed("It rained. The bridge was closed.") is None


@needs_spacy
def test_names_have_types_and_the_version_is_told() -> None:
    clause = parsed("Barack Obama was born in Honolulu.")
    assert clause is not None
    assert {entity.label for entity in clause.entities} >= {"PERSON", "GPE"}
    assert parser_version(Parser.SPACY).startswith("spacy ")
