"""Parses the subset of FHIRPath that views need, from text to a frozen syntax tree."""
