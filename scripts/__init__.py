"""What makes, checks and measures the project; each file is a command."""
