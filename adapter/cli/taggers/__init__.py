"""Commands about taggers: tag texts, train or induce a tagger, and score spans."""
