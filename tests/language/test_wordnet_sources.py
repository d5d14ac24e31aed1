"""Which WordNet answers: the built-in one, NLTK's or one of the package wn, all by the same rules."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.language import wordnet
from nliprobe.language._wordnet_file import FileSource
from nliprobe.language._wordnet_sources import PARTS, NltkSource, Pos, Source, Synset
from nliprobe.language.wordnet import antonyms, hypernyms, is_a, lemma, lemmas, similar, source, synonyms

DEBIAN = Path("/usr/share/wordnet")
BUILTIN = FileSource()


@pytest.fixture(autouse=True)
def built_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NLIPROBE_WORDNET", raising=False)
    wordnet._opened.cache_clear()
    yield
    wordnet._opened.cache_clear()


def test_source_says_which_it_is() -> None:
    assert source().version.startswith("WordNet 3.0 (built in, ")
    assert source() is source()


def same_answers(other: Source, sample: list[tuple[str, Pos]]) -> None:
    """Another source says the same as the built-in one; relations of one synset have no order in WordNet."""
    for word, pos in sample:
        ours, theirs = BUILTIN.senses(word, pos), other.senses(word, pos)
        assert [BUILTIN.synset(key).words for key in ours] == [other.synset(key).words for key in theirs]
        for mine, yours in zip(ours, theirs, strict=True):
            assert relations(BUILTIN, BUILTIN.synset(mine)) == relations(other, other.synset(yours))
        assert other.lemma(word, pos) == word


def relations(wordnet: Source, synset: Synset) -> tuple[object, ...]:
    hyper, alike = ({wordnet.synset(key).words for key in found} for found in (synset.hypernyms, synset.similar))
    return hyper, alike, set(synset.antonyms)


def test_nltk_reads_the_same_from_debians_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (DEBIAN / "data.noun").is_file():
        pytest.skip("Debian's wordnet-base is not installed")
    nltk = pytest.importorskip("nltk", reason="NLTK is not installed")
    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for path in DEBIAN.iterdir():
        if path.suffix in (".noun", ".verb", ".adj", ".adv", ".exc", ".rev"):
            shutil.copy(path, folder)
    # NLTK wants these two files, which Debian leaves out; nothing asked here depends on what they say.
    (folder / "index.sense").touch()
    (folder / "lexnames").write_text("".join(f"{number:02d}\tfile{number}\t1\n" for number in range(45)))
    # NLTK reads nothing outside its data path.
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    reader = nltk.corpus.reader.WordNetCorpusReader(nltk.data.find("corpora/wordnet"), object())
    monkeypatch.setattr(nltk.corpus, "wordnet", reader)
    words: list[tuple[str, Pos]] = [(word, pos) for pos in PARTS for word in BUILTIN._part(pos).words]
    same_answers(NltkSource(), [(line.partition("\t")[0], pos) for line, pos in words[:: len(words) // 500]])
    for stream in reader._data_file_map.values():
        stream.close()


class FakeNltkLemma:
    def __init__(self, name: str, opposite: str = "") -> None:
        self._name, self._opposite = name, opposite

    def name(self) -> str:
        return self._name

    def antonyms(self) -> list[FakeNltkLemma]:
        return [FakeNltkLemma(self._opposite)] if self._opposite else []


class FakeNltkSynset:
    """As much of NLTK's synset as is asked for; relations come as names and are found among all synsets."""

    def __init__(self, offset: int, *lemmas: FakeNltkLemma, **relations: list[FakeNltkSynset]) -> None:
        self._offset, self._lemmas, self._relations = offset, lemmas, relations

    def offset(self) -> int:
        return self._offset

    def lemmas(self) -> list[FakeNltkLemma]:
        return list(self._lemmas)

    def lemma_names(self) -> list[str]:
        return [lemma.name() for lemma in self._lemmas]

    def __getattr__(self, name: str) -> Any:
        if name not in ("hypernyms", "instance_hypernyms", "similar_tos"):
            raise AttributeError(name)
        return lambda: self._relations.get(name, [])


