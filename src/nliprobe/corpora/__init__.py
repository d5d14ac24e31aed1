"""Corpora: one file per corpus, users' own files, and how they are found on disk."""

from __future__ import annotations

from nliprobe.base.registry import Registry
from nliprobe.corpora.base import Corpus

CORPORA: Registry[Corpus] = Registry("corpus", __name__)

__all__ = ["CORPORA", "Corpus"]
