"""Artifacts of corpora and of the answers of systems, from spec strings and files to documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.corpus import artifacts_document, corpus_artifacts
from nliprobe.analysis.artifacts.documents import CorpusArtifactsDocument
from nliprobe.analysis.artifacts.pointing import PointingWords, read_words, words_of_corpora
from nliprobe.analysis.artifacts.run import run_artifacts
from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.artifacts.words import MIN_COUNT, SMOOTHING, TOP, WordChoice
from nliprobe.base.errors import UsageError, option
from nliprobe.base.files import write_atomic
from nliprobe.task.sources import open_source, split_names

if TYPE_CHECKING:
    from nliprobe.analysis.cases import RunData
    from nliprobe.store.run import RunFolder


def data_artifacts(
    texts: str | Sequence[str],
    root: Path | None = None,
    *,
    top: int = TOP,
    min_count: int = MIN_COUNT,
    smoothing: float = SMOOTHING,
    out: str | Path | None = None,
) -> CorpusArtifactsDocument:
    """Find the words, lengths and overlaps that give the labels of corpora away.

    Args:
        texts: corpora with labels, such as ``snli/train-100k``; without a split, all splits on this machine.
        root: the folder above the corpora.
        top: words per label, at most.
        min_count: in how many hypotheses a word must be to be looked at.
        smoothing: how many pairs are added per word and label before association is measured.
        out: a JSON file to write as well, whose words :func:`artifacts` can use.
    """
    choice = word_choice(top, min_count, smoothing)
    given = [texts] if isinstance(texts, str) else texts
    opened = [open_source(name, root) for text in given for name in split_names(text, root)]
    document = artifacts_document(opened, choice)
    if out is not None:
        content = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        write_atomic(Path(out), content.encode("utf-8"))
    return document


def artifacts(
    run: RunFolder,
    words: str | Path | None = None,
    *,
    top: int = TOP,
    min_count: int = MIN_COUNT,
    smoothing: float = SMOOTHING,
    root: Path | None = None,
    derived: bool = True,
    data: RunData | None = None,
) -> ArtifactsDocument:
    """Compare the answers of a run with what words, lengths and overlap give away.

    Args:
        run: the run folder.
        words: where the words that point to labels come from: a file that :func:`data_artifacts` wrote, or a corpus;
            by default the run's own pairs.
        top: words per label, at most, unless a file has them.
        min_count: in how many hypotheses a word must be, unless a file has the words.
        smoothing: how many pairs are added per word and label, unless a file has the words.
        root: the folder above the corpora.
        derived: whether cases that probes made count, too, beside the pairs as they are.
        data: the run as it has been read already.
    """
    choice = word_choice(top, min_count, smoothing)
    chosen = None if words is None or words == "" else _words(words, root, choice)
    return run_artifacts(run, chosen, choice, derived=derived, data=data)


def word_choice(top: int, min_count: int, smoothing: float) -> WordChoice:
    """Check how words are to be chosen."""
    if top < 1:
        raise UsageError(f"{option('top', str(top))} should be at least 1: how many words are listed per label.")
    if min_count < 1:
        given = option("min-count", str(min_count), python="min_count")
        raise UsageError(f"{given} should be at least 1: in how many hypotheses a word must be.")
    if not 0 <= smoothing < float("inf"):
        raise UsageError(f"{option('smoothing', str(smoothing))} should be 0 or more: pairs added per word and label.")
    return WordChoice(top, min_count, float(smoothing))


def _words(given: str | Path, root: Path | None, choice: WordChoice) -> PointingWords:
    """Read words from a file, or choose them on a corpus; what is a path is never taken for a corpus."""
    path = Path(given)
    if path.is_file() or path.suffix == ".json":
        return read_words(path)
    names = split_names(str(given), root)
    return words_of_corpora([corpus_artifacts(open_source(name, root), choice) for name in names])