class FakeNltkReader:
    def __init__(self) -> None:
        animal = FakeNltkSynset(1, FakeNltkLemma("animal"))
        pet = FakeNltkSynset(3, FakeNltkLemma("pet"), hypernyms=[animal])
        canine = FakeNltkSynset(2, FakeNltkLemma("canine"), FakeNltkLemma("Canis_lupus"), hypernyms=[animal])
        dog = FakeNltkSynset(4, FakeNltkLemma("dog", "cat"), FakeNltkLemma("hot_dog"), hypernyms=[pet, canine])
        self._synsets = {"animal": [animal], "canine": [canine], "pet": [pet], "dog": [dog], "hot_dog": [dog]}

    def get_version(self) -> str:
        return "9.9"

    def morphy(self, form: str, pos: str) -> str | None:
        base = form.removesuffix("s")
        return base if pos == "n" and base in self._synsets else None

    def _morphy(self, form: str, pos: str) -> list[str]:
        return [word for word in (form, form.removesuffix("s")) if pos == "n" and word in self._synsets]

    def synsets(self, form: str, pos: str) -> list[FakeNltkSynset]:
        base = self.morphy(form, pos)
        # Twice, as NLTK does when two base forms share a synset.
        return [] if base is None else self._synsets[base] * 2


def test_nltk_answers_by_the_same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", SimpleNamespace(corpus=SimpleNamespace(wordnet=FakeNltkReader())))
    assert "auto" in synonyms("car")
    monkeypatch.setenv("NLIPROBE_WORDNET", "nltk")
    assert source().version == "nltk wordnet 9.9"
    assert synonyms("car") == ()
    assert synonyms("dog") == ("hot dog",)
    assert synonyms("dogs") == ()
    assert antonyms("dog", "noun") == ("cat",)
    assert antonyms("hot dog") == ()
    assert hypernyms("dog") == ("canine", "Canis lupus", "pet")
    assert hypernyms("hot dog", depth=2)[-1] == "animal"
    assert is_a("dog", "animal")
    assert not is_a("animal", "dog")
    assert lemma("hot dogs", "noun") == "hot dog"
    assert lemma("dogs", "verb") is None
    assert lemmas("hot dogs", "noun") == ("hot dog",)
    assert lemmas("dog", "noun") == ("dog",)
    assert lemmas("dogs", "verb") == ()


class FakeWn(ModuleType):
    """As much of the package wn as is asked for: two words of one synset below another."""

    class Error(Exception):
        pass

    def __init__(self, *names: str) -> None:
        super().__init__("wn")
        self.names = names

    def lexicons(self, *, lexicon: str = "*", lang: str | None = None) -> list[SimpleNamespace]:
        found = [SimpleNamespace(specifier=lambda name=name: name) for name in self.names if lexicon in ("*", name)]
        if not found and lexicon != "*":
            raise self.Error(f"no lexicon found with lang={lang} and lexicon={lexicon}")
        return found

    def Wordnet(self, lexicon: str, *, expand: str) -> SimpleNamespace:
        assert expand == ""
        words: dict[tuple[str, str], SimpleNamespace] = {}

        def add(name: str, pos: str, *synsets: FakeWnSynset) -> None:
            senses = [SimpleNamespace(synset=lambda synset=synset: synset) for synset in synsets]
            words[name.lower(), pos] = SimpleNamespace(lemma=lambda: name, senses=lambda: senses)

        happy, glad = FakeWnSynset("happy>unhappy"), FakeWnSynset("glad>", "happy>")
        happy.related["similar"] = [glad]
        city, paris = FakeWnSynset("city>"), FakeWnSynset("Paris>", "City_of_Light>")
        paris.related["instance_hypernym"] = [city]
        add("happy", "a", happy)
        add("happy", "s", glad)
        add("glad", "s", glad)
        add("city", "n", city)
        add("Paris", "n", paris)
        inflected = {("cities", "n"): words["city", "n"]}

        def find(form: str, pos: str) -> list[SimpleNamespace]:
            entry = words.get((form, pos)) or inflected.get((form, pos))
            return [entry] if entry else []

        return SimpleNamespace(words=find, lexicons=lambda: self.lexicons(lexicon=lexicon))


