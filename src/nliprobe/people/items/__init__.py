"""Items for raters, made from pairs, from review queues and from templates, and put into batches."""
