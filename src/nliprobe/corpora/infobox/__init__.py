"""Users' own infoboxes: HTML, JSON and CSV become tables of key → values, and nothing is lost without being counted."""
