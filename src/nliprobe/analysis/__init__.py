"""Analysis: what the answers of a run say, derived from the run folder and never stored."""
