"""The library of table templates: one file per schema."""
