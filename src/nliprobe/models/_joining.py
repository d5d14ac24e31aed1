"""Which tokenizers read two texts apart as they read them together, and at which borders.

A border lies between two segments, the second of which opens with a space. What may act across one is a part of the
tokenizer with its parameters: its normalizer, its pre-tokenizer, its model, and the marks it looks for first. A
tokenizer with a part that is not named here reads whole texts.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from unicodedata import category

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer
    from transformers import PreTrainedTokenizerBase

# What is known of a text: it may follow another one, it may be followed by one, it is free of marks.
OPENS, CLOSES, PLAIN = 1, 2, 4

_Part: TypeAlias = Mapping[str, object]
# Each of these changes characters one by one, or never joins what stands on both sides of a space.
_LOCAL = frozenset({"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Precompiled"})
# What SentencePiece's kin do to runs of spaces; a single space between two visible characters stays one.
_RUNS = frozenset({" {2,}", "  +", r"\s{2,}|[\n\r\t]", r"\s+"})
_SPACES = " \u2581"
_VISIBLE = frozenset(string.ascii_letters + string.digits + string.punctuation)


class Joining(NamedTuple):
    """What decides at which borders a tokenizer's texts may be joined.

    Attributes:
        marks: the texts that the tokenizer looks for before anything else.
        normal_marks: those that it looks for in the normalised text.
        normalize: its normalizer, if there is one.
        visible: whether both sides of a border must be visible ASCII characters.
    """

    marks: tuple[str, ...]
    normal_marks: tuple[str, ...]
    normalize: Callable[[str], str] | None
    visible: bool

    def know(self, text: str) -> int:
        """Return what is known of a text, as the sum of OPENS, CLOSES and PLAIN."""
        return OPENS * self._opens(text) + CLOSES * self._closes(text) + PLAIN * self._plain(text)

    def _opens(self, text: str) -> bool:
        if not self.visible:
            # Byte-level BPE reads a run of spaces as one, except the last, which belongs to the word after it.
            return len(text) > 1 and text[0] == " " and not text[1].isspace()
        # A character that modifies the one before it would be normalised together with it.
        return len(text) > 1 and text[0] == " " and text[1] in _VISIBLE and text[2:3].isascii()

    def _closes(self, text: str) -> bool:
        if not self.visible:
            return True
        # A few signs (U+0600, U+0D4E …) form one unit with the character after them.
        return text[-1:] in _VISIBLE and bool(text) and not (len(text) > 1 and category(text[-2]) in ("Cf", "Lo"))

    def _plain(self, text: str) -> bool:
        # A mark may swallow the spaces next to it.
        if any(mark in text for mark in self.marks):
            return False
        if not self.normal_marks or self.normalize is None:
            return True
        normal = self.normalize(text)
        return not any(mark in normal for mark in self.normal_marks)


def find_joining(tokenizer: PreTrainedTokenizerBase) -> Joining | None:
    """Return how texts may be joined, or None if a space may not keep its neighbours apart.

    BERT's words end at spaces; in byte-level BPE a word starts with the space before it; SentencePiece's kin write the
    space as a character that opens a word, if they split there at all.
    """
    backend: Tokenizer | None = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or tokenizer.truncation_side != "right":
        return None
    normalizers, splitters = _parts(backend.normalizer, "normalizers"), _parts(backend.pre_tokenizer, "pretokenizers")
    model = type(backend.model).__name__
    # Models that draw among the ways to split a word do not repeat themselves.
    if normalizers is None or splitters is None or _draws(backend.model):
        return None
    kinds = [str(part["type"]) for part in splitters]
    if kinds == ["BertPreTokenizer"] or (kinds == ["ByteLevel"] and splitters[0].get("use_regex") is True):
        visible = False
        allowed = model == ("WordPiece" if kinds == ["BertPreTokenizer"] else "BPE")
        allowed &= [str(part["type"]) for part in normalizers] in ([], ["BertNormalizer"], ["NFC"])
    else:
        visible = True
        allowed = model in ("Unigram", "BPE") and _reads_spaces_as_openings(splitters, normalizers)
        allowed = allowed and _keeps_visible_characters(backend)
    return _with_marks(backend, visible=visible) if allowed else None


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
        return part.get("content") in tuple(_SPACES)
    text = pattern.get("String")
    return isinstance(text, str) and bool(text) and (len(text) == 1 or not any(map(str.isspace, text)))


def _keeps_visible_characters(backend: Tokenizer) -> bool:
    """Return whether a single space stays one, and no visible character disappears or turns into a space."""
    normalize = backend.normalizer.normalize_str if backend.normalizer is not None else str
    spaced = normalize("x x")
    if len(spaced) != 3 or spaced[1] not in _SPACES:
        return False
    return all(
        len(normal) > 2 and not any(one.isspace() or one in _SPACES for one in normal)
        for normal in (normalize(f"x{character}x") for character in _VISIBLE)
    )


def _with_marks(backend: Tokenizer, *, visible: bool) -> Joining | None:
    normalize = backend.normalizer.normalize_str if backend.normalizer is not None else None
    added = list(backend.get_added_tokens_decoder().values())
    # A mark that is looked for in the normalised text may appear although the original text has none.
    normal = [normalize(str(mark.content)) for mark in added if mark.normalized] if normalize is not None else []
    names = [str(mark.content) for mark in added]
    if any(one.isspace() or one in _SPACES for name in (*names, *normal) for one in name):
        return None
    return Joining(tuple(names), tuple(normal), normalize, visible)
