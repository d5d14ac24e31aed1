"""Artifacts: what the words, lengths and overlaps of pairs give away, and what systems make of it."""
