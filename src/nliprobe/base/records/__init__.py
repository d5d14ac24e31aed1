"""Records: every file format in which pairs, ratings and answers come, read in one place."""
