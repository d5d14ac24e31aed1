"""The records: label sets, tables, pairs, cases, predictions, and the relations between predictions."""
