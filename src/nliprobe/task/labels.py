"""Labels E, N and C: sets of them, partitions that tell them apart more or less finely, and the ways to spell them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nliprobe.base.errors import DataError, UsageError

LETTERS = "ENC"
NAMES = {"E": "entailment", "N": "neutral", "C": "contradiction"}


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A set of labels as three bits; gold labels and expectations are such sets.

    >>> LabelSet.of("NC") & LabelSet.of("EN")
    LabelSet.of('N')
    >>> LabelSet.of("N") <= LabelSet.of("NC")
    True
    """

    mask: int

    @staticmethod
    def of(letters: str) -> LabelSet:
        """Return the set named by its letters, in any order; the empty string names the empty set."""
        mask = 0
        for letter in letters:
            bit = LETTERS.find(letter)
            if bit < 0:
                raise ValueError(f"'{letter}' is not one of the labels E, N, C")
            mask |= 1 << bit
        return SETS[mask]

    def __and__(self, other: LabelSet) -> LabelSet:
        return SETS[self.mask & other.mask]

    def __or__(self, other: LabelSet) -> LabelSet:
        return SETS[self.mask | other.mask]

    def __le__(self, other: LabelSet) -> bool:
        return self.mask & other.mask == self.mask

    def __bool__(self) -> bool:
        return self.mask != 0

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __iter__(self) -> Iterator[str]:
        return iter(str(self))

    def __contains__(self, letter: object) -> bool:
        return isinstance(letter, str) and len(letter) == 1 and letter in str(self)

    def __str__(self) -> str:
        return _TEXTS[self.mask]

    def __repr__(self) -> str:
        return f"LabelSet.of('{self}')"


SETS = tuple(LabelSet(mask) for mask in range(8))
_TEXTS = tuple("".join(letter for bit, letter in enumerate(LETTERS) if mask >> bit & 1) for mask in range(8))
NOTHING, E, N, C, ANY = SETS[0], SETS[1], SETS[2], SETS[4], SETS[7]


@dataclass(frozen=True, slots=True)
class Partition:
    """Disjoint blocks of labels, written ``E|N|C``, ``E|NC`` (HANS, RTE) or ``E|C`` (TabFact).

    >>> Partition.parse("E|N|C").join(Partition.parse("E|NC"))
    Partition.parse('E|NC')
    """

    blocks: tuple[LabelSet, ...]

    @classmethod
    def parse(cls, text: str) -> Partition:
        """Read ``E|NC``; blocks must be disjoint and not empty."""
        blocks = [LabelSet.of(piece) for piece in text.split("|")]
        if not all(blocks) or sum(len(block) for block in blocks) != len(_union(blocks)):
            raise ValueError(f"'{text}' is not a partition of labels such as E|N|C or E|NC")
        return cls(tuple(sorted(blocks, key=lambda block: LETTERS.index(str(block)[0]))))

    def __str__(self) -> str:
        return "|".join(str(block) for block in self.blocks)

    def __repr__(self) -> str:
        return f"Partition.parse('{self}')"

    @property
    def labels(self) -> LabelSet:
        """All labels the blocks cover."""
        return _union(list(self.blocks))

    def join(self, other: Partition) -> Partition:
        """Return the finest partition that is coarser than both, in which the two can be compared."""
        blocks: list[LabelSet] = []
        for block in self.blocks + other.blocks:
            touching = [present for present in blocks if present & block]
            blocks = [present for present in blocks if not present & block]
            blocks.append(_union([block, *touching]))
        return Partition.parse("|".join(str(block) for block in blocks))

    def coarsen(self, labels: LabelSet) -> LabelSet:
        """Return the union of the blocks that a label set touches; labels outside every block stay as they are."""
        return _union([labels, *(block for block in self.blocks if block & labels)])

    def touching(self, labels: LabelSet) -> Partition:
        """Return the blocks that hold some of the given labels.

        >>> Partition.parse("E|N|C").touching(LabelSet.of("EC"))
        Partition.parse('E|C')
        """
        return Partition(tuple(block for block in self.blocks if block & labels))

    def agrees(self, answer: LabelSet, gold: LabelSet) -> bool:
        """Tell whether an answer is right when it and the gold set are both coarsened to these blocks."""
        return bool(answer) and self.coarsen(answer) <= self.coarsen(gold)


