"""Reading the raw files of CheckList: examples line by line, what is known about their tests, and predictions."""
