"""People: what they are asked to judge, and how far they agree."""