class FakeWnSynset:
    def __init__(self, *pairs: str) -> None:
        self._pairs = [pair.split(">") for pair in pairs]
        self.related: dict[str, list[FakeWnSynset]] = {}

    def lemmas(self) -> list[str]:
        return [word for word, _ in self._pairs]

    def senses(self) -> list[SimpleNamespace]:
        return [self._sense(word, opposite) for word, opposite in self._pairs]

    def get_related(self, *names: str) -> list[FakeWnSynset]:
        return [synset for name in names for synset in self.related.get(name, [])]

    def _sense(self, word: str, opposite: str = "") -> SimpleNamespace:
        return SimpleNamespace(
            word=lambda: SimpleNamespace(lemma=lambda: word),
            get_related=lambda name: [self._sense(opposite)] if opposite and name == "antonym" else [],
        )


def use_wn(monkeypatch: pytest.MonkeyPatch, named: str, *lexicons: str) -> None:
    def morphy(wordnet: object) -> Any:
        return lambda form, pos: {"n": {"city"}} if (form, pos) == ("cities", "n") else {}

    monkeypatch.setitem(sys.modules, "wn", FakeWn(*lexicons))
    monkeypatch.setitem(sys.modules, "wn.morphy", SimpleNamespace(Morphy=morphy))
    monkeypatch.setenv("NLIPROBE_WORDNET", named)


@pytest.mark.parametrize(("named", "lexicons"), [("wn", ["oewn:2024"]), ("wn:oewn:2024", ["omw-en:1.4", "oewn:2024"])])
def test_wn_answers_by_the_same_rules(monkeypatch: pytest.MonkeyPatch, named: str, lexicons: list[str]) -> None:
    use_wn(monkeypatch, named, *lexicons)
    assert source().version == "wn oewn:2024"
    assert synonyms("happy", "adj") == ("glad",)
    assert synonyms("happy", "adj", senses=1) == ()
    assert synonyms("paris") == ("City of Light",)
    assert similar("happy") == ("glad",)
    assert antonyms("happy") == ("unhappy",)
    assert hypernyms("paris") == ("city",)
    assert is_a("Paris", "city")
    assert synonyms("cities") == hypernyms("cities") == ()
    assert lemma("cities", "noun") == "city"
    assert lemma("Paris", "noun") == "paris"
    assert lemma("cities", "adj") is None
    assert lemmas("cities", "noun") == ("city",)
    assert lemmas("Paris", "noun") == ("paris",)
    assert lemmas("cities", "adj") == ()


def test_wn_without_the_lexicon_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    use_wn(monkeypatch, "wn")
    with pytest.raises(NotFoundError, match=r"no English lexicon .* python -m wn download oewn:2024"):
        source()
    use_wn(monkeypatch, "wn:ewn:2020", "oewn:2024")
    with pytest.raises(NotFoundError, match=r"no lexicon 'ewn:2020' .* python -m wn download ewn:2020"):
        source()
    wordnet._opened.cache_clear()
    use_wn(monkeypatch, "wn", "omw-en:1.4", "oewn:2024")
    with pytest.raises(UsageError, match=r"several English lexicons: omw-en:1\.4, oewn:2024\. Name one"):
        source()


class NoCorpus:
    def get_version(self) -> str:
        raise LookupError("Resource wordnet not found.")


def test_nltk_without_the_corpus_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    corpora = SimpleNamespace(wordnet=NoCorpus(), brown=object())
    monkeypatch.setitem(sys.modules, "nltk", SimpleNamespace(corpus=corpora))
    monkeypatch.setenv("NLIPROBE_WORDNET", "nltk")
    with pytest.raises(NotFoundError, match=r"python -m nltk\.downloader wordnet"):
        source()
    monkeypatch.setenv("NLIPROBE_WORDNET", "nltk:brown")
    with pytest.raises(NotFoundError, match="'brown' is not a WordNet"):
        source()
    monkeypatch.setenv("NLIPROBE_WORDNET", "nltk:wordnet99")
    with pytest.raises(NotFoundError, match="no corpus 'wordnet99'"):
        source()


@pytest.mark.parametrize("name", ["nltk", "wn"])
def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv("NLIPROBE_WORDNET", name)
    with pytest.raises(NotFoundError, match=f"{name}, which is not installed. Install with: pip install {name}"):
        synonyms("dog")
    monkeypatch.setenv("NLIPROBE_WORDNET", "builtin")
    assert synonyms("dog")


def test_unknown_source_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_WORDNET", "nlkt")
    with pytest.raises(UsageError, match=r"NLIPROBE_WORDNET=nlkt names no WordNet\. Did you mean 'nltk'"):
        source()
