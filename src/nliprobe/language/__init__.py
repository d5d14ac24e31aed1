"""What is known about words, whatever the task: vectors, lexicons, WordNet, small rules of English, function words."""
