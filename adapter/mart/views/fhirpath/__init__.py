"""Parses FHIRPath as views need it: from text to a frozen syntax tree."""
