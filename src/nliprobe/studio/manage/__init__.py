"""The owner's pages about projects: make them, look at raters, decide, invite, export."""
