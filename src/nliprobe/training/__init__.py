"""Train models on labelled pairs."""
