"""Templates: a language for premise-hypothesis pairs with known labels, and the library written in it."""
