"""Where evidence comes from, one module per kind: people's marks, their edits, a ranking of rows, shared words."""
