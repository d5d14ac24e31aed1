"""Settle cases whose label no rule is sure of: a queue of them, people's decisions, and what follows from these."""
