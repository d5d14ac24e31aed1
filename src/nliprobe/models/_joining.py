"""Which tokenizers read two texts apart as they read them together, and where.

What may act across a border is a part of the tokenizer with its parameters: its normalizer, its pre-tokenizer, its
model, and the marks it looks for first. A tokenizer with a part that is not named here reads whole texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nliprobe.models._borders import SPACES, Borders, ByteBorders, SpaceBorders, WordBorders

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer
    from transformers import PreTrainedTokenizerBase

# What is known of a text: it may follow another one, it may be followed by one, it is free of marks.
OPENS, CLOSES, PLAIN = 1, 2, 4

Marks: TypeAlias = Mapping[str, Sequence[str]]
_Part: TypeAlias = Mapping[str, object]
# Each of these changes characters one by one, or never joins what stands on both sides of a space.
_LOCAL = frozenset({"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Precompiled"})
# What SentencePiece's kin do to runs of spaces; a single space between two visible characters stays one.
_RUNS = frozenset({" {2,}", "  +", r"\s{2,}|[\n\r\t]", r"\s+"})


class Joining(NamedTuple):
    """What decides which of a tokenizer's texts may be joined.

    Attributes:
        marks: the texts that the tokenizer looks for before anything else, by their first character.
        normal_marks: those that it looks for in the normalised text.
        normalize: its normalizer, if there is one.
        borders: which texts may follow others.
    """

    marks: Marks
    normal_marks: Marks
    normalize: Callable[[str], str] | None
    borders: Borders

    def know(self, text: str) -> int:
        """Return what is known of a text, as the sum of OPENS, CLOSES and PLAIN."""
        opens, closes = self.borders.opens(text), self.borders.closes(text)
        return OPENS * opens + CLOSES * closes + PLAIN * self._is_plain(text)

    def _is_plain(self, text: str) -> bool:
        # A mark may swallow the spaces next to it.
        if _holds_one(text, self.marks):
            return False
        return (
            not self.normal_marks or self.normalize is None or not _holds_one(self.normalize(text), self.normal_marks)
        )


def find_joining(tokenizer: PreTrainedTokenizerBase) -> Joining | None:
    """Return how texts may be joined, or None if a space may not keep its neighbours apart.

    BERT's words end at spaces; in byte-level BPE a word starts with the space before it; SentencePiece's kin write the
    space as a character that opens a word, if they split there at all.
    """
    backend: Tokenizer | None = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or tokenizer.truncation_side != "right":
        return None
    normalize = None if backend.normalizer is None else backend.normalizer.normalize_str
    added = list(backend.get_added_tokens_decoder().values())
    names = tuple(str(mark.content) for mark in added)
    # A mark that is looked for in the normalised text may appear although the original text has none.
    normal = tuple(normalize(str(mark.content)) for mark in added if mark.normalized) if normalize is not None else ()
    if not all((*names, *normal)) or any(one.isspace() or one in SPACES for one in "".join((*names, *normal))):
        return None
    borders = _find_borders(backend, frozenset(one for name in (*names, *normal) for one in name[1:]))
    return None if borders is None else Joining(_by_first(names), _by_first(normal), normalize, borders)


def _by_first(names: Sequence[str]) -> Marks:
    return {first: [name for name in names if name[0] == first] for first in {name[0] for name in names}}


def _holds_one(text: str, marks: Marks) -> bool:
    """Return whether a text holds a mark; most texts have no character that one begins with."""
    return any(first in text and any(name in text for name in names) for first, names in marks.items())


def _find_borders(backend: Tokenizer, inside: frozenset[str]) -> Borders | None:
    normalizers, splitters = _parts(backend.normalizer, "normalizers"), _parts(backend.pre_tokenizer, "pretokenizers")
    # Models that draw among the ways to split a word do not repeat themselves.
    if normalizers is None or splitters is None or _draws(backend.model):
        return None
    model = type(backend.model).__name__
    kinds = [str(part["type"]) for part in splitters]
    changes = [str(part["type"]) for part in normalizers]
    if (model, kinds) == ("WordPiece", ["BertPreTokenizer"]):
        return WordBorders(inside) if changes in ([], ["NFC"], ["BertNormalizer"]) else None
    if (model, kinds) == ("BPE", ["ByteLevel"]):
        prefix, regular = splitters[0].get("add_prefix_space"), splitters[0].get("use_regex")
        return ByteBorders(prefix=prefix is not False) if changes in ([], ["NFC"]) and regular is True else None
    if model in ("Unigram", "BPE") and _reads_spaces_as_openings(splitters, normalizers):
        borders = SpaceBorders(str if backend.normalizer is None else backend.normalizer.normalize_str)
        return borders if borders.hold() else None
    return None


def _parts(part: Normalizer | PreTokenizer | None, name: str) -> list[_Part] | None:
    """Return a normalizer's or pre-tokenizer's parts with their parameters; None for one written in Python."""
    if part is None:
        return []
    try:
        read = json.loads(part.__getstate__())
    except Exception:
        # The library raises a bare Exception for parts that cannot be written down.
        return None
    return _flat(read, name)


def _flat(part: _Part, name: str) -> list[_Part]:
    inner = part.get(name)
    return [one for each in inner for one in _flat(each, name)] if isinstance(inner, list) else [part]


def _draws(model: object) -> bool:
    return any(getattr(model, name, None) for name in ("dropout", "alpha", "nbest_size"))


def _reads_spaces_as_openings(splitters: Sequence[_Part], normalizers: Sequence[_Part]) -> bool:
    """Return whether every space opens a word, which no other word's characters reach into."""
    first = [str(part["type"]) for part in splitters[:-1]]
    if not splitters or first not in ([], ["WhitespaceSplit"]):
        return False
    last = splitters[-1]
    if last["type"] != "Metaspace" or last.get("split") is not True or last.get("replacement") != "\u2581":
        return False
    # If the space that opens a text is stripped, only this writes it again.
    always = last.get("prepend_scheme") == "always"
    return all(_is_local(part, stripping=always or part.get("strip_left") is False) for part in normalizers)


def _is_local(part: _Part, *, stripping: bool) -> bool:
    """Return whether a normalizer does the same to two texts as to both together, if the border is visible."""
    if part["type"] == "Strip":
        return stripping
    if part["type"] != "Replace":
        return part["type"] in _LOCAL
    pattern = part.get("pattern")
    if not isinstance(pattern, dict):
        return False
    if pattern.get("Regex") in _RUNS:
        return part.get("content") in tuple(SPACES)
    text = pattern.get("String")
    return isinstance(text, str) and bool(text) and (len(text) == 1 or not any(map(str.isspace, text)))
