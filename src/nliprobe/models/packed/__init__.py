"""Encoders of BERT's kind without padding: the tokens of a batch lie one after the other, and only real ones are read.

``parts`` finds the weights of a checkpoint, ``encoder`` computes with them, ``attention`` and ``arithmetic`` do so as
suits the device, and ``stream`` asks many inputs while the host prepares the next ones.
"""
