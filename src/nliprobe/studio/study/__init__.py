"""Simulation studies: participants answer them, the owner invites people and reads results."""
