"""Model evidence: which rows or sentences a system uses, compared with those that people need."""
