"""Find what a row is about by its key."""

from __future__ import annotations

import re
from functools import lru_cache

from nliprobe.probes._topic import Topic
from nliprobe.probes._topic_table import TOPICS


def topic_named(name: str) -> Topic:
    """Return a topic by its name."""
    return next(topic for topic in TOPICS if topic.name == name)


@lru_cache(maxsize=8192)
def topics_of(key: str) -> tuple[Topic, ...]:
    """Return the topics of a row by its key."""
    plain = key.strip(" :").lower()
    return tuple([topic for topic in TOPICS if topic.keys.fullmatch(plain)])


# Words of keys that say nothing by themselves.
_EMPTY_TEXT = """
of the and or no number total date dates year years by in for first last a an s type name main new general est
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
_WORD = re.compile(r"[a-z][a-z'-]+")


@lru_cache(maxsize=8192)
def key_words(key: str) -> tuple[str, ...]:
    """Return the stems of the words of a key that say what it is about."""
    plain = key.lower().split("(")[0]
    return tuple([stem(word) for word in _WORD.findall(plain) if word not in _EMPTY])


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Cut the ending of a word off, so that "students" meets "student" and "opened" meets "opening"."""
    for ending in ("ation", "ments", "ment", "ings", "ing", "ies", "ers", "ed", "er", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
