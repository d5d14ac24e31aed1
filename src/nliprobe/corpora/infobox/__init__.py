"""Import users' own infoboxes: HTML, JSON and CSV become tables of key → values, and all losses are counted."""
