"""Build the stock of invented words that fictional names are made of.

    python scripts/build_names.py

Words are put together from syllables and kept if they are no English word and no known name: not in WordNet, not in the
package's lexicons, not among 98,314 words of GloVe and in no table, title or hypothesis of InfoTabS
(the last two need NLIPROBE_DATA). The same seed gives the same stock, so that made tables stay as they are.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from random import Random

from nliprobe.base.seeds import draws
from nliprobe.language.lexicon import Lexicon, lexicon_names, load_lexicon

STOCK = Path(__file__).parents[1] / "src/nliprobe/templates/tables/stock"
SEED = 15
_WORD = re.compile(r"[^\W\d_]+")
ONSETS = "b br c d dr f fr g gr h j k l m n p pr r s st t th tr v w z"
MIDDLES = "b d f g l m n r s t v ld lm lv nd nn rn rr rv ss st th tt rd rk lk nt"
VOWELS = "a a e e i i o o u"
# How many words of a kind, of how many syllables before the ending, the fewest and most letters, and how they end.
# Short words are often a village or a family somewhere.
KINDS: dict[str, tuple[int, tuple[int, ...], tuple[int, int], str]] = {
    "given": (700, (1, 1, 2), (5, 8), "a o e in is an el en ia iel eth on ina ara wen us"),
    "surname": (900, (1, 2), (7, 10), "er ak ov ini ard sen ett ley man quist ova ez ow hart well ane ick owicz eau"),
    "place": (2400, (1, 1, 2), (8, 11),
              "burg ton ville stad mora holm ford wick haven a o field mouth dorf pur grad minster bridge"),
    "country": (1500, (1, 2), (7, 10), "ia istan onia avia ania aria mark eria ura"),
    "tongue": (500, (1, 2), (7, 10), "ese ish ic i ian ari"),
    "coined": (900, (1, 2), (6, 9), "ix ex on or um ara is eo ant ax io enta ora al us"),
    "taxon": (700, (1, 2), (7, 11), "ella opsis aria ina ura ornis odon etes"),
}  # fmt: skip
# Invented words should not hold words that people would not like to read.
UNWANTED = re.compile(
    r"sex|fuk|fuc|shit|nig|cum|rap[eio]|kill|nazi|tit|ass|arse|piss|porn|slut|hell|dik|dic|cok|coc|fag|gay|jew|"
    r"kok|pus|anus|anal|homo|kik|coon|dead|die|turd|fart|poo|pee|wog|tard|rect|vag|pen[ie]s|suck|whor|bitch|balmora"
)
AWKWARD = re.compile(r"(.)\1\1|[aeiou]{3}|uu|ii|aa|wu|ji|yi|lr|rl|nr|mr|sr|tl|dl|[^aeiou]{4}|hh|rrv|vv|wr")


def known_words() -> frozenset[str]:
    """Return all words, lower-cased, that an invented word must not equal."""
    words: set[str] = set()
    for name in lexicon_names():
        lexicon = load_lexicon(name)
        if isinstance(lexicon, Lexicon):
            words.update(word for entry in lexicon.entries for cell in entry for word in _words(cell))
    for part in ("noun", "verb", "adj", "adv"):
        packed = resources.files("nliprobe.language") / "wordnet_data" / f"{part}.gz"
        words.update(_words(gzip.decompress(packed.read_bytes()).decode("utf-8")))
    data = Path(os.environ["NLIPROBE_DATA"])
    words.update(_words((data / "glove" / "words.txt").read_text(encoding="utf-8")))
    for path in sorted((data / "infotabs" / "tables" / "json").glob("*.json")):
        words.update(_words(json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)))
    for path in sorted((data / "infotabs" / "maindata").glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                words.update(word for cell in row for word in _words(cell))
    return frozenset(words)


def invented(kind: str, random: Random) -> Iterator[str]:
    """Yield invented words of a kind without end; some may come twice, and some may be real words."""
    _, sizes, _, endings = KINDS[kind]
    while True:
        size = random.choice(sizes)
        syllables = [_one(ONSETS, random) + _one(VOWELS, random)]
        syllables += [_one(MIDDLES, random) + _one(VOWELS, random) for _ in range(size - 1)]
        ending = _one(endings, random)
        closing = _one(MIDDLES, random) if ending[0] in "aeiou" else _one("l n r s m", random)
        yield "".join([*syllables, closing, ending])


def main() -> None:
    """Write one file of words per kind."""
    taken = set(known_words())
    STOCK.mkdir(exist_ok=True)
    for kind, (size, _, (shortest, longest), _) in KINDS.items():
        kept: list[str] = []
        for word in invented(kind, draws(SEED, "stock", kind)):
            if len(kept) == size:
                break
            odd = UNWANTED.search(word) or AWKWARD.search(word) or not shortest <= len(word) <= longest
            # A plural or a possessive of a known word would read as that word.
            if odd or {word, word.rstrip("s"), word + "s"} & taken:
                continue
            taken.add(word)
            kept.append(word.capitalize())
        lines = [f"# Invented words of the kind {kind}; written by scripts/build_names.py.", *sorted(kept)]
        (STOCK / f"{kind}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _one(words: str, random: Random) -> str:
    return random.choice(words.split())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


if __name__ == "__main__":
    main()
