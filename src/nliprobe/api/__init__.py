"""One function per job, from spec strings to results: what the command line, recipes and notebooks call."""
