"""Corpora: one file per corpus, users' own files, and how they are found on disk."""

from __future__ import annotations

from nliprobe.corpora.base import Corpus

# One registry for all sources of pairs: what templates and plugins register stands beside the corpora.
from nliprobe.task.sources import SOURCES as CORPORA

__all__ = ["CORPORA", "Corpus"]
