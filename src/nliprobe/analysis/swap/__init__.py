"""Swap evaluation: accuracy per gold label on pairs as they are and swapped, with the verdicts of the seed in words."""
