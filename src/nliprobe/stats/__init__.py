"""Pure array statistics: intervals, resampling, classification scores."""
