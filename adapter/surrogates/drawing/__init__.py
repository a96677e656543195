"""What surrogates are drawn from: keyed MACs, permutations and frozen tables."""
