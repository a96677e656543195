"""The view of a text that all taggers share: tokens, lines, sections, headings, attributes."""
