"""Ask people to judge examples, and measure how far they agree."""
