"""The learned tagger: from features to marginal probabilities and spans."""
