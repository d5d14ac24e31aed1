"""Statistics on plain arrays: intervals, resampling, classification scores, agreement."""
