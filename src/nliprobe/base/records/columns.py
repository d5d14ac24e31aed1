"""Find the column of a record that holds something, among the names that people use for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nliprobe.base.errors import DataError, did_you_mean

# The names of the column of pair ids in the files of crowdsourcing platforms and researchers, the clearest names first.
PAIR_NAMES = ("pair_id", "pair", "pairID", "example_id", "uid", "id")


def guess_column(record: Mapping[str, object], candidates: Sequence[str]) -> str | None:
    """Return the first candidate among a record's columns; if none matches exactly, plain names are compared."""
    for name in candidates:
        if name in record:
            return name
    plain = {plain_name(name): name for name in record}
    return next((plain[plain_name(name)] for name in candidates if plain_name(name) in plain), None)


def plain_name(name: str) -> str:
    """Return a column's name without case, spaces, hyphens and underscores.

    >>> plain_name(" Gold-Label"), plain_name("sentence_A")
    ('goldlabel', 'sentencea')
    """
    plain = "".join(character for character in name.casefold() if not character.isspace() and character not in "-_")
    return plain or name


def column(record: Mapping[str, object], candidates: Sequence[str], place: str, what: str = "") -> str:
    """Return the first candidate among a record's columns, or raise an error that names the columns there are.

    >>> column({"sentence1": "a", "label": "e"}, ["premise", "sentence1"], "x.csv, line 2")
    'sentence1'
    """
    match = guess_column(record, candidates)
    if match is not None:
        return match
    wanted = " or ".join(f"'{name}'" for name in candidates[:4])
    hint = did_you_mean(candidates[0], record)
    hint = hint if hint.startswith("Did") else f"Name it with {what}=COLUMN." if what else ""
    there = ", ".join(record) or "none"
    raise DataError(f"{place}: there is no column {wanted}; the columns are {there}. {hint}".rstrip())
