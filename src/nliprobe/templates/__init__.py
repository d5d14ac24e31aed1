"""Templates: a language for premise-hypothesis pairs whose label is known, and the library written in it."""
