"""The behavioural summary of a checklist: capabilities, templates, drawn words, a surrogate."""
