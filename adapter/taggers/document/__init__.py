"""A text as all taggers see it: tokens, lines, sections, headings, attributes."""
