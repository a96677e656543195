"""The grammar behind the lexicon tagger: names, places, organisations, professions, vetoes."""
