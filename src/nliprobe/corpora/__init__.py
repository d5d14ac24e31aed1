"""Corpora: one module per corpus, users' own files, and the search for corpora on disk."""

from __future__ import annotations

from nliprobe.corpora.base import Corpus

# One registry for all sources of pairs: corpora, and what templates and plugins register.
from nliprobe.task.sources import SOURCES as CORPORA

__all__ = ["CORPORA", "Corpus"]
