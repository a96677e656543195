"""Linear classifiers of tokens by features of a window: features, weights, smoothing.

The method is in `svc`; `adapter.methods.weighted_majority` also uses such classifiers.
"""
