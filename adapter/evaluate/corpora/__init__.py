"""Readers of annotated corpora, by format; all give `Annotated` texts."""
