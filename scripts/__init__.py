"""Scripts of the project, run by hand; tests import what they check."""
