"""Main clauses and names of sentences from spaCy, where it is installed; the rules of the package work without it."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import MissingExtraError, NotFoundError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Token

PIPELINE = "en_core_web_sm"
# Dependents of the main verb that are clauses of their own, or that join one to it.
_CLAUSES = frozenset(["advcl", "ccomp", "conj", "parataxis", "csubj", "csubjpass"])
_INNER = frozenset(["relcl", "acl", "advcl", "ccomp", "csubj", "csubjpass", "parataxis"])
_SUBJECTS = frozenset(["nsubj", "nsubjpass", "expl"])
_AUXILIARIES = frozenset(["aux", "auxpass"])
_LONGEST = 2_000  # characters; longer texts are no hypotheses


class Parser(StrEnum):
    """What finds the main clause and the names of a sentence."""

    RULES = "rules"
    SPACY = "spacy"


class Entity(NamedTuple):
    """A name in a text, with what spaCy takes it for: PERSON, GPE, ORG…"""

    start: int
    stop: int
    label: str


class Parsed(NamedTuple):
    """A sentence as spaCy reads it.

    Attributes:
        verb: where the finite verb of the main clause begins, or None if there is none.
        subject: where the subject ends, or 0.
        single: whether the main clause is the only one.
        entities: its names.
    """

    verb: int | None
    subject: int
    single: bool
    entities: tuple[Entity, ...]


def parsed(text: str) -> Parsed | None:
    """Return the main clause and the names of a sentence; None for a text that is empty, too long or more than one.

    Raises:
        MissingExtraError: spaCy is not installed.
        NotFoundError: its English pipeline is not; the message says how to get it.
    """
    return _parsed(text) if text.strip() and len(text) <= _LONGEST else None


def parser_version(parser: Parser) -> str:
    """Return what identifies a parser, because another version may read sentences otherwise."""
    if parser is Parser.RULES:
        return ""
    meta = _pipeline().meta
    return f"spacy {meta.get('spacy_version', '')} {meta['lang']}_{meta['name']} {meta['version']}"


@lru_cache(maxsize=256)  # the probes of a pair come one after the other
def _parsed(text: str) -> Parsed | None:
    document = _pipeline()(text)
    entities = tuple([Entity(item.start_char, item.end_char, item.label_) for item in document.ents])
    sentences = list(document.sents)
    if len(sentences) != 1:
        return None
    root = sentences[0].root
    verb = _finite(root)
    subjects = [token for token in root.children if token.dep_ in _SUBJECTS]
    subject = max([_end(token) for token in subjects], default=0)
    single = not any(token.dep_ in _INNER or _is_verbal(token) for token in document if token != root)
    return Parsed(None if verb is None else verb.idx, subject, single and len(subjects) == 1, entities)


def _finite(root: Token) -> Token | None:
    """Return the verb that shows the tense: the first auxiliary, else the verb itself."""
    helpers = [token for token in root.children if token.dep_ in _AUXILIARIES]
    if helpers:
        return helpers[0]
    return root if root.pos_ in ("VERB", "AUX") else None


def _is_verbal(token: Token) -> bool:
    return token.dep_ in _CLAUSES and token.pos_ in ("VERB", "AUX")


def _end(token: Token) -> int:
    last = token.doc[token.right_edge.i]
    return int(last.idx) + len(last)


@cache
def _pipeline() -> Language:
    if find_spec("spacy") is None:
        raise MissingExtraError("The parser 'spacy' needs spaCy", "spacy")
    spacy = import_module("spacy")
    installed = sorted(name for name in spacy.util.get_installed_models() if name.startswith(PIPELINE))
    if not installed:
        raise NotFoundError(
            f"The parser 'spacy' needs spaCy's English pipeline. Fetch it with: python -m spacy download {PIPELINE}"
        )
    pipeline: Language = spacy.load(PIPELINE if PIPELINE in installed else installed[0])
    return pipeline


__all__ = ["PIPELINE", "Entity", "Parsed", "Parser", "parsed", "parser_version"]
