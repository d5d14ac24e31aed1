"""Words that point to a label: where they come from, and where those of a hypothesis point."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from nliprobe.analysis.artifacts.documents import CORPUS_SCHEMA, CorpusArtifacts, CorpusArtifactsDocument, WordEntry
from nliprobe.analysis.artifacts.texts import Texts
from nliprobe.base.errors import DataError
from nliprobe.task.labels import SETS, LabelSet, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PointingWords(NamedTuple):
    """Words that point to labels.

    Attributes:
        chosen_on: the corpora they were chosen on.
        words: the words per label.
    """

    chosen_on: tuple[str, ...]
    words: dict[str, tuple[str, ...]]

    def __bool__(self) -> bool:
        return any(self.words.values())


def pointing(words: dict[str, list[WordEntry]]) -> dict[str, tuple[str, ...]]:
    """Return the words per label whose association with it is carried by its interval."""
    return {label: tuple(entry["word"] for entry in entries if entry["points"]) for label, entries in words.items()}


def words_of_corpora(corpora: Iterable[CorpusArtifacts]) -> PointingWords:
    """Gather the words of one or several corpora: a word points to a label if it does in one of them."""
    gathered: dict[str, dict[str, None]] = {}
    names: list[str] = []
    for corpus in corpora:
        names.append(corpus["name"])
        for label, words in pointing(corpus["words"]).items():
            gathered.setdefault(label, {}).update(dict.fromkeys(words))
    return PointingWords(tuple(names), {label: tuple(words) for label, words in gathered.items()})


def read_words(path: Path) -> PointingWords:
    """Read the words of a file that ``nliprobe data artifacts -o FILE`` wrote."""
    asked = f"{path} should be what 'nliprobe data artifacts CORPUS -o FILE' writes"
    hint = f"For the pairs of a file, write file:{path}."
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"Cannot read {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise DataError(f"{asked}, but it is not JSON ({error}). {hint}") from error
    if not isinstance(document, dict) or document.get("schema") != CORPUS_SCHEMA:
        raise DataError(f"{asked}: a document of the schema {CORPUS_SCHEMA}. {hint}")
    try:
        words = words_of_corpora(cast(CorpusArtifactsDocument, document)["corpora"])
        for label in words.words:
            LabelSet.of(label)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DataError(f"{asked}, but part of it is missing or damaged ({error!r}). Write it again.") from error
    return words


def pointed_labels(texts: Texts, words: PointingWords) -> NDArray[np.uint8]:
    """Return the mask of the labels that the words of each hypothesis point to; 0 if they point nowhere."""
    import numpy as np

    masks: dict[str, int] = {}
    for label, chosen in words.words.items():
        for word in chosen:
            masks[word] = masks.get(word, 0) | LabelSet.of(label).mask
    of_words = np.array([masks.get(word, 0) for word in texts.vocabulary], dtype=np.uint8)
    pointed = np.zeros(texts.n, dtype=np.uint8)
    if len(texts.words):
        np.bitwise_or.at(pointed, texts.owners, of_words[texts.words])
    return pointed


def in_labels(pointed: NDArray[np.uint8], partition: Partition) -> NDArray[np.uint8]:
    """Coarsen masks to the labels that are told apart; labels that no gold has are left out."""
    import numpy as np

    inside = partition.labels
    table = np.array([partition.coarsen(labels & inside).mask for labels in SETS], dtype=np.uint8)
    return table[pointed]
