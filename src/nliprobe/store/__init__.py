"""Store: run folders and the cache of answers."""
