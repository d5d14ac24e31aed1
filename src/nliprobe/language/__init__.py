"""What is known about words, whatever the task: word vectors, and words that say nothing about a topic."""
