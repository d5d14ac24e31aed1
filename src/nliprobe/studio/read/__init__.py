"""Read: the runs of a folder, all their cases by filters and words, single cases, and systems compared."""
