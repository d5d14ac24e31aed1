"""Statistics on plain arrays: intervals, tests, classification scores, agreement."""
