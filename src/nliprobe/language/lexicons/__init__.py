"""Lexicons as files of tab-separated fields."""
