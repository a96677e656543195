"""The learned tagger: features in, marginal probabilities and spans out."""
