"""Dates and ages: read in any layout, shifted or generalised, written back in the same layout."""
