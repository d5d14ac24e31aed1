"""The case browser: an index over all cases of a run, by which they are filtered, counted and searched at once.

The index is a file in the cache, never a part of the run: it can be deleted at any time, and is made again.

- A text stands once, however many cases share it: a premise, a hypothesis, an id, what an edit puts in. SQLite's
  full-text index says which texts hold a word.
- Everything that cases are filtered by is a column of small numbers, one per case, kept as the bytes of an array. A
  filter is a comparison of a whole column, so that counts are exact, and a million cases are filtered in milliseconds.
"""
