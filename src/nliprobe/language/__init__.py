"""Knowledge about words that no task owns: vectors, lexicons, WordNet, small rules of English, function words."""
