"""nliprobe tells whether a natural-language-inference model reasons or guesses.

Importing the package loads nothing heavy: every room is imported where it is used.
"""

__version__ = "0.1.0"
__all__ = ["__version__"]
