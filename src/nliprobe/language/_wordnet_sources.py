"""Read WordNets from elsewhere as the built-in one is read: NLTK's, and those of the package ``wn``."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple, Protocol, get_args

from nliprobe.base.errors import NotFoundError, UsageError

Pos = Literal["noun", "verb", "adj", "adv"]
PARTS: tuple[Pos, ...] = get_args(Pos)
_CODES: dict[Pos, str] = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


class Antonym(NamedTuple):
    """Two words that are opposites; antonymy holds between words, not between synsets."""

    word: str
    opposite: str


class Synset(NamedTuple):
    """A meaning: the words that share it, spelled as WordNet spells them, and the keys of related meanings."""

    words: tuple[str, ...]
    hypernyms: tuple[Hashable, ...]
    antonyms: tuple[Antonym, ...]
    similar: tuple[Hashable, ...]


class Source(Protocol):
    """A WordNet that can be asked about words; they come in lower case, with spaces, and are not inflected."""

    @property
    def version(self) -> str:
        """The name and version of this WordNet, to be recorded with results."""

    def __hash__(self) -> int:
        """Return a hash, because answers are remembered per source."""

    def senses(self, word: str, pos: Pos) -> tuple[Hashable, ...]:
        """Return the keys of a word's synsets, the most frequent first."""

    def synset(self, key: Hashable) -> Synset:
        """Return the synset behind a key."""

    def lemma(self, word: str, pos: Pos) -> str | None:
        """Return the base form of a word, or None if WordNet does not have it."""

    def lemmas(self, word: str, pos: Pos) -> tuple[str, ...]:
        """Return all base forms that a word may have, the word itself first."""


class NltkSource:
    """A WordNet of NLTK's corpora.

    Args:
        corpus: the name of the corpus as NLTK has it: ``wordnet``, ``wordnet31``, ``wordnet2022``, …
    """

    def __init__(self, corpus: str = "") -> None:
        corpus = corpus or "wordnet"
        readers = _package("nltk").corpus
        reader = getattr(readers, corpus, None)
        if reader is None:
            raise NotFoundError(f"NLTK has no corpus '{corpus}' (NLIPROBE_WORDNET=nltk:{corpus}). Try nltk:wordnet.")
        try:
            # NLTK opens a corpus when it is first asked for something.
            self.version = f"nltk {corpus} {reader.get_version()}"
        except LookupError:
            raise NotFoundError(
                f"NLTK is installed, but its corpus '{corpus}' is not (NLIPROBE_WORDNET=nltk). "
                f"Download it with: python -m nltk.downloader {corpus}"
            ) from None
        except AttributeError:
            raise NotFoundError(f"NLTK's corpus '{corpus}' is not a WordNet. Try nltk:wordnet.") from None
        self._reader: Any = reader

    def senses(self, word: str, pos: Pos) -> tuple[Hashable, ...]:
        """Return the keys of a word's synsets, the most frequent first."""
        synsets = self._reader.synsets(word.replace(" ", "_"), pos=_CODES[pos])
        # NLTK also finds the synsets of the base forms, which the built-in WordNet leaves to lemma().
        return tuple(dict.fromkeys(synset for synset in synsets if _has(synset.lemma_names(), word)))

    def synset(self, key: Hashable) -> Synset:
        """Return the synset behind a key."""
        synset: Any = key
        return Synset(
            tuple(_spaced(name) for name in synset.lemma_names()),
            (*_in_order(synset.hypernyms()), *_in_order(synset.instance_hypernyms())),
            tuple(
                Antonym(_spaced(lemma.name()), _spaced(other.name()))
                for lemma in synset.lemmas()
                for other in lemma.antonyms()
            ),
            _in_order(synset.similar_tos()),
        )

    def lemma(self, word: str, pos: Pos) -> str | None:
        """Return the base form of a word, or None if WordNet does not have it."""
        base = self._reader.morphy(word.replace(" ", "_"), _CODES[pos])
        return None if base is None else _spaced(base)

    def lemmas(self, word: str, pos: Pos) -> tuple[str, ...]:
        """Return all base forms that a word may have, the word itself first."""
        # NLTK's morphy() gives the first of these.
        forms = self._reader._morphy(word.replace(" ", "_"), _CODES[pos])
        return tuple(dict.fromkeys(_spaced(form) for form in forms))


