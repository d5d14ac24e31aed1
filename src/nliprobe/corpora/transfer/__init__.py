"""Tasks that test vectors of sentences: nine sets of sentences or pairs with targets, as SentEval collects them."""
