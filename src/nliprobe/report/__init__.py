"""Reports: the documents of analysis for people to read."""
