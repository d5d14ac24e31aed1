"""The stock that fictional names and terms are made of."""
