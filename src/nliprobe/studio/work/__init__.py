"""What raters see: their invitation, one item after the other, and what they have said."""
