"""Engine: plans, batches and local execution of a suite on systems."""
