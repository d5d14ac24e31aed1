"""Training: from pairs to a model that can answer."""
