"""Methods of linear-chain CRFs: one CRF alone, two with rules, one from other domains.

`chains` has their common part: features, learning, and files.
"""
