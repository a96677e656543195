"""Sources of surrogates: keyed MACs, permutations and frozen tables."""
