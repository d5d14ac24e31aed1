"""Try: ask the loaded systems about a pair that the owner types, edit it, and watch which answers move."""
