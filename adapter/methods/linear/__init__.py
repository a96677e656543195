"""Linear classifiers of tokens by the window around each: features, weights, smoothing.

The method itself is `svc`; `adapter.methods.weighted_majority` has such classifiers among its
members.
"""
