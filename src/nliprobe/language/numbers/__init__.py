"""Numbers in English text: find them with kind, value and modifier, and write a value like another one."""

from __future__ import annotations

from nliprobe.language.numbers.find import find_numbers, may_have_numbers
from nliprobe.language.numbers.records import CURRENCIES, PERCENT, Bound, Kind, Manner, Modifier, Number
from nliprobe.language.numbers.write import write_number

__all__ = [
    "CURRENCIES",
    "PERCENT",
    "Bound",
    "Kind",
    "Manner",
    "Modifier",
    "Number",
    "find_numbers",
    "may_have_numbers",
    "write_number",
]
