"""Methods of linear-chain CRFs: one alone, two with rules, and one learned from other domains.

What they share stands in `chains`: features, learning, and what of it is kept.
"""
