"""Table templates: hypotheses about tables that carry a program, so that their labels are computed."""
