"""Typed cells: what the rows of an infobox say, and the same kinds of values in running text."""
