"""The limits of the template language: far above what the library needs, and low enough that none costs minutes."""

from __future__ import annotations

# Characters of any text of a template file, and of the longest example that a template can give. The library's longest
# premise and hypothesis have 221 together; a block of 65,536 draws of this length takes 650 MB.
LONGEST_TEXT = 10_000
# Expressions inside one another, in brackets or after 'not' and '-': each costs eleven frames of Python's stack, which
# has a thousand. The library needs 6.
DEEPEST_BRACKETS = 60
# Operators in a row, as in A and B and C …: each costs one frame when it is evaluated.
LONGEST_CHAIN = 200
# Names, constants, operators and functions in all expressions of a template, each of which is evaluated for every draw.
# The library's largest template has 60.
MOST_TERMS = 1_000
# Variables of a template, of which each pair that shares a lexicon is compared. The library's largest has 12.
MOST_VARIABLES = 100
# Digits of a number. Numbers are exact, and repeated multiplication could make them as long as the memory allows.
MOST_DIGITS = 100
# The sum of the weights of a choice: it is drawn with 32 random bits.
MOST_WEIGHT = 2**32
# Ends of a range such as 1..12 are below this in size: draws are kept in 64 bits.
RANGE_END = 2**62
# Examples per template, which are all in memory at once: a million take about 600 MB.
MOST_EXAMPLES = 1_000_000
