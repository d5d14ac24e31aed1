"""Two systems compared: comparison, contracts and gates."""
