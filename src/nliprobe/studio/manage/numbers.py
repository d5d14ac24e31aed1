"""Whole numbers in forms; what is none is an error beside its field."""

from __future__ import annotations

from collections.abc import MutableMapping


def whole_number(
    text: str, name: str, errors: MutableMapping[str, str], *, least: int, most: int, needed: bool = False
) -> int | None:
    """Return the number in a field, or None if it is empty or wrong.

    Args:
        text: what stands in the field.
        name: of the field.
        errors: gets a sentence under the name if there is something wrong.
        least: the smallest number that may be there.
        most: the largest.
        needed: whether an empty field is wrong.
    """
    plain = text.strip()
    if not plain and not needed:
        return None
    number = int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= 9 else -1
    if not least <= number <= most:
        errors[name] = f"Expected a whole number from {least:,} to {most:,}{'' if needed else ', or nothing'}."
        return None
    return number
