"""The doctor checks whether the labels of a system are in order, and whether it looks at what it is shown."""
