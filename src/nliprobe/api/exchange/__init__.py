"""Writing cases, answers and results for other programs: tables, datasets, tasks of harnesses, experiment trackers."""
