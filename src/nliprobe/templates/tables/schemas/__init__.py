"""The schemas of made tables: what the rows of a category are, how real tables spell them and how they are made."""
