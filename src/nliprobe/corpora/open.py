"""How users name corpora: ``infotabs/alpha1``, ``hans``, ``snli/dev?limit=100``, ``file:my.jsonl?label=y``."""

from __future__ import annotations

from pathlib import Path

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.spec import Spec
from nliprobe.corpora import CORPORA
from nliprobe.corpora._limit import Limited, parse_limit
from nliprobe.corpora.base import Corpus, data_roots


def open_corpus(text: str, root: Path | None = None) -> Corpus:
    """Find the corpus that a spec string names, ready to be read.

    Args:
        text: corpus and split, with ``?limit=N`` for its first N pairs; the split may be left out where there
            is only one; ``file:PATH`` for the user's own file.
        root: the folder above the corpora; without it those of NLIPROBE_DATA are searched.
    """
    limits, spec = Spec.parse(text).take("limit")
    name = spec.name.partition("/")[0]
    try:
        kind = CORPORA.get(name)
    except NotFoundError:
        if Path(spec.name).exists():
            raise UsageError(f"'{spec.name}' is a file, not the name of a corpus: write file:{spec.name}.") from None
        raise
    corpus = kind.from_spec(spec, data_roots(root))
    return Limited(corpus, parse_limit(limits["limit"], corpus.name)) if "limit" in limits else corpus