class WnSource:
    """A WordNet that the package ``wn`` has in its database.

    Args:
        lexicon: its name in ``wn`` (``oewn:2024``); without one, the only English lexicon there is.
    """

    def __init__(self, lexicon: str = "") -> None:
        wn = _package("wn")
        lexicons = [entry.specifier() for entry in wn.lexicons(lang="en")]
        if not lexicon and len(lexicons) > 1:
            raise UsageError(
                f"The package wn has several English lexicons: {', '.join(lexicons)}. "
                f"Name one, for example NLIPROBE_WORDNET=wn:{lexicons[0]}."
            )
        if not (lexicon or lexicons) or (lexicon and not _has_lexicon(wn, lexicon)):
            what = f"no lexicon '{lexicon}'" if lexicon else "no English lexicon"
            raise NotFoundError(
                f"The package wn is installed, but has {what} (NLIPROBE_WORDNET=wn). "
                f"Download one with: python -m wn download {lexicon or 'oewn:2024'}"
            )
        # expand="" keeps wn from borrowing relations of other lexicons: only the named one answers.
        self._wordnet: Any = wn.Wordnet(lexicon or lexicons[0], expand="")
        self._morphy: Callable[..., dict[str, set[str]]] | None = None
        self.version = f"wn {' '.join(entry.specifier() for entry in self._wordnet.lexicons())}"

    def senses(self, word: str, pos: Pos) -> tuple[Hashable, ...]:
        """Return the keys of a word's synsets; for adjectives, heads of clusters before their satellites."""
        entries = [entry for code in _wn_codes(pos) for entry in self._wordnet.words(word, pos=code)]
        return tuple(
            dict.fromkeys(
                sense.synset() for entry in entries if _has([entry.lemma()], word) for sense in entry.senses()
            )
        )

    def synset(self, key: Hashable) -> Synset:
        """Return the synset behind a key."""
        synset: Any = key
        return Synset(
            tuple(_spaced(lemma) for lemma in synset.lemmas()),
            tuple(synset.get_related("hypernym", "instance_hypernym")),
            tuple(
                Antonym(_spaced(sense.word().lemma()), _spaced(other.word().lemma()))
                for sense in synset.senses()
                for other in sense.get_related("antonym")
            ),
            tuple(synset.get_related("similar")),
        )

    def lemma(self, word: str, pos: Pos) -> str | None:
        """Return the base form of a word, or None; of several, the word itself or the alphabetically first."""
        return word if self.senses(word, pos) else next(iter(self.lemmas(word, pos)), None)

    def lemmas(self, word: str, pos: Pos) -> tuple[str, ...]:
        """Return all base forms that a word may have, the word itself first, then in the order of the alphabet."""
        if self._morphy is None:
            self._morphy = import_module("wn.morphy").Morphy(self._wordnet)
        forms = {form.lower() for code in _wn_codes(pos) for form in self._morphy(word, code).get(code, ())}
        own = (word,) if self.senses(word, pos) else ()
        return (*own, *sorted(forms - {word}))


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError:
        raise NotFoundError(
            f"NLIPROBE_WORDNET={name} needs the package {name}, which is not installed. Install with: pip install "
            f"{name}. Without NLIPROBE_WORDNET the built-in WordNet is used."
        ) from None


def _has_lexicon(wn: ModuleType, lexicon: str) -> bool:
    try:
        return bool(wn.lexicons(lexicon=lexicon))
    except wn.Error:
        return False


def _in_order(synsets: list[Any]) -> tuple[Hashable, ...]:
    """Sort related synsets: NLTK keeps them in a set, whose order differs from process to process."""
    return tuple(sorted(synsets, key=lambda synset: int(synset.offset())))


def _wn_codes(pos: Pos) -> tuple[str, ...]:
    return ("a", "s") if pos == "adj" else (_CODES[pos],)


def _has(names: list[str], word: str) -> bool:
    return any(_spaced(name).lower() == word for name in names)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