def _union(blocks: list[LabelSet]) -> LabelSet:
    total = LabelSet.of("")
    for block in blocks:
        total = total | block
    return total


THREE_WAY = Partition.parse("E|N|C")

# Spellings seen in public corpora and in the answers of models; case, spaces, - and _ do not matter.
_WORDS = {
    "E": "e ent entail entails entailed entailment supports support supported yes true correct consistent",
    "N": "n neu neutral notenoughinfo notenoughinformation nei unknown maybe unverifiable undetermined",
    "C": "c con contradict contradicts contradicted contradiction refutes refute refuted no false incorrect",
    "NC": "nc cn nonentailment notentailment notentailed unsupported notsupported",
}
_SPELLINGS = {word: letters for letters, words in _WORDS.items() for word in words.split()}
# SNLI and MultiNLI mark pairs whose raters found no majority with "-"; Hugging Face copies use -1.
UNLABELLED = frozenset({"-", "-1", "", "hidden", "none", "null"})


class LabelMap:
    """Reads labels as one file or model spells them: in the common spellings, or in codes that the user declares.

    >>> LabelMap.parse("entailment,neutral,contradiction").read("2")
    LabelSet.of('C')
    >>> LabelMap.parse("1:E;0:C").read("0")
    LabelSet.of('C')
    >>> LabelMap().read("NOT ENOUGH INFO")
    LabelSet.of('N')
    """

    def __init__(self, codes: Mapping[str, str] | None = None) -> None:
        self.codes = {_plain(key): LabelSet.of(value) for key, value in (codes or {}).items()}

    @classmethod
    def parse(cls, text: str) -> LabelMap:
        """Read ``a,b,c`` (the labels of the codes 0, 1, 2) or ``code:label`` pairs."""
        codes: dict[str, str] = {}
        for index, piece in enumerate(re.split(r"[;,]", text)):
            code, colon, label = piece.partition(":")
            letters = _SPELLINGS.get(_plain(label if colon else code))
            if letters is None:
                raise UsageError(
                    f"'{piece.strip()}' in the label map '{text}' is not a label. "
                    "Write entailment,neutral,contradiction in the order of the codes, or code:label;code:label."
                )
            key = code.strip() if colon else str(index)
            if key in codes:
                raise UsageError(f"The label map '{text}' gives '{key}' twice.")
            codes[key] = letters
        return cls(codes)

    def read(self, text: object) -> LabelSet | None:
        """Return the label set that a spelling stands for, or None for an unlabelled pair."""
        spelling = _plain(str(text)) if text is not None else ""
        if isinstance(text, float) and text.is_integer():
            spelling = str(int(text))
        if spelling in self.codes:
            return self.codes[spelling]
        if spelling in UNLABELLED or (isinstance(text, str) and text.strip() == "-"):
            return None
        if spelling in _SPELLINGS:
            return LabelSet.of(_SPELLINGS[spelling])
        if spelling.lstrip("-").isdigit():
            raise DataError(
                f"the label {text!r} is a code: declare what codes mean, "
                "for example labels=entailment,neutral,contradiction"
            )
        raise DataError(f"unknown label {text!r}: expected entailment, neutral, contradiction or a common spelling")

    def declared(self, text: str) -> LabelSet | None:
        """Return what the user declared for a spelling; None if it is not declared, even if it is a common one."""
        return self.codes.get(_plain(text))

    def order(self) -> list[LabelSet]:
        """Return the labels of the codes 0, 1, 2 …, which is the order of a model's scores."""
        try:
            return [self.codes[str(index)] for index in range(len(self.codes))]
        except KeyError:
            raise UsageError("The label map must give the codes 0, 1, 2 … to order a model's scores.") from None

    def __str__(self) -> str:
        return ";".join(f"{code}:{label}" for code, label in sorted(self.codes.items()))


def _plain(text: str) -> str:
    stripped = text.strip().lower()
    if stripped == "-" or re.fullmatch(r"-?\d+(\.0)?", stripped):
        return stripped.removesuffix(".0")
    return re.sub(r"[\s_\-]+", "", stripped)
