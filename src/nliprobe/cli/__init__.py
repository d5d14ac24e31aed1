"""The command line: one file per verb, thin, imported when called."""
