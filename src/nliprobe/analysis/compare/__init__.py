"""Two systems beside one another: comparison, contracts and gates."""
