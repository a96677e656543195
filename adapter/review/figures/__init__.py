"""Sampling, estimates and agreement: pure functions of counts, with the seed as an argument."""
