"""Runs a suite on the nodes of a Ray cluster: workers ask the models, the driver does all else."""
