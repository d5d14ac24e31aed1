"""The quality of raters: agreement, attention, time, estimated accuracy; who ranks where, and who needs a look."""
