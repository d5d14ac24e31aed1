"""Read records (pairs, ratings, answers) from every supported file format."""
